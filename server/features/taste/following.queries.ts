import { type Kysely, sql } from 'kysely';
import type { Cursor } from '#server/platform/cursor.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/**
 * The newest public reels of the people whom somebody follows, after the cursor. Only so many people as reels can have one among them: those
 * whose newest reel is the newest; and of these only reels that are as new as the newest one of the last of them. So each followed person costs
 * one look into the index, and few of them more.
 */
export async function listFollowed(
  db: Kysely<Tables>,
  followerId: string,
  limit: number,
  after: Cursor | undefined,
): Promise<{ id: string; published_at: Date }[]> {
  const isWanted = sql`w.kind = 'reel' and w.published_at is not null
    and ${after ? sql`(w.published_at, w.id) < (${after.at}, ${after.id})` : sql`true`}`;
  const { rows } = await sql<{ id: string; published_at: Date }>`
    with creators as materialized (
      select newest.creator_id as id, newest.published_at from (
        select first.* from follows f, lateral (
          select w.creator_id, w.published_at, w.id from works w where w.creator_id = f.followee_id and ${isWanted}
          order by w.published_at desc, w.id desc limit 1
        ) first
        where f.follower_id = ${followerId} order by first.published_at desc, first.id desc
      ) newest join people p on p.id = newest.creator_id
      where p.suspended_at is null and ${notBlocked(followerId, 'newest.creator_id')}
      order by newest.published_at desc, newest.id desc limit ${limit}
    )
    select newest.id, newest.published_at from creators c, lateral (
      select w.id, w.published_at from works w where w.creator_id = c.id and ${isWanted}
        and w.published_at >= (select case when count(*) = ${limit} then min(published_at) else '-infinity' end from creators)
      order by w.published_at desc, w.id desc limit ${limit}
    ) newest order by newest.published_at desc, newest.id desc limit ${limit}`.execute(db);
  return rows;
}
