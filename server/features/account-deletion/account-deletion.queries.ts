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
    select username, follower_count as followers, following_count as following,
      (select count(*) from reels where creator_id = ${id} and deleted_at is null) as reels,
      (select count(*) from posts where creator_id = ${id} and deleted_at is null) as posts,
      (select count(*) from stories where creator_id = ${id} and deleted_at is null) as stories,
      (select count(*) from reel_comments c join reels r on r.id = c.reel_id
        where person_id = ${id} and deleted_at is null) as comments,
      (select count(*) from reel_likes l join reels r on r.id = l.reel_id
        where person_id = ${id} and deleted_at is null)
      + (select count(*) from post_likes l join posts p on p.id = l.post_id
        where person_id = ${id} and undone_at is null and deleted_at is null) as likes
    from people where id = ${id}`.execute(db);
  return rows[0];
}
