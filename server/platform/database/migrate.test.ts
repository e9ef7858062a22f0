import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { StartupError } from '../startup-error.ts';
import { migrate, migrationsOf, openDatabase } from './database.ts';

it('an older version starts on the tables of a newer one, and not on tables of an unknown version', async () => {
  const database = await freshDatabase();
  const db = await openDatabase(database.url, 1);
  await sql`insert into kysely_migration (name, timestamp) values ('9999_tomorrow', 'now')`.execute(db);
  await migrate(db);
  // The newer version has not made all changes that this version needs.
  await sql`delete from kysely_migration where name = '0313_site'`.execute(db);
  await expect(migrate(db)).rejects.toThrow('9999_tomorrow');
  // Nor does the connection hold the lock, which through a pooler would pass to the next client.
  const locks = await sql`
    select 1 from pg_locks where locktype = 'advisory'
    and database = (select oid from pg_database where datname = current_database())`.execute(db);
  expect(locks.rows).toEqual([]);
  await db.destroy();
  await database.drop();
});

it('several servers can migrate an empty database at the same time', async () => {
  const database = await freshDatabase('template1');
  const all = await Promise.all(Array.from({ length: 4 }, () => openDatabase(database.url, 2)));
  await Promise.all(all.map((db) => migrate(db)));
  expect(await all[0]?.selectFrom('people').select('id').execute()).toEqual([]);
  await Promise.all(all.map((db) => db.destroy()));
  await database.drop();
});

it('migrating a locked table fails with one sentence and changes nothing', async () => {
  const database = await freshDatabase('template1');
  const [db, other] = await Promise.all([openDatabase(database.url, 1), openDatabase(database.url, 1)]);
  const { known } = await migrationsOf(db);
  await migrate(db, known[0]);
  await other.transaction().execute(async (trx) => {
    await sql`lock table people in row exclusive mode`.execute(trx);
    await expect(migrate(db)).rejects.toThrow(/something else, such as a backup, has held one of them/);
  });
  expect((await migrationsOf(db)).done).toEqual(known.slice(0, 1));
  await migrate(db);
  expect((await migrationsOf(db)).done).toEqual(known);
  await Promise.all([db.destroy(), other.destroy()]);
  await database.drop();
});

it('likes, shares, comments and captions of the version before get the creator of their work, before the migration and after it', async () => {
  const database = await freshDatabase('template1');
  const db = await openDatabase(database.url, 1);
  await migrate(db, '0430_days_of_creators');
  const [asha, ravi] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];
  for (const id of [asha, ravi])
    await sql`insert into people (id, name, name_key, username, username_key, look_key, email, email_key, created_at)
      values (${id}, 'A', 'a', ${id}, ${id}, ${id}, ${id}, ${id}, now())`.execute(db);
  await sql`insert into reels (id, creator_id, media_key, caption, credit, categories, state, sha256, uploaded_at)
    select gen_random_uuid(), ${asha}::uuid, 'reel' || i, '', '', '{}', 'ready', '', now() from generate_series(1, 2) i`.execute(
    db,
  );
  await sql`insert into posts (id, creator_id, media_key, caption, description, sha256, placeholder, width, height, widths, published_at)
    select gen_random_uuid(), ${asha}::uuid, 'post' || i, '', '', '', '', 1, 1, '{}', now() from generate_series(1, 2) i`.execute(
    db,
  );
  const likeAll = async (works: string) => {
    await sql`insert into reel_likes (reel_id, person_id, liked_at)
      select id, ${ravi}, now() from reels where media_key = ${`reel${works}`}`.execute(db);
    await sql`insert into reel_shares (reel_id, person_id, shared_at)
      select id, ${ravi}, now() from reels where media_key = ${`reel${works}`}`.execute(db);
    await sql`insert into post_likes (post_id, person_id, liked_at)
      select id, ${ravi}, now() from posts where media_key = ${`post${works}`}`.execute(db);
  };
  const commentAll = async (works: string) => {
    await sql`insert into reel_comments (id, reel_id, person_id, text, sent_as, created_at)
      select id, id, ${ravi}, 'Nice', id, now() from reels where media_key = ${`reel${works}`}
      on conflict (person_id, sent_as) do nothing`.execute(db);
    await sql`insert into reel_captions (reel_id, language, key, cues, set_at)
      select id, 'en', media_key, 1, now() from reels where media_key = ${`reel${works}`}
      on conflict (reel_id, language) do nothing`.execute(db);
  };
  await likeAll('1');
  await commentAll('1');
  await migrate(db);
  await likeAll('2');
  await commentAll('2');
  for (const table of ['reel_likes', 'reel_shares', 'reel_comments', 'reel_captions', 'post_likes'] as const)
    expect(await db.selectFrom(table).select('creator_id').execute()).toEqual([
      { creator_id: asha },
      { creator_id: asha },
    ]);
  await db.destroy();
  await database.drop();
});

