import { Refusal } from '#server/platform/refusal.ts';

/** The place of a result in the order of its list: how well it matches, then whether it is among the first, its popularity, its age. */
export interface Position {
  rank: number;
  isTop: boolean;
  popularity: number;
  id: string;
}

export function writePosition({ rank, isTop, popularity, id }: Position): string {
  return Buffer.from(`${rank} ${isTop ? 1 : 0} ${popularity} ${id}`).toString('base64url');
}

const written = /^([0-4]) ([01]) (\d{1,9}) ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

export function readPosition(cursor: string | undefined): Position | undefined {
  if (!cursor) return undefined;
  const [, rank = '', isTop = '', popularity = '', id = ''] =
    written.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (!id) throw new Refusal('bad_cursor', {}, 'cursor');
  return { rank: Number(rank), isTop: isTop === '1', popularity: Number(popularity), id };
}
