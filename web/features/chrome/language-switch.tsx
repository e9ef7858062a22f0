import { useLocation } from 'react-router';
import { pageQuery } from '#contract/page-query.ts';
import { setLanguage } from '#contract/profile.ts';
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
const drawings: Record<string, string> = {
  hi: 'M35 203v-118h-17v118zM57 89l-2-13h-59l1 13zM70 27c-17 0-30 4-39 11c-9 8-13 19-13 34v7h17v-7c0-10 3-18 9-23c6-5 15-8 27-8c12 0 24 3 36 7c11 4 21 11 31 20l1-1l-3-18c-8-6-17-12-29-16c-11-4-23-6-37-6zM118 89h46l-1-13h-46zM146 84h-17v23h17zM166 89l-1-13h-116l1 13zM129 85v34l17 5v-39zM77 158l11-7c-2-2-3-4-4-6c-2-2-2-4-2-7v-1c0-5 2-9 7-12c4-2 12-4 23-4c6 0 11 1 17 1c5 0 11 1 17 2v-13c-7-1-13-2-19-3c-7 0-13-1-18-1c-16 0-28 3-35 8c-7 4-10 11-10 20v1c0 5 1 9 3 12c2 4 6 7 10 10zM140 219l1-14c-3 1-7 2-11 2c-4 1-8 1-13 1c-10 0-18-2-24-6c-7-4-10-10-10-18v-1c0-8 2-13 7-17c5-4 11-6 20-6c8 0 14 2 18 5c4 4 6 9 6 16v7h16c1-2 1-4 1-6c0-2 1-3 1-5c0-7-2-12-5-17c-3-4-7-8-13-10c-6-3-14-4-23-4c-6 0-11 1-16 2c-5 1-9 3-12 5l-2 1c-5 3-9 7-12 11c-2 5-4 11-4 18v1c0 9 2 16 7 22c4 5 10 10 18 13c7 2 16 4 26 4c4 0 9-1 13-1c4-1 7-2 11-3zM258 89l-1-13h-99l1 13zM181 176h16v-52h-16l-9 7c0 6 1 11 2 16c1 5 2 10 3 15c2 4 3 9 4 14zM225 124h-35v14h55v-13c-1 0-3 0-5 0c-2-1-4-1-7-1c-2 0-5 0-8 0zM293 89h46l-1-13h-46zM320 84h-17v23h17zM224 89h117l-1-13h-118zM303 121l17 5v-42h-17zM322 149h-18v29l2 2l4 37h17l-5-38zM282 179c-9 0-16-2-20-6c-5-5-7-11-7-20v-2c0-9 2-15 7-20c6-5 14-7 24-7c6 0 11 0 17 1c5 0 11 1 17 1v-13c-6-1-12-2-18-2c-6-1-12-1-17-1c-17 0-29 4-37 10c-7 7-11 18-11 31v3c0 8 2 16 5 22c4 6 9 10 15 13c7 3 14 5 23 5c6 0 12-1 17-3c5-1 8-4 11-6l-3-13c-3 2-6 4-10 5c-4 2-8 2-13 2zM372 203v-118h-18v118zM394 89l-2-13h-59l1 13zM336 25c-11 0-20 2-25 7c-6 5-9 12-9 21c0 2 0 4 0 6c0 2 1 4 1 6l16 2v-9c0-7 1-12 4-15c3-3 8-4 13-4c6 0 11 1 14 5c3 3 5 9 5 17v17h16v-17c0-13-3-22-9-28c-6-5-15-8-26-8z',
};

function LanguageName({ lang }: { lang: string }) {
  const name = names[lang] ?? lang;
  const drawing = drawings[lang];
  if (!drawing) return name;
  return (
    <svg role="img" aria-label={name} viewBox="-4 25 398 198" className="h-[1em]" fill="currentColor">
      <path d={drawing} />
    </svg>
  );
}

/** Stores the language for mails. A failure is ignored, because the next switch stores it again. */
function tell(lang: string): void {
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
            onClick={() => tell(lang)}
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
