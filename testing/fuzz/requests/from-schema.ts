import fc, { type Arbitrary } from 'fast-check';
import { naughtyStrings } from '../naughty-strings.ts';
import type { Schema } from './document.ts';

/** Values that exist on the site, by the name of their field. */
export type Known = (field: string) => readonly string[];

/** Strings that PostgreSQL, UTF-8 and JSON treat differently, or that have broken software before. */
export const oddStrings: readonly string[] = [
  '\u0000',
  'a\u0000b',
  '\ud800',
  'x\udfffx',
  '\uffff\ufffe',
  '%00',
  '%',
  '%ff%fe',
  '__proto__',
  'constructor',
  '  ',
  '-1',
  '1e400',
  'NaN',
  'null',
  '\\',
  "'; drop table people; --",
  '{"a":1}',
  '🏳️‍🌈'.repeat(9),
  'İ'.repeat(20),
  ...naughtyStrings,
];

/** Generates values that match a schema, odd or ordinary; half of them existing values, if there are any of that name. */
export function valuesOf(schema: Schema, known: Known, field = ''): Arbitrary<unknown> {
  const found = known(field);
  const values = plainly(schema, known, field);
  return found.length > 0 && schema.type === 'string'
    ? fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...found) }, { weight: 1, arbitrary: values })
    : values;
}

function plainly(schema: Schema, known: Known, field: string): Arbitrary<unknown> {
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => valuesOf(one, known, field)));
  switch (schema.type) {
    case 'string':
      return texts(schema);
    case 'integer':
      return fc.integer({
        min: schema.minimum ?? Number.MIN_SAFE_INTEGER,
        max: schema.maximum ?? Number.MAX_SAFE_INTEGER,
      });
    case 'number':
      return fc.double({ noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valuesOf(schema.items ?? {}, known), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? 5, (schema.minItems ?? 0) + 5),
      });
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(schema.properties ?? {}).map(([name, one]) => [name, valuesOf(one, known, name)]),
        ),
        { requiredKeys: schema.required ?? [] },
      );
    default:
      return fc.jsonValue();
  }
}

function texts({ format, pattern, minLength = 0, maxLength = 300 }: Schema): Arbitrary<string> {
  if (format === 'uuid') return fc.uuid();
  if (pattern?.includes('\\p'))
    return fc.string({
      unit: fc.constantFrom(...'abzAZ09._-éßİıñक्षิ日𠜎'),
      minLength: Math.max(1, minLength),
      maxLength,
    });
  if (pattern) return fc.stringMatching(new RegExp(pattern));
  const fits = oddStrings.filter((one) => one.length >= minLength && one.length <= maxLength);
  return fc.oneof(
    fc.string({ minLength, maxLength: Math.min(maxLength, 60) }),
    fc.string({ unit: 'binary', minLength, maxLength: Math.min(maxLength, 60) }),
    fc.constantFrom(...fits),
    fc.constant('म'.repeat(maxLength)),
  );
}
