import { Kysely, PostgresDialect, sql } from 'kysely';
import { rankReels, tasteLimits } from '#contract/taste.ts';
import { randomOf } from '#demo/random.ts';
import { listFollowedReels } from '#server/features/taste/following.ts';
import { countTopReels, learnNextReels } from '#server/features/taste/learning.ts';
import { rankFor, reelsInOrder } from '#server/features/taste/rank.ts';
import { viewerOfPerson } from '#server/features/views/viewers.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { openPool } from '#server/platform/database/pool.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextAt, keyringOfTests } from '#testing/context.ts';
import { fillDatabase } from '../filling.ts';
import { inMilliseconds, milliseconds, type Row } from '../harness.ts';
import { openKept } from '../kept.ts';

/** People with a taste, of 200 reels each, and signed-in viewers whose 50 views each are learned from. */
const many = { people: 200, watches: 200, viewers: 40_000, views: 50, nextOf: 100_000, next: 50 };
const limit = { milliseconds: 20, queries: 3 };

/** How long the lists take on a large site, and, when it is filled, how long the learning. */
export async function large(size: number, say: (line: string) => void): Promise<Row[]> {
  let learned: Row[] = [];
  const sites = await openKept('taste', String(size), async ({ empty }) => {
    say(`  Filling a site of ${size.toLocaleString('en')} reels …`);
    const url = await empty('large');
    await fillDatabase(url, { reels: size, people: Math.ceil(size / 10) }, '');
    const db = await openDatabase(url, 1);
    try {
      learned = await fillTaste(db);
    } finally {
      await db.destroy();
    }
  });
  const asked: string[] = [];
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: openPool(sites.url('large'), 2, {}) }),
    log: ({ query }) => void asked.push(query.sql),
  });
  try {
    return [...(await pages(db, asked, size)), ...learned];
  } finally {
    await db.destroy();
    await sites.stop();
  }
}

async function pages(db: Kysely<Tables>, asked: string[], size: number): Promise<Row[]> {
  const now = await newestOf(db);
  const context = contextAt(db, now);
  const random = randomOf(38);
  const chance = { fairShare: 0.15, random };
  const { rows } = await sql<{ id: string }>`select person_id as id from taste_people`.execute(db);
  const taken: Record<'first' | 'later' | 'followed', number[]> = { first: [], later: [], followed: [] };
  let queries = 0;
  const measure = async (kind: keyof typeof taken, isWarm: boolean, run: () => Promise<unknown>) => {
    asked.length = 0;
    const time = await milliseconds(run);
    if (isWarm) taken[kind].push(time);
    queries = Math.max(queries, asked.length);
  };
  // The first round fills the cache of PostgreSQL.
  for (const isWarm of [false, true])
    for (const { id } of rows) {
      let ids: string[] = [];
      await measure('first', isWarm, async () => {
        const { ranked } = await rankFor(context, id, rankReels.body.parse({}), chance);
        ids = ranked.map(({ _id }) => _id);
      });
      const page = ids.slice(tasteLimits.page, 2 * tasteLimits.page);
      await measure('later', isWarm, () => reelsInOrder(context, page, id));
      await measure('followed', isWarm, () => listFollowedReels(context, { limit: 24 }, id));
    }
  const names = { first: 'For you, ranked, first page', later: 'For you, later page', followed: 'Following' };
  const times = (Object.keys(names) as (keyof typeof names)[]).map((kind): Row => {
    const sorted = taken[kind].toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    return {
      what: `${names[kind]}, of ${size.toLocaleString('en')} reels, 95 % within`,
      ours: inMilliseconds(at(0.95)),
      against: `${inMilliseconds(at(0.5))} at the median`,
      ratio: '',
      reach: `≤ ${limit.milliseconds} ms`,
      holds: at(0.95) <= limit.milliseconds,
    };
  });
  const count = { ours: String(queries), against: '', ratio: '', reach: `≤ ${limit.queries}` };
  return [...times, { what: 'Queries of a page', ...count, holds: queries <= limit.queries }];
}

