import { type Kysely, sql, type Transaction } from 'kysely';
import { isAmong } from '#server/platform/database/among-works.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { byShard } from '../works/shards.ts';
import { putWorks, type Work } from '../works/works.ts';

/** Waits for watched views of these reels that are being recorded. */
export async function lockTouched(db: Kysely<Tables>, personId: string): Promise<void> {
  const { rows } = await sql<Work>`
    select id, creator_id from reels where creator_id = ${personId}
    union all select reel_id, creator_id from reel_likes where person_id = ${personId}
    union all select reel_id, creator_id from reel_shares where person_id = ${personId}
    union all select reel_id, creator_id from reel_comments where person_id = ${personId}`.execute(db);
  for (const reels of await byShard(db, rows))
    await sql`select id from reels where ${isAmong(reels)} order by id for update`.execute(db);
}

const counts = {
  reel_likes: 'like_count',
  reel_comments: 'comment_count',
  reel_shares: 'share_count',
} as const;

/** Deletes all likes, comments or shares of a person. A cluster deletes them in a statement of their own. */
export async function deleteAllOf(
  db: Kysely<Tables>,
  table: keyof typeof counts,
  personId: string,
): Promise<void> {
  const removed = await db
    .deleteFrom(table)
    .where('person_id', '=', personId)
    .returning(['reel_id', 'creator_id'])
    .execute();
  const column = sql.ref(counts[table]);
  const [ids, creatorIds] = [
    removed.map(({ reel_id }) => reel_id),
    removed.map(({ creator_id }) => creator_id),
  ];
  await sql`
    update reels set ${column} = ${column} - many from (
      select id, creator_id, count(*) as many from unnest(${ids}::uuid[], ${creatorIds}::uuid[]) one (id, creator_id) group by 1, 2
    ) removed where reels.creator_id = removed.creator_id and reels.id = removed.id`.execute(db);
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
export async function emptyReels(trx: Transaction<Tables>, creatorId: string, now: Date): Promise<void> {
  const emptied = await trx
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
    .returning(['id', 'creator_id'])
    .execute();
  await putWorks(trx, 'reel', emptied);
}
