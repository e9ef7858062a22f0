import { Refusal } from './refusal.ts';

/** Where a page of a newest-first list ended: the last row's time and id. */
export interface Cursor {
  at: Date;
  id: string;
  /** In a list of better and worse finds, how good the last one was: 0 is best. */
  rank?: number;
}

export function writeCursor({ at, id, rank = 0 }: Cursor): string {
  return Buffer.from(`${at.toISOString()} ${id} ${rank}`).toString('base64url');
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export function readCursor(text: string | undefined): Cursor | undefined {
  if (!text) return undefined;
  const [time = '', id = '', rank = '0'] = Buffer.from(text, 'base64url').toString().split(' ');
  const at = new Date(time);
  // As we write it: JavaScript knows years that PostgreSQL does not.
  if (!/^\d{4}-/.test(time) || Number.isNaN(at.getTime()) || !uuid.test(id) || !/^\d$/.test(rank)) {
    throw new Refusal(
      'bad_cursor',
      'This page of the list was not found. Please start from the first page.',
      'cursor',
    );
  }
  return { at, id, rank: Number(rank) };
}

/** Cuts the one row too many that tells whether there is a next page. */
export function cutPage<Row>(rows: Row[], limit: number, position: (row: Row) => Cursor) {
  const kept = rows.slice(0, limit);
  const last = rows.length > limit ? kept.at(-1) : undefined;
  const end = last ? position(last) : undefined;
  return { rows: kept, nextCursor: end ? writeCursor(end) : null };
}