async function learning(db: Kysely<Tables>, now: Date): Promise<Row[]> {
  const { rows } = await sql<{ views: number }>`select count(*)::int as views from views`.execute(db);
  let pairs = 0;
  const time = await milliseconds(async () => {
    pairs = await learnNextReels(contextAt(db, now));
  });
  const top = await milliseconds(() => countTopReels(contextAt(db, now)));
  const seconds = (of: number) => `${(of / 1000).toFixed(1)} s`;
  return [
    {
      what: `Learning from ${(rows[0]?.views ?? 0).toLocaleString('en')} views`,
      ours: seconds(time),
      against: `${pairs.toLocaleString('en')} pairs`,
      ratio: '',
      reach: 'minutes',
    },
    { what: 'Counting the most watched reels', ours: seconds(top), against: '', ratio: '', reach: '' },
  ];
}

/** When the newest reel was published: the measurement takes it as the present. */
async function newestOf(db: Kysely<Tables>): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select max(published_at) as at from reels`.execute(db);
  return rows[0]?.at ?? new Date();
}

/** Fills what the lists are made of, by SQL, and learns what it has for that; then the next reels are replaced by many more. */
async function fillTaste(db: Kysely<Tables>): Promise<Row[]> {
  const now = await newestOf(db);
  await sql`set statement_timeout = 0`.execute(db);
  const run = async (...statements: ReturnType<typeof sql>[]) => {
    for (const statement of statements) await statement.execute(db);
  };
  await run(
    sql`create table numbered as select row_number() over (order by published_at desc) - 1 as n, id, creator_id from reels`,
    sql`create unique index on numbered (n)`,
    // Of the last day as many as a site has that shows everybody something new.
    sql`update reels set views = views % 200 where published_at > ${now}::timestamptz - interval '1 day'`,
    sql`insert into taste_people select id, ${now} from people order by md5(id::text) limit ${many.people}`,
    sql`insert into taste_watches (person_id, reel_id, watched_at, to_end)
      select person_id, id, ${now}::timestamptz - k * interval '1 hour', k % 4 <> 0
      from taste_people cross join generate_series(1, ${many.watches}::int) k
      join lateral (select id from numbered where n = abs(hashtextextended(person_id::text || k, 1)) % ${many.nextOf}::int) one on true
      on conflict do nothing`,
    sql`insert into follows (follower_id, followee_id, followed_at)
      select t.person_id, p.id, ${now} from taste_people t
      join lateral (select id from people where id <> t.person_id order by md5(id::text || t.person_id) limit 200) p on true
      on conflict do nothing`,
    sql`insert into reel_days (reel_id, creator_id, day, verdict, views)
      select id, creator_id, ${now}::date - k, 'counted', 1 + n % 97 from numbered, generate_series(0, 6) k where n < ${many.nextOf}`,
  );
  const { rows: viewers } = await sql<{ id: string }>`
    select id from people order by id limit ${many.viewers}`.execute(db);
  const secret = keyringOfTests.secret('viewers');
  const hashes = viewers.map(({ id }) => viewerOfPerson(secret, id).toString('hex'));
  await run(
    sql`insert into active_people select to_char(${now}::timestamptz, 'YYYY-MM'), id from unnest(${viewers.map(({ id }) => id)}::uuid[]) id`,
    sql`create table watching (number bigint, viewer bytea)`,
    sql`insert into watching select place, decode(hex, 'hex') from unnest(${hashes}::text[]) with ordinality one (hex, place)`,
    // Neighbours watch what their neighbours watch, and popular reels all.
    sql`insert into views (creator_id, day, reel_id, viewer, signed_in, network, shown_at, watched_at, verdict)
      select r.creator_id, ${now}::date - k % 30, r.id, viewer, true, '\\x00', at, at, 'counted'
      from watching cross join generate_series(1, ${many.views}::int) k
      cross join lateral (select ${now}::timestamptz - k * interval '14 hours' as at) time
      cross join lateral (
        select case when k % 5 = 0 then (number * 31 + k) % 500 else (number / 40 * 97 + k * 13) % ${many.nextOf}::int end as n
      ) chosen
      join numbered r on r.n = chosen.n on conflict do nothing`,
    sql`vacuum analyze`,
  );
  const rows = await learning(db, now);
  await run(
    sql`truncate next_reels`,
    sql`insert into next_reels (reel_id, next_id, weight, people)
      select a.id, b.id, 1.0 / k, 5 from generate_series(0, ${many.nextOf - 1}::int) i cross join generate_series(1, ${many.next}::int) k
      join numbered a on a.n = i join numbered b on b.n = (i * 7919 + k * 104729) % ${many.nextOf}::int
      where a.id <> b.id on conflict do nothing`,
    sql`vacuum analyze`,
  );
  return rows;
}
