import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { paramsOf, sentences } from '#contract/sentences.ts';
import { compiledMessage } from '#tools/compile-messages.ts';
import { newI18n } from './catalogues.ts';
import { reasonIn } from './reasons.ts';

const here = new URL('.', import.meta.url);
const languages = readdirSync(here)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length));
const others = languages.filter((language) => language !== 'en');

const read = (language: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`${language}.json`, here), 'utf8'));
const i18nIn = (language: string) =>
  newI18n({
    locale: language,
    messages: {
      [language]: Object.fromEntries(
        Object.entries(read(language)).map(([id, message]) => [id, compiledMessage(message)]),
      ),
    },
  });

/** Every sentence of the server as it appears in a response, with values that can be recognized in translations. */
const all = Object.entries(sentences).flatMap(([code, said]) =>
  Object.values(typeof said === 'string' ? [said] : said).map((template: string) => {
    const values: string[] = [];
    const error = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = name === 'month' ? 'October 2026' : `${731 + values.length}`;
      values.push(value);
      return value;
    });
    return { code, error, values: values.filter((value) => value !== 'October 2026') };
  }),
);

describe('a reason of the server', () => {
  it('is shown as it is in English', () => {
    const i18n = i18nIn('en');
    for (const { code, error } of all)
      expect(reasonIn(i18n, { code, error, params: paramsOf(code, error) })).toBe(error);
  });

  it.each(others)('is translated to %s with its values', (language) => {
    const i18n = i18nIn(language);
    const latin = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i;
    for (const { code, error, values } of all) {
      const said = reasonIn(i18n, { code, error, params: paramsOf(code, error) });
      expect(said, `${code}: ${error}`).not.toBe(error);
      expect(said, `${code}: ${error}`).not.toMatch(latin);
      for (const value of values) expect(said, `${code}: ${error}`).toContain(value);
    }
  });

  it.each(others)('with a month has the month in %s', (language) => {
    const error = 'October 2026 earned ₹0.52; a withdrawal starts at ₹1.00.';
    const said = reasonIn(i18nIn(language), {
      code: 'below_minimum',
      error,
      params: paramsOf('below_minimum', error),
    });
    const label = new Intl.DateTimeFormat(language, { month: 'long', year: 'numeric', timeZone: 'UTC' });
    expect(said).toContain(label.format(new Date('2026-10-01')));
    expect(said).toContain('₹0.52');
    expect(said).toContain('₹1.00');
  });

  it.each(others)('without a translation to %s is shown as the server sent it', (language) => {
    const i18n = i18nIn(language);
    const error = 'Something newer.';
    expect(reasonIn(i18n, { code: 'not_known', error, params: {} })).toBe(error);
    expect(reasonIn(i18n, { code: 'not_found', error, params: { what: 'newer' } })).toBe(error);
    expect(reasonIn(i18n, { code: 'not_found', error })).toBe(error);
    expect(reasonIn(i18n, { code: 'video_too_long', error })).toBe(error);
  });
});
