import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

interface Counts {
  username: string;
  reels: number;
  posts: number;
  stories: number;
  comments: number;
  likes: number;
  followers: number;
  following: number;
}

/** Counts what an account contains. */
export async function countOf(db: Kysely<Tables>, id: string): Promise<Counts | undefined> {
  const { rows } = await sql<Counts>`
    with own as materialized (
      select (select count(*) from reels where creator_id = ${id} and deleted_at is null) as reels,
        (select count(*) from posts where creator_id = ${id} and deleted_at is null) as posts),
    others as materialized (
      select 'comment' as what, count(*) as many from reel_comments c join reels w on w.creator_id = c.creator_id and w.id = c.reel_id
        where c.person_id = ${id} and w.deleted_at is null
      union all
      select 'like', count(*) from reel_likes l join reels w on w.creator_id = l.creator_id and w.id = l.reel_id
        where l.person_id = ${id} and w.deleted_at is null
      union all
      select 'like', count(*) from post_likes l join posts w on w.creator_id = l.creator_id and w.id = l.post_id
        where l.person_id = ${id} and l.undone_at is null and w.deleted_at is null)
    select username, follower_count as followers, following_count as following,
      own.reels, own.posts,
      (select count(*) from stories where creator_id = ${id} and deleted_at is null) as stories,
      (select many from others where what = 'comment') as comments,
      (select sum(many)::bigint from others where what = 'like') as likes
    from people, own where id = ${id}`.execute(db);
  return rows[0];
}
