import { describe, expect, it } from 'vitest';
import { type ZodType, z } from 'zod';
import { endpoints } from '#testing/endpoints.ts';
import { errorStatus } from './errors.ts';
import { paramsOf, reasonOf, sentences } from './sentences.ts';

describe('the params of a sentence', () => {
  it.each([
    ['email_taken', 'An account with this email already exists.', { what: 'sign_up' }],
    ['username_taken', 'This username is already taken.', {}],
    ['video_too_long', 'This video is longer than 3 minutes; please choose a shorter one.', { minutes: 3 }],
    [
      'amount_differs',
      'October 2026 earned ₹1.10, not ₹1.1; please reload and try again.',
      { month: '2026-10', earned: '1.10', asked: 1.1 },
    ],
    [
      'withdrawal_decided',
      'This withdrawal was already rejected: a\nb',
      { what: 'rejected', reason: 'a\nb' },
    ],
    [
      'captions_invalid',
      'The caption at line 7 has more than 500 characters.',
      { what: 'long', line: 7, most: 500 },
    ],
  ])('of %s: %s', (code, sentence, params) => {
    expect(paramsOf(code, sentence)).toEqual(params);
    expect(reasonOf(sentence)).toEqual({ code, params });
  });

  it('are undefined if the sentence is not one of the code’s, or there is none', () => {
    expect(paramsOf('username_taken', 'An account with this email already exists.')).toBeUndefined();
    expect(paramsOf('not_a_code', 'This username is already taken.')).toBeUndefined();
    expect(paramsOf('username_taken', 'This username is already taken. Or so.')).toBeUndefined();
    expect(reasonOf('A reason that an operator wrote.')).toBeUndefined();
  });
});

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
    expect(words).toContain('Please enter a valid email address.');
  });

  it('are among the sentences, so that every language has them', () => {
    const codes = ['invalid_input', 'missing_fields', 'password_mismatch'];
    const known = (sentence: string) => codes.some((code) => paramsOf(code, sentence));
    expect([...words].filter((sentence) => !known(sentence))).toEqual([]);
  });
});
