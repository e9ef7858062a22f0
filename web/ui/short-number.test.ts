import { describe, expect, it } from 'vitest';
import { shortNumber } from './short-number.ts';

describe.each(['en', 'en-IN', 'hi', 'hi-IN'])('a short number in %s', (lang) => {
  const intl = new Intl.NumberFormat(lang, { notation: 'compact', maximumFractionDigits: 1 });

  it('equals that of Intl, from zero to billions, also where it rounds up to the next unit', () => {
    const near = (n: number) => [-1, 0, 1, 49, 50, 51].flatMap((by) => [n + by, n - by]);
    const counts = new Set<number>();
    for (let n = 0; n < 20_000; n++) counts.add(n);
    for (let power = 1e3; power <= 1e11; power *= 10)
      for (const part of [1, 1.05, 1.25, 1.95, 9.95, 9.995, 9.9995, 9.99995])
        for (const n of near(Math.round(power * part))) counts.add(n);
    for (let n = 20_011; n < 3e10; n = Math.ceil(n * 1.0037)) counts.add(n);
    for (const n of counts) if (n >= 0) expect([n, shortNumber(lang, n)]).toEqual([n, intl.format(n)]);
  });
});

it('uses Intl for a language without units of its own', () => {
  expect(shortNumber('de', 1_234_567)).toBe('1,2\u00a0Mio.');
});

describe('the narrow form', () => {
  it.each([
    ['en', 1400, '1.4K'],
    ['en-IN', 340_000, '3.4L'],
    ['hi', 999, '999'],
    ['hi', 1400, '1.4\u00a0ह॰'],
    ['hi-IN', 340_000, '3.4\u00a0ला॰'],
    ['hi', 21_000_000, '2.1\u00a0क॰'],
  ])('in %s %d is %s', (lang, count, words) => {
    expect(shortNumber(lang, count, 'narrow')).toBe(words);
  });
});
