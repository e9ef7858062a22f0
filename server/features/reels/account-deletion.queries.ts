import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** Waits for watched views of these reels that are being recorded. */
export async function lockTouched(db: Kysely<Tables>, personId: string): Promise<void> {
  const { rows } = await sql<{ reel_id: string }>`
    select reel_id from reel_likes where person_id = ${personId}
    union all select reel_id from reel_shares where person_id = ${personId}`.execute(db);
  await sql`
    select id from reels where id in (
      select id from reels where creator_id = ${personId}
      union all select unnest(${rows.map(({ reel_id }) => reel_id)}::uuid[])
      union all select reel_id from reel_comments where person_id = ${personId}
    ) order by id for update`.execute(db);
}

/** Deletes all likes, or all shares, of a person. A cluster deletes them in a statement of their own. */
export async function deleteAllOf(
  db: Kysely<Tables>,
  table: 'reel_likes' | 'reel_shares',
  personId: string,
): Promise<void> {
  const removed = await db.deleteFrom(table).where('person_id', '=', personId).returning('reel_id').execute();
  const column = table === 'reel_likes' ? 'like_count' : 'share_count';
  await db
    .updateTable('reels')
    .set((eb) => ({ [column]: eb(column, '-', 1) }))
    .where(sql<boolean>`id = any(${removed.map(({ reel_id }) => reel_id)}::uuid[])`)
    .execute();
}

export async function deleteComments(db: Kysely<Tables>, personId: string): Promise<void> {
  await sql`
    with removed as (delete from reel_comments where person_id = ${personId} returning reel_id),
    counted as (select reel_id, count(*) as comments from removed group by reel_id)
    update reels set comment_count = comment_count - comments from counted where reels.id = counted.reel_id`.execute(
    db,
  );
}

/** A person's reels that are not deleted. */
export function listStanding(db: Kysely<Tables>, creatorId: string) {
  return db
    .selectFrom('reels')
    .select(['id', 'categories', 'state', 'duplicate', 'unpaid', 'published_at', 'taken_down_at'])
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .execute();
}

/** Deletes all of a creator's reels, and erases the content of reels deleted before. */
export async function emptyReels(db: Kysely<Tables>, creatorId: string, now: Date): Promise<void> {
  await db
    .updateTable('reels')
    .set((eb) => ({
      deleted_at: eb.fn.coalesce('deleted_at', eb.val(now)),
      caption: '',
      credit: '',
      source_url: '',
      categories: [],
      placeholder: '',
      failure: null,
      failure_reason: null,
      thumbnail_key: null,
      cover_key: null,
      cover_second: null,
    }))
    .where('creator_id', '=', creatorId)
    .execute();
}
