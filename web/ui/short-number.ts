/** The units of each language and the numbers from which they are used: thousand, lakh, crore … */
const steps: Record<string, Step[]> = {
  en: [
    [1e6, 'M'],
    [1e3, 'K'],
  ],
  'en-IN': [
    [1e7, 'Cr'],
    [1e5, 'L'],
    [1e3, 'K'],
  ],
  hi: [
    [1e7, '\u00a0क॰'],
    [1e5, '\u00a0लाख'],
    [1e3, '\u00a0हज़ार'],
  ],
};
type Step = [from: number, word: string];

/** Shorter units for narrow places, such as the bars of a chart. */
const narrow: Record<string, Step[]> = {
  hi: [
    [1e7, '\u00a0क॰'],
    [1e5, '\u00a0ला॰'],
    [1e3, '\u00a0ह॰'],
  ],
};

/**
 * A short form of a count: 1.2K, 3.4 लाख. The result equals the compact notation of `Intl.NumberFormat`, whose first use
 * on a phone takes longer than hydrating all tiles of Home. `narrow` is for rails and the bars of a chart.
 */
export function shortNumber(lang: string, count: number, style: 'short' | 'narrow' = 'short'): string {
  const of = (words: Record<string, Step[]>) => words[lang] ?? words[lang.replace(/-IN$/, '')];
  const words = (style === 'narrow' ? of(narrow) : undefined) ?? of(steps);
  if (!words || count >= 9e8 || !Number.isInteger(count) || count < 0)
    return new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 1 }).format(count);
  // A number that rounds up to the next unit uses that unit: 999,950 is 1M and not 1000K.
  for (const [place, [from, word]] of words.entries()) {
    const tenths = Math.round((count / from) * 10);
    const smaller = words[place + 1]?.[0] ?? 1;
    const roundsUpTo = Math.round((count / smaller) * 10) * smaller >= from * 10;
    if (count >= from || (smaller > 1 && roundsUpTo)) return `${tenths / 10}${word}`;
  }
  return String(count);
}
