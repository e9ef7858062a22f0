import { expect, it } from 'vitest';
import { readCursor, writeCursor } from './cursor.ts';
import { newId } from './ids.ts';

const id = newId(new Date(0));
const encoded = (text: string) => Buffer.from(text).toString('base64url');

it('a page ends where it is said to', () => {
  const at = new Date('2026-11-21T19:20:00.123Z');
  expect(readCursor(writeCursor({ at, id, rank: 1 }))).toEqual({ at, id, rank: 1 });
  expect(readCursor(undefined)).toBeUndefined();
});

it.each([
  ['no time', `then ${id} 0`],
  ['no id', '2026-11-21T19:20:00.123Z 7 0'],
  ['a rank that is none', `2026-11-21T19:20:00.123Z ${id} -1`],
  ['a year that PostgreSQL does not know', `${new Date(-8.64e15).toISOString()} ${id} 0`],
  ['a year with a sign', `${new Date(8.64e15).toISOString()} ${id} 0`],
])('%s is not a page of ours', (_, text) => {
  expect(() => readCursor(encoded(text))).toThrowError('start from the first page');
});
