/*
 * Numbers as `Intl` writes them (`numbers.test.ts` compares). Its first use takes a phone longer than hydrating a page, so pages that need
 * no more than whole numbers and plurals do without it.
 */

/** A number with its digits in groups: 12,345,678 in English, 1,23,45,678 in Hindi and in English for India. */
export function grouped(locale: string, value: number): string {
  if (!Number.isSafeInteger(value)) return new Intl.NumberFormat(locale).format(value);
  const isIndian = locale !== 'en';
  return String(value).replace(isIndian ? /\B(?=(?:\d\d)*\d{3}$)/g : /\B(?=(?:\d{3})+$)/g, ',');
}

/** Which form of a word goes with a number: "1 view", "2 views". In Hindi 0 and parts of 1 go with the first, too. */
export const pluralForm = (locale: string, value: number): 'one' | 'other' =>
  (locale.startsWith('hi') ? Math.abs(value) <= 1 : Math.abs(value) === 1) ? 'one' : 'other';
