import { type I18n, type Messages, setupI18n } from '@lingui/core';
import type en from './en.json';

export type MessageId = keyof typeof en;

// Each language is a chunk of its own: a browser loads the one it shows. Adding a language is adding a file.
const files = import.meta.glob<Messages>('./*.json', { import: 'default' });

const ready = new Map<string, I18n>();

export const languages = Object.keys(files).map((path) => path.slice(2, -'.json'.length));

export function languageOr(lang: string): string {
  return languages.includes(lang) ? lang : 'en';
}

/** Makes a language ready for `i18nOf`; the server does so for each it renders, the browser once. */
export async function loadMessages(asked: string): Promise<void> {
  const lang = languageOr(asked);
  if (ready.has(lang)) return;
  const messages = await files[`./${lang}.json`]?.();
  ready.set(lang, setupI18n({ locale: lang, messages: { [lang]: messages ?? {} } }));
}

export function i18nOf(asked: string): I18n {
  const i18n = ready.get(languageOr(asked));
  if (!i18n) throw new Error(`The messages of "${asked}" are not loaded.`);
  return i18n;
}
