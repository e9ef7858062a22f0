/** What a language is called in another: "hi" is "Hindi" in English. */
export function languageName(tag: string, inLanguage: string): string {
  return new Intl.DisplayNames([inLanguage], { type: 'language' }).of(tag) ?? tag;
}

/** The languages that a person is offered for captions: those of the country and a few of its visitors. */
export const offeredLanguages = [
  ...[
    'hi',
    'en',
    'as',
    'bn',
    'gu',
    'kn',
    'ks',
    'kok',
    'mai',
    'ml',
    'mni',
    'mr',
    'ne',
    'or',
    'pa',
    'sa',
    'sd',
    'ta',
    'te',
    'ur',
  ],
  ...['ar', 'de', 'es', 'fr', 'id', 'ja', 'ko', 'pt', 'ru', 'si', 'zh'],
];
