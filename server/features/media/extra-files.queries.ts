import { type Kysely, sql } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

/** Photos that people look at. */
const tables = { post: 'posts', story: 'stories' } as const;
export type PhotoKind = keyof typeof tables;

export interface Unmade {
  kind: PhotoKind;
  id: string;
  ownerId: string;
}

/** Of a public photo with which nothing has been tried yet; undefined where there is none of this id. */
export function findUnmade(db: Kysely<Tables>, kind: PhotoKind, id: string) {
  return db
    .selectFrom(tables[kind])
    .innerJoin('people', 'people.id', 'creator_id')
    .select(['media_key', 'widths'])
    .where(`${tables[kind]}.id`, '=', id)
    .where('extra_files', 'is', null)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
}

/** So many public photos with which nothing has been tried yet, the newest first. */
export async function listUnmade(db: Kysely<Tables>, limit: number): Promise<Unmade[]> {
  const { rows } = await sql<Unmade>`
    select kind, id, creator_id as "ownerId" from (
      (select 'post' as kind, posts.id, creator_id from posts join people on people.id = creator_id
        where extra_files is null and deleted_at is null and taken_down_at is null and suspended_at is null
        order by posts.id desc limit ${limit})
      union all
      (select 'story', stories.id, creator_id from stories join people on people.id = creator_id
        where extra_files is null and deleted_at is null and taken_down_at is null and suspended_at is null
        order by stories.id desc limit ${limit})
    ) as unmade order by id desc limit ${limit}`.execute(db);
  return rows;
}

/** Notes what was made, once; false where it was before, or the photo is deleted. */
export async function note(
  db: Kysely<Tables>,
  kind: PhotoKind,
  id: string,
  made: { key: string; files: Record<string, number> } | null,
): Promise<boolean> {
  const result = await db
    .updateTable(tables[kind])
    .set({ extra_key: made?.key ?? null, extra_files: JSON.stringify(made?.files ?? {}) })
    .where('id', '=', id)
    .where('extra_files', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
