import { type Kysely, sql, type Transaction } from 'kysely';
import type { Rendition, Tables, WorkKind } from '#server/platform/database/tables.ts';

const tables = { post: 'posts', story: 'stories', reel: 'reels' } as const;

export interface Unprinted {
  kind: WorkKind;
  id: string;
  ownerId: string;
}

/** This many works without a print, newest first. */
export function listUnprinted(db: Kysely<Tables>, limit: number): Promise<Unprinted[]> {
  return db
    .selectFrom('unprinted_works')
    .select(['kind', 'work_id as id', 'creator_id as ownerId'])
    .orderBy('work_id', 'desc')
    .limit(limit)
    .execute();
}

/** The folder of such a work; undefined if it needs no print. Works that are taken down also get one. */
export async function findUnprinted(
  db: Kysely<Tables>,
  { kind, id, ownerId }: Unprinted,
): Promise<{ media_key: string; renditions: Rendition[] } | undefined> {
  const renditions = kind === 'reel' ? sql`renditions` : sql`'[]'::jsonb`;
  const { rows } = await sql<{ media_key: string; renditions: Rendition[] }>`
    select media_key, ${renditions} as renditions from ${sql.table(tables[kind])} work
    join unprinted_works u on u.creator_id = work.creator_id and u.work_id = work.id
    where work.creator_id = ${ownerId} and work.id = ${id} and deleted_at is null`.execute(db);
  return rows[0];
}

/** Prevents the deletion of a work during this transaction; false if it is deleted. */
export async function lockWork(trx: Transaction<Tables>, { kind, id, ownerId }: Unprinted): Promise<boolean> {
  const { rows } = await sql`
    select id from ${sql.table(tables[kind])} where id = ${id} and creator_id = ${ownerId} and deleted_at is null
    for no key update`.execute(trx);
  return rows.length > 0;
}

/** Removes a work from the list; false if it was not on it. */
export async function takeUnprinted(
  db: Kysely<Tables>,
  { id, ownerId }: Pick<Unprinted, 'id' | 'ownerId'>,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('unprinted_works')
    .where('creator_id', '=', ownerId)
    .where('work_id', '=', id)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

export async function deleteUnprintedOf(trx: Transaction<Tables>, creatorId: string): Promise<void> {
  await trx.deleteFrom('unprinted_works').where('creator_id', '=', creatorId).execute();
}
