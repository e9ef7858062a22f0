import { describe, expect, it } from 'vitest';
import { pageOf, readCursor, writeCursor } from './cursor.ts';
import { newId } from './ids.ts';

const id = newId(new Date(0));
const encoded = (text: string) => Buffer.from(text).toString('base64url');

it('a cursor is read as it was written', () => {
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
])('%s is not a valid cursor', (_, text) => {
  expect(() => readCursor(encoded(text))).toThrowError('start from the first page');
});

describe('a page', () => {
  const rows = Array.from({ length: 6 }, (_, place) => ({ at: new Date(place), id: newId(new Date(place)) }));
  const position = (row: (typeof rows)[number]) => row;

  it('has the requested number of rows, and a cursor only if there are more', () => {
    const shown = (limit: number) => pageOf(rows, limit, position, ({ id }) => ({ id }));
    expect(shown(5).data).toHaveLength(5);
    expect(readCursor(shown(5).nextCursor ?? undefined)).toEqual({ ...rows[4], rank: 0 });
    expect(shown(6)).toMatchObject({ data: rows.map(({ id }) => ({ id })), nextCursor: null });
    expect(pageOf([], 5, position, ({ id }) => ({ id }))).toEqual({ data: [], nextCursor: null });
  });

  it('ends before the size limit in bytes, and the next page continues after its last row', () => {
    const page = pageOf(rows, 6, position, () => ({ text: 'झ'.repeat(50_000) }));
    expect(page.data).toHaveLength(2);
    expect(readCursor(page.nextCursor ?? undefined)).toEqual({ ...rows[1], rank: 0 });
  });

  it('has only one row if that row is above the size limit', () => {
    const page = pageOf(rows, 6, position, () => ({ text: 'x'.repeat(500_000) }));
    expect(page.data).toHaveLength(1);
    expect(readCursor(page.nextCursor ?? undefined)).toEqual({ ...rows[0], rank: 0 });
  });
});
