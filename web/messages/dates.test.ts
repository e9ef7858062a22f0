import { afterEach, describe, expect, it } from 'vitest';
import { compiledMessage } from '#tools/compile-messages.ts';
import { newI18n } from './catalogues.ts';
import { dateIn, setTimeZone } from './dates.ts';

afterEach(() => setTimeZone('Asia/Kolkata'));

const at = new Date('2026-11-22T10:38:00Z');

describe('a date', () => {
  it.each([
    ['en', 'day', '22 Nov 2026'],
    ['en', 'moment', '22 Nov 2026, 4:08 pm'],
    ['hi', 'day', '22 नव॰ 2026'],
    ['hi', 'moment', '22 नव॰ 2026, 4:08 pm'],
  ] as const)('in %s as a %s is %s', (lang, style, words) => {
    expect(dateIn(lang, style, at)).toBe(words);
  });

  it('is in the time zone of the site', () => {
    const late = new Date('2026-11-22T20:00:00Z');
    expect(dateIn('en', 'moment', late)).toBe('23 Nov 2026, 1:30 am');
    setTimeZone('America/New_York');
    expect(dateIn('en', 'moment', late)).toBe('22 Nov 2026, 3:00 pm');
  });

  it.each([undefined, 'en-IN'])('has the same form inside a message, with the digits of %s', (locales) => {
    const messages = { en: { said: compiledMessage('{at, date, day} | {at, date, moment}') } };
    const i18n = newI18n({ locale: 'en', ...(locales && { locales }), messages });
    expect(i18n._('said', { at })).toBe('22 Nov 2026 | 22 Nov 2026, 4:08 pm');
  });
});
