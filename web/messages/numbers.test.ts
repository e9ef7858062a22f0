import { describe, expect, it } from 'vitest';
import { languages } from '#contract/languages.ts';
import { randomFrom } from '#testing/random.ts';
import { compiledMessage } from '#tools/compile-messages.ts';
import { newI18n } from './catalogues.ts';
import { grouped, pluralForm } from './numbers.ts';

const random = randomFrom(20_261_128);
const numbers = [
  ...[0, 1, 2, 99, 999, 1000, 99_999, 100_000, 1e15, -1, -1234, 0.5, 1.5, 1234.56],
  ...Array.from({ length: 200 }, () => Math.floor(random(10 ** Math.ceil(random(15))))),
];

describe.each(['en', 'en-IN', 'hi', 'hi-IN'])('in %s', (locale) => {
  it('a number has its groups of digits as Intl writes them', () => {
    const own = numbers.map((number) => grouped(locale, number));
    expect(own).toEqual(numbers.map((number) => new Intl.NumberFormat(locale).format(number)));
  });

  it('a number has the form of the word that Intl.PluralRules gives', () => {
    const own = numbers.map((number) => pluralForm(locale, number));
    expect(own).toEqual(numbers.map((number) => new Intl.PluralRules(locale).select(number)));
  });
});

describe('a message with a plural', () => {
  const say = (message: string, values: Record<string, unknown>, locale = 'en') =>
    newI18n({ locale, messages: { [locale]: { said: compiledMessage(message) } } })._('said', values);

  it('says the number by # or by name, inside another choice, too', () => {
    const message =
      '{more, select, yes {over {count, number}} other {{count, plural, one {# view} other {# views of {all, number}}}}}';
    expect(say(message, { more: 'yes', count: 1200 })).toBe('over 1,200');
    expect(say(message, { more: 'no', count: 1, all: 9 })).toBe('1 view');
    expect(say(message, { more: 'no', count: 1200, all: 9000 })).toBe('1,200 views of 9,000');
  });

  it('prefers the numbers that it names', () => {
    const message = '{count, plural, =0 {none} one {# post} =100 {100 or more} other {# posts}}';
    expect([0, 1, 2, 100].map((count) => say(message, { count }))).toEqual([
      'none',
      '1 post',
      '2 posts',
      '100 or more',
    ]);
  });

  it('says the general form of what is no number', () => {
    expect(say('{count, plural, one {one} other {others}}', {})).toBe('others');
  });

  it.each(languages)('knows the forms of %s: another language needs its own rule', (lang) => {
    expect(['en', 'hi']).toContain(lang);
  });
});
