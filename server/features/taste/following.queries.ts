import { type Kysely, sql } from 'kysely';
import type { Cursor } from '#server/platform/cursor.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/**
 * The newest public reels of the people whom somebody follows, after the cursor. Only so many people as reels can have one among them: those
 * whose newest reel is the newest. So each followed person costs one look into the index, and few of them more.
 */
export async function listFollowed(
  db: Kysely<Tables>,
  followerId: string,
  limit: number,
  after: Cursor | undefined,
): Promise<{ id: string; published_at: Date }[]> {
  const isPublic = sql`r.state = 'ready' and r.deleted_at is null and r.taken_down_at is null
    and ${after ? sql`(r.published_at, r.id) < (${after.at}, ${after.id})` : sql`true`}`;
  const newestOf = (creator: string, most: number) => sql`
    select r.id, r.published_at from reels r where r.creator_id = ${sql.ref(creator)} and ${isPublic}
    order by r.published_at desc, r.id desc limit ${most}`;
  const { rows } = await sql<{ id: string; published_at: Date }>`
    select newest.id, newest.published_at from (
      select f.followee_id as id from follows f, lateral (${newestOf('f.followee_id', 1)}) first
      where f.follower_id = ${followerId} and (select suspended_at from people where id = f.followee_id) is null and ${notBlocked(followerId, 'f.followee_id')}
      order by first.published_at desc, first.id desc limit ${limit}
    ) creator, lateral (${newestOf('creator.id', limit)}) newest
    order by newest.published_at desc, newest.id desc limit ${limit}`.execute(db);
  return rows;
}
