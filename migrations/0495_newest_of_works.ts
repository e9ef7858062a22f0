import { type Kysely, sql } from 'kysely';

/**
 * Indexes of the newest likes and comments with the creator, which all queries about them name, and the id, which decides between those of one moment.
 * By those without it, PostgreSQL expected one row for a work and its creator, so the order of the index was of no use to it, and it read all likes of a reel.
 *
 * It comes before 0500, which locks reels and posts: whoever likes or comments inserts here first and then counts there. `reel_likes_newest`,
 * `post_likes_newest` and `reel_comments_newest` stay: to drop them here, reads would wait for all migrations.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create index if not exists reel_likes_latest on reel_likes (reel_id, creator_id, liked_at desc, person_id desc);
    create index if not exists post_likes_latest on post_likes (post_id, creator_id, liked_at desc, person_id desc) where undone_at is null;
    create index if not exists reel_comments_latest on reel_comments (reel_id, creator_id, created_at desc, id desc)`.execute(
    db,
  );
}
