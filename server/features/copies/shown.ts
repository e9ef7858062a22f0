import type { Kysely } from 'kysely';
import type { Copy } from '#contract/copies.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import * as queries from './copies.queries.ts';

/** Which of these works of a creator were taken for copies, by id. Copies that were only recorded are left out. */
export async function copiesOf(
  db: Kysely<Tables>,
  which: { creatorId: string; ids: readonly string[] },
  now: Date,
): Promise<Map<string, Copy>> {
  const rows = await queries.listCopies(db, which, now);
  return new Map(rows.filter(isTakenForCopy).map((row) => [row.work_id, asCopy(row)]));
}

/** The same for one work; null if it was not taken for a copy. */
export async function copyOf(
  { db, clock }: Context<'db' | 'clock'>,
  creatorId: string,
  id: string,
): Promise<Copy | null> {
  return (await copiesOf(db, { creatorId, ids: [id] }, clock())).get(id) ?? null;
}

/** Whether it pays nothing or waits, or was reviewed. */
export const isTakenForCopy = ({ duplicate, asked_at, decided_at }: queries.CopyRow) =>
  duplicate || asked_at !== null || decided_at !== null;

export function asCopy(row: queries.CopyRow): Copy {
  return {
    of: row.original_is_public ? originalOf(row) : null,
    state: row.verdict ?? (row.asked_at ? 'asked' : 'found'),
    reason: row.reason,
  };
}

/** The earlier work, if it still exists or is taken down. */
export function originalOf(row: queries.CopyRow): NonNullable<Copy['of']> | null {
  const { original_kind: kind, original_id: _id, original_creator_id: userId } = row;
  if (!kind || !_id || !userId) return null;
  return { kind, _id, userId, username: row.original_username ?? '' };
}
