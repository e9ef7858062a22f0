import { sql } from 'kysely';
import pg from 'pg';
import { categories } from '#contract/categories.ts';
import { putWorks } from '#server/features/works/works.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';

/** Fills a migrated, empty database with a site of this many reels and people, without randomness. */
export async function fillDatabase(
  url: string,
  size: { reels: number; people: number },
  passwordHash: string,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const indexes = await takeIndexes(client);
    for (const statement of statements(size, passwordHash)) await client.query(statement);
    await fillWorks(url);
    // Vacuum first: PostgreSQL does not use an index that was built over dead row versions while an older transaction runs
    // in any database of the cluster.
    for (const statement of ['vacuum', ...indexes, 'vacuum analyze']) await client.query(statement);
  } finally {
    await client.end();
  }
}

/** Fills `works`, after the tables of reels and posts. */
export async function fillWorks(url: string): Promise<void> {
  const db = await openDatabase(url, 1);
  await inTransaction(db, async (trx) => {
    await sql`set local statement_timeout = 0`.execute(trx);
    for (const kind of ['reel', 'post'] as const) await putWorks(trx, kind);
  });
  await db.destroy();
}

/** Drops the indexes, which are created faster at the end, and returns their definitions. */
export async function takeIndexes(client: pg.Client, tables?: readonly string[]): Promise<string[]> {
  const { rows } = await client.query(
    `
    select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as made
    from pg_index join pg_class on pg_class.oid = indexrelid
    where not indisunique and relnamespace = 'public'::regnamespace
      and ($1::regclass[] is null or indrelid = any($1::regclass[]))`,
    [tables],
  );
  for (const { name } of rows) await client.query(`drop index ${name}`);
  return rows.map(({ made }) => made);
}

/** A version 7 id: the time, then a hash of `name`. */
const id = (time: string, name: string) =>
  `(lpad(to_hex((extract(epoch from ${time}) * 1000)::bigint), 12, '0') || '7' || substr(md5(${name}), 1, 3) ||
    '8' || substr(md5(${name}), 4, 15))::uuid`;

const personTime = (i: string) => `timestamptz '2025-01-01' + ${i} * interval '5 minutes'`;
const person = (i: string) => id(`(${personTime(i)})`, `'person' || ${i}`);
const reelTime = (i: string) => `timestamptz '2026-01-01' + ${i} * interval '25 seconds'`;
const reel = (i: string) => id(`(${reelTime(i)})`, `'reel' || ${i}`);
const postTime = (i: string) => `timestamptz '2026-01-01' + ${i} * interval '250 seconds'`;
const post = (i: string) => id(`(${postTime(i)})`, `'post' || ${i}`);
/** A random person, the same in each run. */
const randomPerson = (i: string, salt: string, people: number) =>
  person(`(abs(hashint8(${i} * 31 + ${salt}::bigint))::bigint % ${people})`);

const firstNames =
  "array['Asha','Binod','Chitra','Dev','Esha','Farid','Gita','Hari','Indu','Jatin','Kavya','Lata']";
const lastNames =
  "array['Rao','Sharma','Khan','Patel','Iyer','Das','Gill','Nair','Roy','Singh','Bose','Mehta','Joshi']";
const placeholder = `'data:image/webp;base64,UklGR' || repeat(md5(i::text), 4)`;

