import type { Kysely } from 'kysely';
import type { Copy } from '#contract/copies.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import * as queries from './copies.queries.ts';

/** Which of these works of a creator were taken for copies, by id. */
export async function copiesOf(
  db: Kysely<Tables>,
  which: { creatorId: string; ids: readonly string[] },
  now: Date,
): Promise<Map<string, Copy>> {
  const rows = await queries.listCopies(db, which, now);
  return new Map(rows.map((row) => [row.work_id, asCopy(row)]));
}

/** The same for one work; null if it was not taken for a copy. */
export async function copyOf(
  { db, clock }: Context<'db' | 'clock'>,
  creatorId: string,
  id: string,
): Promise<Copy | null> {
  return (await copiesOf(db, { creatorId, ids: [id] }, clock())).get(id) ?? null;
}

/** Its creator sees the earlier work as long as that is public, and always if it is their own. */
export function asCopy(row: queries.CopyRow): Copy {
  const isShown = row.original_is_public || row.original_creator_id === row.creator_id;
  const isUndecided = row.asked_at ? 'asked' : 'found';
  return {
    of: isShown ? originalOf(row) : null,
    state: row.taken_down_as === 'waiting' ? 'waiting' : (row.verdict ?? isUndecided),
    reason: row.reason,
  };
}

export const originalOf = (row: queries.CopyRow): NonNullable<Copy['of']> => ({
  kind: row.original_kind,
  _id: row.original_id,
  userId: row.original_creator_id,
  username: row.original_username ?? '',
  publishedAt: row.original_published_at.toISOString(),
  deletedAt: row.original_deleted_at?.toISOString() ?? null,
});
