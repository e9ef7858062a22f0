import { useLocation } from 'react-router';
import { pageQuery } from '#contract/page-query.ts';
import { languages } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { useSite } from './use-site.ts';

/** What each language calls itself. */
const names: Record<string, string> = { en: 'English', hi: 'हिन्दी' };

/** The same page in another language: plain addresses, which the server remembers as the choice. */
export function LanguageSwitch({ className }: { className?: string }) {
  const text = useText();
  const { pathname, search } = useLocation();
  const { lang: now } = useSite();
  const addressIn = (lang: string) => {
    const query = new URLSearchParams(pageQuery(pathname, search));
    query.set('lang', lang);
    return `${pathname}?${query}`;
  };
  return (
    <ul aria-label={text('nav.language')} className={classNames('flex', className)}>
      {languages.map((lang) => (
        <li key={lang}>
          <a
            href={addressIn(lang)}
            hrefLang={lang}
            lang={lang}
            aria-current={lang === now || undefined}
            className="inline-flex min-h-11 items-center rounded-control px-3 underline-offset-4 hover:underline aria-current:font-semibold aria-current:text-accent-text"
          >
            {names[lang] ?? lang}
          </a>
        </li>
      ))}
    </ul>
  );
}
