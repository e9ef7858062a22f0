import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

const tables = { post: 'posts', story: 'stories', reel: 'reels' } as const;
export type ExtraKind = keyof typeof tables;

export interface Unmade {
  kind: ExtraKind;
  id: string;
  ownerId: string;
}

/** Public photos and reels for which no extra files were tried yet. */
const unmade = (kind: ExtraKind) => sql`
  from ${sql.table(tables[kind])} as one join people on people.id = creator_id
  where extra_files is null and deleted_at is null and taken_down_at is null and suspended_at is null
    ${kind === 'reel' ? sql`and state = 'ready'` : sql``}`;

/** The folder of such a photo or reel, and a photo's widths; undefined if there is none with this id. */
export async function findUnmade(
  db: Kysely<Tables>,
  kind: ExtraKind,
  id: string,
): Promise<{ media_key: string; widths: number[] } | undefined> {
  const widths = kind === 'reel' ? sql`'{}'::integer[]` : sql.ref('widths');
  const { rows } = await sql<{ media_key: string; widths: number[] }>`
    select media_key, ${widths} as widths ${unmade(kind)} and one.id = ${id}`.execute(db);
  return rows[0];
}

/** This many of them, newest first. */
export async function listUnmade(db: Kysely<Tables>, limit: number): Promise<Unmade[]> {
  const newest = (kind: ExtraKind) => sql`
    (select ${sql.lit(kind)} as kind, one.id, creator_id as "ownerId" ${unmade(kind)}
      order by one.id desc limit ${limit})`;
  const { rows } = await sql<Unmade>`
    ${sql.join([newest('post'), newest('story'), newest('reel')], sql` union all `)}
    order by id desc limit ${limit}`.execute(db);
  return rows;
}

/**
 * Stores what was made, once; undefined if that was done before, or the photo or reel is deleted. Returns the owner.
 */
export function note(
  db: Kysely<Tables>,
  kind: ExtraKind,
  id: string,
  made: { key: string; files: Record<string, number> } | null,
) {
  return db
    .updateTable(tables[kind])
    .set({ extra_key: made?.key ?? null, extra_files: made?.files ?? {} })
    .where('id', '=', id)
    .where('extra_files', 'is', null)
    .where('deleted_at', 'is', null)
    .where(kind === 'reel' ? sql<boolean>`state = 'ready'` : sql<boolean>`true`)
    .returning(['creator_id', 'taken_down_at'])
    .executeTakeFirst();
}
