import { pageBytes } from '#contract/fields.ts';
import { Refusal } from './refusal.ts';

/** The position after a page of a newest-first list: time and id of its last row. */
export interface Cursor {
  at: Date;
  id: string;
  /** For search results: the rank of the last one, where 0 is best. */
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
  // Only the form that we write: JavaScript accepts years that PostgreSQL does not.
  if (!/^\d{4}-/.test(time) || Number.isNaN(at.getTime()) || !uuid.test(id) || !/^\d$/.test(rank)) {
    throw new Refusal('bad_cursor', {}, 'cursor');
  }
  return { at, id, rank: Number(rank) };
}

/** The position after a page of a list of threads: that of its last row, and the row. */
export interface ThreadCursor {
  thread: string;
  id: string;
}

export const writeThreadCursor = ({ thread, id }: ThreadCursor): string =>
  Buffer.from(`${thread} ${id}`).toString('base64url');

export function readThreadCursor(text: string | undefined): ThreadCursor | undefined {
  if (!text) return undefined;
  const [thread = '', id = ''] = Buffer.from(text, 'base64url').toString().split(' ');
  if (!uuid.test(thread) || !uuid.test(id)) throw new Refusal('bad_cursor', {}, 'cursor');
  return { thread, id };
}

/** Bytes for the other fields of a response: counts, figures of a month, the cursor. */
const bytesBeside = 8_000;

/**
 * Makes a page of at most `limit` rows. `rows` has one row more if the list continues. The page ends early before it takes more
 * than `pageBytes`, but it holds at least one row of any size, since the list could not continue otherwise.
 */
export function pageOf<Row, Shown extends object>(
  rows: readonly Row[],
  limit: number,
  position: (row: Row) => Cursor,
  show: (row: Row) => Shown,
): { data: Shown[]; nextCursor: string | null } {
  return pageWithin(rows, { limit }, (row) => writeCursor(position(row)), show);
}

/** The same for a list with cursors of another form, or that is one of several `lists` of a response. */
export function pageWithin<Row, Shown extends object>(
  rows: readonly Row[],
  { limit, lists = 1 }: { limit: number; lists?: number },
  cursorAt: (row: Row) => string,
  show: (row: Row) => Shown,
): { data: Shown[]; nextCursor: string | null } {
  const data: Shown[] = [];
  let bytes = bytesBeside;
  for (const row of rows.slice(0, limit)) {
    const shown = show(row);
    bytes += Buffer.byteLength(JSON.stringify(shown)) + 1;
    if (bytes > pageBytes / lists && data.length > 0) break;
    data.push(shown);
  }
  const last = data.length < rows.length ? rows[data.length - 1] : undefined;
  return { data, nextCursor: last ? cursorAt(last) : null };
}