/** All statements, in the order of creation. */
export function statements(
  { reels, people }: { reels: number; people: number },
  passwordHash: string,
): string[] {
  const posts = reels / 10;
  const categoryIds = `array[${categories.map((one) => `'${one.id}'`).join(',')}]`;
  return [
    // Foreign keys are not checked, since all rows that they name exist.
    'set session_replication_role = replica',
    `insert into people (id, name, name_key, username, username_key, look_key, email, email_key, password_hash, picture_key,
       follower_count, following_count, created_at)
     select ${person('i')}, full_name, lower(full_name), name, name, name,
       name || '@people.example', name || '@people.example', '${passwordHash}', md5('picture' || i), 5, 5, ${personTime('i')}
     from generate_series(0::bigint, ${people - 1}) i,
       lateral (select 'p' || substr(md5('name' || i), 1, 6) || i as name,
         (${firstNames})[1 + i % 12] || ' ' || (${lastNames})[1 + (i / 12) % 13] as full_name) named`,
    `insert into follows (follower_id, followee_id, followed_at)
     select ${person('i')}, ${person(`((i * 7 + k * 13 + 1) % ${people})`)}, ${personTime('i')} + k * interval '1 hour'
     from generate_series(0::bigint, ${people - 1}) i, generate_series(1, 5) k
     where (i * 7 + k * 13 + 1) % ${people} <> i on conflict do nothing`,
    `insert into reels (id, creator_id, media_key, caption, credit, categories, state, sha256, placeholder, width, height,
       seconds, views, like_count, comment_count, renditions, uploaded_at, published_at)
     select ${reel('i')}, ${randomPerson('i', '1', people)}, md5('reel' || i), 'A glimpse of day ' || i || ' by the river', '',
       array[(${categoryIds})[1 + i % 42], (${categoryIds})[1 + (i * 5 + 3) % 42]], 'ready', decode(md5('bytes' || i), 'hex'),
       ${placeholder}, 720, 1280, 20, i % 5000, case when i % 2 = 0 then 2 else 0 end, case when i % 4 = 0 then 2 else 0 end,
       '[{"width":360,"height":640,"bitrate":420000,"file":"360.mp4"},{"width":540,"height":960,"bitrate":900000,"file":"540.mp4"},{"width":720,"height":1280,"bitrate":1600000,"file":"video.mp4"}]',
       ${reelTime('i')} - interval '1 minute', ${reelTime('i')}
     from generate_series(0::bigint, ${reels - 1}) i`,
    `insert into reel_likes (reel_id, person_id, liked_at, creator_id)
     select ${reel('i')}, ${randomPerson('i', 'k', people)}, ${reelTime('i')} + k * interval '1 minute', ${randomPerson('i', '1', people)}
     from generate_series(0::bigint, ${reels - 1}, 2) i, generate_series(1, 2) k on conflict do nothing`,
    `insert into reel_comments (id, reel_id, creator_id, person_id, text, sent_as, created_at)
     select made, ${reel('i')}, ${randomPerson('i', '1', people)}, ${randomPerson('i', 'k', people)}, 'What a lovely evening', made, ${reelTime('i')} + k * interval '1 minute'
     from generate_series(0::bigint, ${reels - 1}, 4) i, generate_series(1, 2) k,
       lateral (select ${id(`(${reelTime('i')})`, `'comment' || i || ' ' || k`)} as made) one`,
    `insert into category_counts select category, count(*) from reels, unnest(categories) category group by 1`,
    `insert into posts (id, creator_id, media_key, caption, description, sha256, placeholder, width, height, widths,
       like_count, published_at)
     select ${post('i')}, ${randomPerson('i', '2', people)}, md5('post' || i), 'A picture', 'Told at length', decode(md5('photo' || i), 'hex'),
       ${placeholder}, 1080, 1350, array[360, 720, 1080], 2, ${postTime('i')}
     from generate_series(0::bigint, ${posts - 1}) i`,
    `insert into post_likes (post_id, person_id, liked_at, creator_id)
     select ${post('i')}, ${randomPerson('i', 'k', people)}, ${postTime('i')} + k * interval '1 minute', ${randomPerson('i', '2', people)}
     from generate_series(0::bigint, ${posts - 1}) i, generate_series(1, 2) k on conflict do nothing`,
    // Stories of one day, all of the last hours.
    `insert into stories (id, creator_id, media_key, status_text, sha256, placeholder, width, height, widths, published_at)
     select ${id('(at)', "'story' || i")}, ${randomPerson('i', '3', people)}, md5('story' || i), 'Today', decode(md5('story' || i), 'hex'),
       ${placeholder}, 1080, 1920, array[360, 720, 1080], at
     from generate_series(0::bigint, ${posts / 10 - 1}) i, lateral (select now() + i * interval '1 second' as at) one`,
    `update people set reel_count = made.reels, post_count = made.posts from (
       select creator_id, count(*) filter (where reel) as reels, count(*) filter (where not reel) as posts from
         (select creator_id, true as reel from reels union all select creator_id, false from posts) made group by 1
     ) made where people.id = made.creator_id`,
  ];
}