it('works have what the version before writes of its reels and posts, before the migration and after it', async () => {
  const database = await freshDatabase('template1');
  const db = await openDatabase(database.url, 1);
  await migrate(db, '0491_comments_of_reels');
  const publish = async (name: string) => {
    await sql`insert into reels (id, creator_id, media_key, caption, credit, categories, state, sha256, uploaded_at, published_at)
      select gen_random_uuid(), gen_random_uuid(), ${name} || state, '', '', '{dance}', state, '', '2026-01-01',
        case when state = 'ready' then timestamptz '2026-01-02' end from unnest(array['ready', 'processing']) state`.execute(
      db,
    );
    await sql`insert into posts (id, creator_id, media_key, caption, description, sha256, placeholder, width, height, widths, published_at)
      values (gen_random_uuid(), gen_random_uuid(), ${name}, '', '', '', '', 1, 1, '{}', '2026-01-03')`.execute(
      db,
    );
  };
  const works = async () => {
    const { rows } = await sql`
      select media_key as name, kind, works.creator_id = w.creator_id as same, works.published_at::date::text as day, works.categories
      from works join (select id, creator_id, media_key from reels union all select id, creator_id, media_key from posts) w using (id)
      order by media_key collate "C"`.execute(db);
    return rows;
  };
  const work = (name: string, kind: string, day: string | null) => {
    const categories = kind === 'reel' ? ['dance'] : [];
    return { name, kind, same: true, day, categories };
  };
  await publish('one');
  await sql`update posts set deleted_at = now()`.execute(db);
  await migrate(db);
  await publish('two');
  const before = [
    work('one', 'post', null),
    work('oneprocessing', 'reel', null),
    work('oneready', 'reel', '2026-01-02'),
    work('two', 'post', '2026-01-03'),
    work('twoprocessing', 'reel', null),
    work('twoready', 'reel', '2026-01-02'),
  ];
  expect(await works()).toEqual(before);
  await sql`update reels set state = 'ready', published_at = '2026-01-04' where state = 'processing'`.execute(
    db,
  );
  await sql`update reels set deleted_at = now(), categories = '{}' where media_key = 'oneready'`.execute(db);
  await sql`update posts set taken_down_at = now(), taken_down_as = 'waiting' where media_key = 'two'`.execute(
    db,
  );
  expect(await works()).toEqual([
    work('one', 'post', null),
    work('oneprocessing', 'reel', '2026-01-04'),
    { ...work('oneready', 'reel', null), categories: [] },
    work('two', 'post', null),
    work('twoprocessing', 'reel', '2026-01-04'),
    work('twoready', 'reel', '2026-01-02'),
  ]);
  await db.destroy();
  await database.drop();
});

it('a database of a version before 0.3.0 is refused with the commit that reads it, and stays untouched', async () => {
  const database = await freshDatabase('template1');
  const db = await openDatabase(database.url, 2);
  await sql`
    create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)`.execute(
    db,
  );
  await sql`insert into kysely_migration values ('0001_people_content_earnings', 'then'), ('0121_paid_and_seen', 'then')`.execute(
    db,
  );
  await sql`create table people (id uuid primary key, name text not null)`.execute(db);
  await sql`insert into people values (gen_random_uuid(), 'Asha')`.execute(db);
  const before = await everythingIn(db);
  await expect(migrate(db)).rejects.toThrow(
    new StartupError(
      'This database is of a version before 0.3.0, which this version does not read: commit d442f1b4 reads it, and exports from it.',
    ),
  );
  expect(await everythingIn(db)).toEqual(before);
  await db.destroy();
  await database.drop();
});

/** Names of all tables, and the rows of these two. */
async function everythingIn(db: Awaited<ReturnType<typeof openDatabase>>) {
  const { rows } = await sql`
    select (select array_agg(relname::text order by relname) from pg_class where relnamespace = 'public'::regnamespace) as tables,
      (select jsonb_agg(people) from people) as people, (select jsonb_agg(done order by name) from kysely_migration done) as done`.execute(
    db,
  );
  return rows;
}
