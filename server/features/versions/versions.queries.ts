import type { Insertable, Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export async function hasOpenReport(db: Kysely<Tables>, kind: 'reel' | 'post', id: string): Promise<boolean> {
  const row = await db
    .selectFrom('cases')
    .select('id')
    .where('kind', '=', kind)
    .where('target_id', '=', id)
    .where('closed_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function insertVersion(db: Kysely<Tables>, version: Insertable<Tables['work_versions']>) {
  await db.insertInto('work_versions').values(version).execute();
}

export function listVersions(db: Kysely<Tables>, workId: string, limit: number, after: Cursor | undefined) {
  let query = db
    .selectFrom('work_versions')
    .select(['id', 'kind', 'words', 'replaced_at'])
    .where('work_id', '=', workId)
    .orderBy('replaced_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after) query = query.where(sql<boolean>`(replaced_at, id) < (${after.at}, ${after.id})`);
  return query.execute();
}

export type VersionRow = Awaited<ReturnType<typeof listVersions>>[number];

/** How many versions these works have, without those that have none. */
export function countVersions(db: Kysely<Tables>, workIds: string[]) {
  return db
    .selectFrom('work_versions')
    .select(({ fn }) => ['work_id', fn.countAll<number>().as('versions')])
    .where(sql<boolean>`work_id = any(${workIds}::uuid[])`)
    .groupBy('work_id')
    .execute();
}

export async function deleteVersions(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('work_versions').where('replaced_at', '<', before).execute();
}
