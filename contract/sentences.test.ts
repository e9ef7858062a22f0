import { globSync, readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { type ZodType, z } from 'zod';
import { endpoints } from '#testing/endpoints.ts';
import { errorStatus } from './errors.ts';
import { reasonIn } from './invalid.ts';
import { type ParamsArgument, type Reason, sentenceOf, sentences } from './sentences.ts';

describe('the sentence of a reason', () => {
  it.each<[Reason, string]>([
    [{ code: 'username_taken', params: {} }, 'This username is already taken.'],
    [{ code: 'email_taken', params: { what: 'sign_up' } }, 'An account with this email already exists.'],
    [
      { code: 'amount_differs', params: { month: '2026-10', earned: '1.10', asked: 1.1 } },
      'October 2026 earned ₹1.10, not ₹1.1; please reload and try again.',
    ],
    [
      { code: 'withdrawal_decided', params: { what: 'rejected', reason: '$& {reason}' } },
      'This withdrawal was already rejected: $& {reason}',
    ],
  ])('has the values: %j', (reason, sentence) => {
    expect(sentenceOf(reason)).toBe(sentence);
  });
});

it('the values of a refusal are those of its sentence', () => {
  expectTypeOf<ParamsArgument<'username_taken'>>().toEqualTypeOf<[values?: Record<string, never>]>();
  expectTypeOf<ParamsArgument<'video_too_long'>>().toEqualTypeOf<[values: { minutes: string | number }]>();
  type NotOver = ParamsArgument<'month_not_over'>;
  expectTypeOf<[{ what: 'future'; month: string }]>().toExtend<NotOver>();
  expectTypeOf<[{ what: 'later'; month: string }]>().not.toExtend<NotOver>();
  expectTypeOf<[{ what: 'future' }]>().not.toExtend<NotOver>();
});

const root = new URL('../', import.meta.url);

it('every code has sentences, each only once', () => {
  for (const code of Object.keys(errorStatus)) expect(sentences).toHaveProperty(code);
  for (const [code, said] of Object.entries(sentences)) {
    const all = typeof said === 'string' ? [said] : Object.values(said);
    expect(new Set(all).size, code).toBe(all.length);
  }
});

/** All messages of a schema for invalid values, in the contract's own words. */
function wordsOf(schema: ZodType, seen = new Set<unknown>()): string[] {
  if (seen.has(schema)) return [];
  seen.add(schema);
  const words: string[] = [];
  const walk = (value: unknown): void => {
    if (value instanceof z.ZodType) words.push(...wordsOf(value, seen));
    else if (Array.isArray(value)) value.forEach(walk);
    else if (typeof value === 'object' && value !== null && !seen.has(value)) {
      seen.add(value);
      const inner = (value as { _zod?: { def: unknown } })._zod;
      if (inner) walk(inner.def);
      else Object.values(value).forEach(walk);
    }
  };
  const { error, ...def } = schema._zod.def as { error?: unknown };
  for (const one of [error, ...errorsOf(def)])
    if (typeof one === 'function') words.push(String(one({ input: {} })));
  walk(def);
  return words;
}

const errorsOf = (def: { checks?: { _zod: { def: { error?: unknown } } }[] }) =>
  (def.checks ?? []).map((check) => check._zod.def.error);

describe('the messages of validation', () => {
  const words = new Set(
    endpoints.flatMap(({ params, query, body }) =>
      [params, query, body].flatMap((one) => (one ? wordsOf(one) : [])),
    ),
  );

  it('exist', () => {
    expect(endpoints.length).toBeGreaterThan(60);
    expect(words.size).toBeGreaterThan(40);
  });

  it('are sentences of the list, so that every language has them', () => {
    for (const word of words) {
      const reason = reasonIn(word);
      expect(reason && sentenceOf(reason), word).toMatch(/^(?!.*undefined).+/);
    }
  });
});

it('no other file of the server or the contract has one of the sentences', () => {
  const files = globSync('{server,contract}/**/*.ts', { cwd: root }).filter(
    (name) => !/test\.ts$|sentences\.ts$/.test(name),
  );
  expect(files.length).toBeGreaterThan(300);
  const code = files.map((name) => readFileSync(new URL(name, root), 'utf8')).join('\n');
  /** What a sentence has between its values, from three words on. */
  const parts = Object.values(sentences)
    .flatMap((said) => Object.values(typeof said === 'string' ? [said] : said))
    .flatMap((template: string) => template.split(/\{\w+\}/).map((part) => part.trim()))
    .filter((part) => part.split(' ').length > 3);
  expect(parts.filter((part) => code.includes(part))).toEqual([]);
});
