import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** What popular creators have around them: 100 people, and of everything as much and as long as each of them may. */
export const crowd = 100;

/** A comment as long as comments may be, in letters that take three bytes each. */
export const longComment = 'झ'.repeat(1000);

/**
 * Lays in 100 people who all follow each other; 100 reels and 100 posts of the first of them, each with the longest texts
 * and the likes of all; and on every reel a comment of everybody. Returns the first of them.
 */
export async function fillWithPopularity(db: Kysely<Tables>): Promise<string> {
  /** A version 7 id, of what it names. */
  const id = (kind: string, i: string) =>
    sql.raw(`overlay(overlay(md5('${kind}' || ${i}) placing '7' from 13) placing '8' from 17)::uuid`);
  const time = (i: string) => sql.raw(`timestamptz '2026-01-01' + ${i} * interval '1 second'`);
  const range = (name: string) => sql.raw(`generate_series(1, ${crowd}) ${name}`);
  const rows = [
    sql`insert into people (id, name, username, username_key, email, email_key, password_hash, follower_count,
        following_count, reel_count, post_count, created_at)
      select ${id('person', 'i')}, 'P', 'popular' || i, 'popular' || i, i || '@popular.example', i || '@popular.example', '',
        ${crowd - 1}, ${crowd - 1}, case i when 1 then ${crowd} else 0 end, case i when 1 then ${crowd} else 0 end, ${time('i')}
      from ${range('i')}`,
    sql`insert into follows (follower_id, followee_id, followed_at)
      select ${id('person', 'i')}, ${id('person', 'k')}, ${time('i')} from ${range('i')}, ${range('k')} where i <> k`,
    sql`insert into reels (id, creator_id, media_key, caption, credit, categories, state, sha256, like_count, comment_count,
        uploaded_at, published_at)
      select ${id('reel', 'i')}, ${id('person', '1')}, md5('reel' || i), repeat('क', 2200), '', '{}', 'ready',
        decode(md5('reel' || i), 'hex'), ${crowd}, ${crowd}, ${time('i')}, ${time('i')} from ${range('i')}`,
    sql`insert into posts (id, creator_id, media_key, caption, description, sha256, placeholder, width, height, widths,
        like_count, published_at)
      select ${id('post', 'i')}, ${id('person', '1')}, md5('post' || i), repeat('क', 2200), repeat('ख', 5000),
        decode(md5('post' || i), 'hex'), '', 1080, 1350, '{360}', ${crowd}, ${time('i')} from ${range('i')}`,
    // All at one time: the newest of them are told apart by who they are.
    sql`insert into reel_likes (reel_id, person_id, liked_at)
      select ${id('reel', 'i')}, ${id('person', 'k')}, ${time('0')} from ${range('i')}, ${range('k')}`,
    sql`insert into post_likes (post_id, person_id, liked_at)
      select ${id('post', 'i')}, ${id('person', 'k')}, ${time('0')} from ${range('i')}, ${range('k')}`,
    sql`insert into reel_comments (id, reel_id, person_id, text, sent_as, created_at)
      select ${id('comment', "i || ' ' || k")}, ${id('reel', 'i')}, ${id('person', 'k')}, ${longComment},
        ${id('comment', "i || ' ' || k")}, ${time('k')} from ${range('i')}, ${range('k')}`,
    sql`analyze`,
  ];
  for (const row of rows) await row.execute(db);
  const { rows: found } = await sql<{ id: string }>`select ${id('person', '1')} as id`.execute(db);
  return found[0]?.id ?? '';
}
