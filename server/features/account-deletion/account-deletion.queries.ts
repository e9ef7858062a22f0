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
    with commented as materialized (select reel_id from reel_comments where person_id = ${id}),
    liked as materialized (select reel_id from reel_likes where person_id = ${id}),
    liked_posts as materialized (select post_id from post_likes where person_id = ${id} and undone_at is null)
    select username, follower_count as followers, following_count as following,
      (select count(*) from reels where creator_id = ${id} and deleted_at is null) as reels,
      (select count(*) from posts where creator_id = ${id} and deleted_at is null) as posts,
      (select count(*) from stories where creator_id = ${id} and deleted_at is null) as stories,
      (select count(*) from commented join reels on reels.id = reel_id where deleted_at is null) as comments,
      (select count(*) from liked join reels on reels.id = reel_id where deleted_at is null)
      + (select count(*) from liked_posts join posts on posts.id = post_id where deleted_at is null) as likes
    from people where id = ${id}`.execute(db);
  return rows[0];
}
