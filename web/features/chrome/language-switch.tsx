import { useLocation } from 'react-router';
import { setLanguage } from '#contract/mail-language.ts';
import { pageQuery } from '#contract/page-query.ts';
import { call } from '#web/api.ts';
import { languages } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { languageOf } from '../session/language.ts';
import { currentToken } from '../session/session.ts';
import { useSite } from './use-site.ts';

/** Names of the languages in themselves. */
const names: Record<string, string> = { en: 'English', hi: 'हिन्दी' };

/** The word हिन्दी as a drawing: a device may have no Devanagari letters, and the font would be 250 KB for one word. */
const drawings: Record<string, string> = { hi: '/hindi.svg#word' };

function LanguageName({ lang }: { lang: string }) {
  const name = names[lang] ?? lang;
  const drawing = drawings[lang];
  if (!drawing) return name;
  return (
    <svg role="img" aria-label={name} viewBox="-4 25 398 198" className="h-[1em]" fill="currentColor">
      <use href={drawing} />
    </svg>
  );
}

/** Stores the language for mails. A failure is ignored, because the next switch stores it again. */
function storeLanguage(lang: string): void {
  if (!currentToken()) return;
  call(setLanguage, { body: { language: languageOf(lang) } }, { keepalive: true }).catch(() => undefined);
}

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
            onClick={() => storeLanguage(lang)}
            aria-current={lang === now || undefined}
            className="inline-flex min-h-11 items-center rounded-control px-3 underline-offset-4 hover:underline aria-current:font-semibold aria-current:text-accent-text"
          >
            <LanguageName lang={lang} />
          </a>
        </li>
      ))}
    </ul>
  );
}
