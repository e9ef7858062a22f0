import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Params, type ReasonCode, sentenceOf, sentences } from '#contract/sentences.ts';
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
const all = Object.entries(sentences).flatMap(([key, said]) =>
  Object.entries(typeof said === 'string' ? { '': said } : said).map(([what, template]: [string, string]) => {
    const code = key as ReasonCode;
    const names = namesIn(template);
    const values = names.map((name, place) => [name, name === 'month' ? '2026-10' : 731 + place]);
    const params: Params = Object.fromEntries(what ? [['what', what], ...values] : values);
    return { code, params, error: sentenceOf({ code, params }) };
  }),
);

/** The names of the values of a template, or of a message. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/\{(\w+)(?:\}|, (?:number|date|select|plural)[,}])/g)].map(
    ([, name = '']) => name,
  );
}

describe('a reason of the server', () => {
  it('is shown as it is in English', () => {
    const i18n = i18nIn('en');
    for (const sentence of all) expect(reasonIn(i18n, sentence)).toBe(sentence.error);
  });

  it.each(others)('is translated to %s with its values', (language) => {
    const i18n = i18nIn(language);
    const latin = /[a-z]{2,} [a-z]{2,} [a-z]{2,}/i;
    for (const sentence of all) {
      const { code, params, error } = sentence;
      const said = reasonIn(i18n, sentence);
      expect(said, `${code}: ${error}`).not.toBe(error);
      expect(said, `${code}: ${error}`).not.toMatch(latin);
      for (const [name, value] of Object.entries(params))
        if (name !== 'what' && name !== 'month') expect(said, `${code}: ${error}`).toContain(String(value));
    }
  });

  it.each(others)('has the same values in %s, and no other code has a message', (language) => {
    const valuesOf = new Map<string, Set<string>>();
    for (const { code, params } of all)
      valuesOf.set(
        `error.${code}`,
        new Set([...(valuesOf.get(`error.${code}`) ?? []), ...Object.keys(params)]),
      );
    const messages = Object.entries(read(language)).filter(([id]) => id.startsWith('error.'));
    const translated = messages.map(
      ([id, message]) => [id, new Set(namesIn(message).filter((name) => name !== 'error'))] as const,
    );
    expect(new Map(translated)).toEqual(valuesOf);
  });

  it.each(others)('with a month has the month in %s', (language) => {
    const params = { month: '2026-10', earned: '0.52', least: '1.00' };
    const error = sentenceOf({ code: 'below_minimum', params });
    expect(error).toBe('October 2026 earned ₹0.52; a withdrawal starts at ₹1.00.');
    const said = reasonIn(i18nIn(language), { code: 'below_minimum', params, error });
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
  });
});
