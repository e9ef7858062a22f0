import { type I18n, type MessageOptions, type Messages, setupI18n } from '@lingui/core';
import { isolated } from '#contract/text-direction.ts';
import { shortNumber } from '../ui/short-number.ts';
import type about from './about/en.json';
import type account from './account/en.json';
import type activity from './activity/en.json';
import type category from './category/en.json';
import type confirm from './confirm/en.json';
import type consoleWords from './console/en.json';
import type contact from './contact/en.json';
import type copies from './copies/en.json';
import { dateIn, dateStyles } from './dates.ts';
import type deletion from './deletion/en.json';
import type download from './download/en.json';
import type earnings from './earnings/en.json';
import type edit from './edit/en.json';
import type en from './en.json';
import type factor from './factor/en.json';
import type link from './link/en.json';
import { grouped, pluralForm } from './numbers.ts';
import type onsite from './onsite/en.json';
import type payout from './payout/en.json';
import type people from './people/en.json';
import type photo from './photo/en.json';
import type player from './player/en.json';
import type playlist from './playlist/en.json';
import type privacy from './privacy/en.json';
import type profile from './profile/en.json';
import type reports from './reports/en.json';
import type returning from './returning/en.json';
import type search from './search/en.json';
import type settings from './settings/en.json';
import type share from './share/en.json';
import type stories from './stories/en.json';
import type taste from './taste/en.json';
import type upload from './upload/en.json';
import type user from './user/en.json';

export type MessageId =
  | keyof typeof en
  | keyof typeof about
  | keyof typeof account
  | keyof typeof activity
  | keyof typeof category
  | keyof typeof confirm
  | keyof typeof consoleWords
  | keyof typeof contact
  | keyof typeof copies
  | keyof typeof deletion
  | keyof typeof download
  | keyof typeof earnings
  | keyof typeof edit
  | keyof typeof link
  | keyof typeof onsite
  | keyof typeof payout
  | keyof typeof player
  | keyof typeof playlist
  | keyof typeof factor
  | keyof typeof people
  | keyof typeof photo
  | keyof typeof privacy
  | keyof typeof profile
  | keyof typeof reports
  | keyof typeof returning
  | keyof typeof search
  | keyof typeof settings
  | keyof typeof share
  | keyof typeof stories
  | keyof typeof taste
  | keyof typeof upload
  | keyof typeof user;

/** A part of the messages that only some pages show, in a folder of its own: other pages do not load it. */
type Part =
  | 'about'
  | 'account'
  | 'activity'
  | 'category'
  | 'confirm'
  | 'contact'
  | 'copies'
  | 'deletion'
  | 'download'
  | 'earnings'
  | 'edit'
  | 'factor'
  | 'link'
  | 'payout'
  | 'people'
  | 'photo'
  | 'player'
  | 'playlist'
  | 'privacy'
  | 'profile'
  | 'reports'
  | 'returning'
  | 'search'
  | 'settings'
  | 'share'
  | 'stories'
  | 'taste'
  | 'upload'
  | 'user';

// Each language is a chunk of its own: a browser loads only the one it shows. To add a language, add its files.
const files = import.meta.glob<Messages>('./*.json', { import: 'default' });
const parts = import.meta.glob<Messages>(['./*/*.json', '!./onsite/*.json', '!./console/*.json'], {
  import: 'default',
});

const ready = new Map<string, I18n>();

export const languages = Object.keys(files).map((path) => path.slice(2, -'.json'.length));

export function languageOr(lang: string): string {
  return languages.includes(lang) ? lang : 'en';
}

/** Loads a language for `i18nOf`. The server loads each language that it renders, the browser one. */
export async function loadMessages(requested: string): Promise<void> {
  const lang = languageOr(requested);
  if (ready.has(lang)) return;
  const messages = await files[`./${lang}.json`]?.();
  // Several modules wait for it, and the first one may have added its part already.
  if (ready.has(lang)) return;
  // A copy, since Lingui adds the parts to the object that it is given.
  ready.set(lang, newI18n({ locale: lang, messages: { [lang]: { ...messages } } }));
}

/**
 * Loads a part of the messages. The module of a page that shows it waits for this at its top level, so the messages are
 * there before the page is rendered: on the server in every language, in the browser in the language of the document, which
 * stays the same until the next document.
 */
export async function loadPart(part: Part): Promise<void> {
  const shown = import.meta.env.SSR ? languages : [languageOr(document.documentElement.lang)];
  await Promise.all(
    shown.map(async (lang) => {
      const [messages] = await Promise.all([parts[`./${part}/${lang}.json`]?.(), loadMessages(lang)]);
      i18nOf(lang).load(lang, { ...messages, ...siteWords[lang] });
    }),
  );
}

const siteWords: Record<string, Messages> = {};

/**
 * Takes what a site without an app says (INTERACTIONS=web): its own messages, and another form of each sentence that points to the app.
 * These replace those of the parts that were loaded before, and of those that come later.
 */
export function takeSiteWords(lang: string, messages: Messages): void {
  siteWords[lang] = messages;
  i18nOf(lang).load(lang, messages);
}

// A noncharacter, which no text contains.
const backslash = '\ufdd0';

/**
 * Creates the translator. Lingui decodes `\\\\x41` in the result of a message, even in values that people wrote, so
 * backslashes in values are replaced during formatting. A value is isolated, so that the direction of its letters
 * ends with it. Numbers, plurals and dates have formats of our own (`tools/compile-messages.ts`).
 */
export function newI18n(options: {
  locale: string;
  locales?: string;
  messages: Record<string, Messages>;
}): I18n {
  const i18n = setupI18n(options);
  const say = i18n._.bind(i18n) as (id: string, values?: Values, options?: MessageOptions) => string;
  const said = (values: Values) => {
    const all: Values = {};
    for (const [name, value] of Object.entries(values)) {
      all[name] = typeof value === 'string' ? isolated(value).replaceAll('\\', backslash) : value;
      for (const [style, say] of stylesOf(value, options))
        Object.defineProperty(all, `${name} ${style}`, { get: say });
    }
    return all;
  };
  i18n._ = ((id: string, values?: Values, options?: MessageOptions) =>
    say(id, values && said(values), options).replaceAll(backslash, '\\')) as I18n['_'];
  return i18n;
}

type Values = Record<string, unknown>;

/** The formatted forms of a value, by the format that a message names. */
function stylesOf(value: unknown, { locale, locales = locale }: { locale: string; locales?: string }) {
  if (typeof value === 'number')
    return [
      ['short', () => shortNumber(locales, value, 'short')],
      ['narrow', () => shortNumber(locales, value, 'narrow')],
      ['grouped', () => grouped(locales, value)],
      ['plural', () => pluralForm(locales, value)],
    ] as const;
  if (value instanceof Date)
    return dateStyles.map((style) => [style, () => dateIn(locale, style, value)] as const);
  return [];
}

export function i18nOf(requested: string): I18n {
  const i18n = ready.get(languageOr(requested));
  if (!i18n) throw new Error(`The messages of "${requested}" are not loaded.`);
  return i18n;
}
