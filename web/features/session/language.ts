import { type Language, languages } from '#contract/languages.ts';

/** The page's language, as the server knows it. */
export function languageOf(lang: string): Language {
  return languages.find((one) => one === lang) ?? 'en';
}
