import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillDatabase } from '#bench/filling.ts';
import { fillSearch } from '#bench/search/filling.ts';
import { embeddedInList } from '#contract/embedded-comments-and-people.ts';
import { rankReels } from '#contract/taste.ts';
import { contextOn } from '#testing/context.ts';
import { freshDatabase, poolOf } from '#testing/servers/postgres.ts';
import { deleteOfComment } from './features/notifications/notifications.queries.ts';
import { listNotifications } from './features/notifications/notifications.ts';
import { listOperatorsWho } from './features/people/operators.ts';
import { listPeople, showPerson } from './features/people/people.ts';
import { listByIds as listPostsByIds } from './features/posts-and-stories/posts.queries.ts';
import { listPosts, listPostsOf } from './features/posts-and-stories/posts.ts';
import { listStoryPeople, showStoryRow } from './features/posts-and-stories/seen-stories.ts';
import { listStories, listStoriesOf } from './features/posts-and-stories/stories.ts';
import { findSameFile } from './features/prints/known-files.ts';
import { findCandidates } from './features/prints/prints.ts';
import { listComments } from './features/reels/engagement.ts';
import { listByIds as listReelsByIds } from './features/reels/reels.queries.ts';
import { listReels, listReelsOf, showReel } from './features/reels/reels.ts';
import { search } from './features/search/search.ts';
import { showTag } from './features/search/tags.ts';
import { deleteUnusedWords } from './features/search-index/search-index.queries.ts';
import { listFollowedReels } from './features/taste/following.ts';
import { countTopReels } from './features/taste/learning.ts';
import { rank, reelsInOrder, usual } from './features/taste/rank.ts';
import { saveWatched, showTaste, switchTaste } from './features/taste/taste.ts';
import type { Tables } from './platform/database/tables.ts';
import { inTransaction } from './platform/database/transaction.ts';

/** The lists that every site shows all the time read a page of rows and their nested rows by index scans, however large the site is. */
const size = { reels: 20_000, people: 4_000 };
const rowsAtMost = 1000;
/** As many entries of each kind are in the first tiers here. */
const tierEnds = [500, 2000, 8000] as const;
const oftenPublished = Buffer.from('often published');

let db: Kysely<Tables>;
let pool: pg.Pool;
let drop: () => Promise<void>;
/** Of the statements that were run since it was emptied. */
let plans: Plan[] = [];
let somebody = '';
let someReel = '';
/** Blocks every tenth person, and is blocked by every tenth. */
let blocker = '';
/** At the time of the newest reel. */
let context: ReturnType<typeof contextOn>;
let someReels: string[] = [];

beforeAll(async () => {
  const database = await freshDatabase();
  drop = database.drop;
  await fillDatabase(database.url, size, 'no password');
  await fillSearch(database.url, tierEnds);
  pool = poolOf(database, 1);
  pool.on('connect', (client) => client.on('notice', ({ message }) => planned(message)));
  db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
  // A table without rows is rightly read by a sequential scan.
  await sql`insert into reel_captions (reel_id, creator_id, language, key, cues, set_at)
    select id, creator_id, 'en', media_key || 'c', 1, now() from reels where state = 'ready' limit 5000`.execute(
    db,
  );
  await sql`analyze reel_captions`.execute(db);
  await sql`insert into uploads (key, owner_id, kind, bytes, sha256, created_at)
    select media_key, creator_id, 'video', 1, '\\x00', now() from reels limit 5000`.execute(db);
  await sql`analyze uploads`.execute(db);
  // One file that was published again and again.
  await sql`insert into prints (work_id, creator_id, kind, sha256, original_sha256, compared, number)
    select id, creator_id, 'reel',
      case when hashtext(id::text) % 20 = 0 then ${oftenPublished} else sha256(id::text::bytea) end,
      sha256(media_key::bytea), case when hashtext(id::text) % 20 <> 0 then 'everybody' end,
      case when hashtext(id::text) % 20 <> 0 then row_number() over (order by id) end
    from reels`.execute(db);
  await sql`analyze prints`.execute(db);
  // A song that everybody uses, and works with keys of their own.
  await sql`insert into print_keys (key, number)
    select key, number from prints, lateral (values (1), (number + 1)) keys (key) where number is not null`.execute(
    db,
  );
  await sql`analyze print_keys`.execute(db);
  const reel = await db
    .selectFrom('reels')
    .select(['id', 'creator_id'])
    .where('comment_count', '>', 0)
    .orderBy('media_key')
    .limit(1)
    .executeTakeFirstOrThrow();
  [someReel, somebody] = [reel.id, reel.creator_id];
  const { id } = await db
    .selectFrom('people')
    .select('id')
    .where('id', '<>', somebody)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow();
  blocker = id;
  await sql`insert into blocks (blocker_id, blocked_id, blocked_at)
    with numbered as (select id, row_number() over (order by hashtext(id::text)) n from people)
    select ${blocker}::uuid, id, now() from people where hashtext(id::text) % 10 = 0 and id not in (${blocker}, ${somebody})
    union all select id, ${blocker}::uuid, now() from people where hashtext(id::text) % 10 = 1 and id not in (${blocker}, ${somebody})
    union all select a.id, b.id, now() from numbered a cross join generate_series(1, 4) step
      join numbered b on b.n = a.n + 7 * step where ${blocker} not in (a.id, b.id)`.execute(db);
  await sql`analyze blocks`.execute(db);
  await sql`insert into seen_stories (person_id, story_id, ends_at)
    select people.id, stories.id, stories.published_at + interval '1 day'
    from (select id from people order by id = ${somebody}::uuid desc, id limit 200) people,
      (select id, published_at from stories order by published_at desc limit 50) stories`.execute(db);
  await sql`analyze seen_stories`.execute(db);
  await fillNotifications();
  await fillTaste();
});
afterAll(async () => {
  await db.destroy();
  await drop();
});

/** Notifications of `somebody`, 50 of them unread. Some senders have blocked the receiver or are blocked. */
async function fillNotifications() {
  await sql`insert into notifications (id, person_id, kind, sender_id, about_id, fact_id, created_at, read_at)
    with numbered as (select id, row_number() over (order by hashtext(id::text)) n from people where id <> ${somebody}),
      works as (select id, row_number() over (order by id) n from reels)
    select gen_random_uuid(), ${somebody}, case when n % 5 = 0 then 'mention' else 'like_reel' end, numbered.id, works.id, works.id,
      now() - n * interval '1 minute', case when n > 50 then now() end from numbered join works using (n)`.execute(
    db,
  );
  await sql`insert into notifications (id, person_id, kind, sender_id, about_id, fact_id, created_at, read_at)
    select gen_random_uuid(), follower_id, 'new_reel', followee_id, reels.id, reels.id, published_at, published_at
    from follows join reels on creator_id = followee_id where follower_id <> ${somebody}`.execute(db);
  await sql`analyze notifications`.execute(db);
}

/** What For you is made of; the blocker has a taste, and follows forty people. */
async function fillTaste() {
  await sql`insert into follows (follower_id, followee_id, followed_at)
    select ${blocker}::uuid, id, now() from (select id from people where id <> ${blocker} order by id limit 40) one on conflict do nothing`.execute(
    db,
  );
  await sql`insert into next_reels (reel_id, next_id, weight, people)
    with numbered as (select id, row_number() over (order by id) n from reels)
    select a.id, b.id, 1, 5 from numbered a cross join generate_series(1, 20) step join numbered b on b.n = a.n + step`.execute(
    db,
  );
  await sql`insert into reel_days (reel_id, creator_id, day, verdict, views)
    select id, creator_id, (select max(published_at) from reels)::date, 'counted', 5 from reels where hashtext(id::text) % 10 = 0`.execute(
    db,
  );
  const { rows } = await sql<{ at: Date; ids: string[] }>`
    select max(published_at) as at, (array_agg(id order by published_at desc))[100:140] as ids from reels`.execute(
    db,
  );
  const newestAt = rows[0]?.at ?? new Date();
  context = contextOn(db, { clock: () => newestAt });
  await countTopReels(context);
  await switchTaste(context, blocker, { on: true, adult: true });
  someReels = rows[0]?.ids ?? [];
  await saveWatched(
    context,
    blocker,
    someReels.map((_id) => ({ _id, toEnd: true })),
  );
  await sql`insert into taste_people select id, now() from people on conflict do nothing`.execute(db);
  await sql`insert into taste_watches select p.id, r.id, now(), true from (select id from people order by id limit 500) p,
    (select id from reels order by id limit 20) r on conflict do nothing`.execute(db);
  for (const table of ['follows', 'next_reels', 'reel_days', 'top_reels', 'taste_people', 'taste_watches'])
    await sql`analyze ${sql.table(table)}`.execute(db);
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** A message of `auto_explain`, or another one. */
function planned(message: string | undefined): void {
  const plan = message?.match(/^duration: .* plan:\n(\{.*)$/s)?.[1];
  if (plan) plans.push((JSON.parse(plan) as { Plan: Plan }).Plan);
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)];

/** All scans of the statements of `run`, also of those within functions. */
async function scansOf(run: () => Promise<unknown>): Promise<Plan[]> {
  await sql`load 'auto_explain'`.execute(db);
  await sql`select set_config('auto_explain.' || name, value, false) from (values
    ('log_min_duration', '0'), ('log_analyze', 'on'), ('log_format', 'json'), ('log_nested_statements', 'on')
  ) settings (name, value)`.execute(db);
  await sql`set client_min_messages = 'log'`.execute(db);
  plans = [];
  await run();
  expect(plans).not.toEqual([]);
  const scans = plans.flatMap(nodesOf).filter((node) => /Scan$/.test(node['Node Type']));
  await sql`reset all`.execute(db);
  return scans;
}

const wasRun = (scan: Plan) => scan['Actual Loops'] > 0;

const rowsRead = (scan: Plan) =>
  (scan['Actual Rows'] +
    (scan['Rows Removed by Filter'] ?? 0) +
    (scan['Rows Removed by Index Recheck'] ?? 0)) *
  scan['Actual Loops'];

const page = { limit: 24, cursor: undefined };
type Listed = { nextCursor: string | null };
const lists: [what: string, list: (cursor: string | undefined) => Promise<Listed>][] = [
  ['the feed', (cursor) => listReels(contextOn(db), { ...page, cursor })],
  ["a person's reels", (cursor) => listReelsOf(contextOn(db), somebody, undefined, { limit: 2, cursor })],
  ['the posts', (cursor) => listPosts(contextOn(db), { ...page, cursor })],
  ['the stories', (cursor) => listStories(contextOn(db), { ...page, cursor })],
  ['the people with stories', (cursor) => listStoryPeople(contextOn(db), { ...page, cursor })],
  ['the people', (cursor) => listPeople(contextOn(db), { ...page, cursor })],
  ['people found by a common name', (cursor) => listPeople(contextOn(db), { ...page, q: 'kavya', cursor })],
  ['people found by two letters', (cursor) => listPeople(contextOn(db), { ...page, q: 'ra', cursor })],
  ['the feed of somebody with blocks', (cursor) => listReels(contextOn(db), { ...page, cursor }, blocker)],
  ['the posts for somebody with blocks', (cursor) => listPosts(contextOn(db), { ...page, cursor }, blocker)],
  [
    'the stories for somebody with blocks',
    (cursor) => listStories(contextOn(db), { ...page, cursor }, blocker),
  ],
  [
    'the people for somebody with blocks',
    (cursor) => listPeople(contextOn(db), { ...page, cursor }, blocker),
  ],
  [
    'the notifications',
    (cursor) => listNotifications(contextOn(db), somebody, somebody, { ...page, cursor }),
  ],
  [
    'people found by somebody with blocks',
    (cursor) => listPeople(contextOn(db), { ...page, q: 'kavya', cursor }, blocker),
  ],
];

describe('read by index, and only a page of rows', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['one reel', () => showReel(contextOn(db), someReel, undefined)],
    ["a reel's comments", () => listComments(contextOn(db), someReel, page)],
    [
      "a reel's comments for somebody with blocks",
      () => listComments(contextOn(db), someReel, page, blocker),
    ],
    ["a person's profile for somebody with blocks", () => showPerson(contextOn(db), somebody, blocker)],
    ["a person's profile", () => showPerson(contextOn(db), somebody)],
    ["a person's posts", () => listPostsOf(contextOn(db), somebody, undefined, page)],
    ["a person's stories", () => listStoriesOf(contextOn(db), somebody, undefined, page)],
    ["a person's row of stories", () => showStoryRow(contextOn(db), somebody)],
    [
      'whether a file was published before',
      () => findSameFile(db, { sha256: oftenPublished, original_sha256: Buffer.of(1) }, somebody),
    ],
    [
      'works that may be the original of one',
      () => findCandidates(db, { searches: [[1, 2, 3], [4]], creatorId: somebody }, 16),
    ],
    ['the notifications of a comment', () => inTransaction(db, (trx) => deleteOfComment(trx, someReel))],
    ['the operators of a role', () => listOperatorsWho(db, 'moderator')],
    ['people found by a word that nobody has', () => listPeople(contextOn(db), { ...page, q: 'zyxwv' })],
  ])('%s', async (_what, run) => {
    const scans = await scansOf(run);
    expect(scans.filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(scans.reduce((sum, scan) => sum + rowsRead(scan), 0)).toBeLessThanOrEqual(rowsAtMost);
  });

  it.each(lists)('%s, the first page and the one after it', async (_what, list) => {
    const { nextCursor } = await list(undefined);
    expect(nextCursor).not.toBeNull();
    for (const cursor of [undefined, nextCursor ?? undefined]) {
      const scans = await scansOf(() => list(cursor));
      expect(scans.length).toBeGreaterThan(0);
      expect(scans.filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
      expect(scans.reduce((sum, scan) => sum + rowsRead(scan), 0)).toBeLessThanOrEqual(rowsAtMost);
    }
  });
});

it.each([
  { what: 'likes', of: 'reels' as const, table: 'reel_likes', key: 'reel_id', at: 'liked_at' },
  { what: 'likes', of: 'posts' as const, table: 'post_likes', key: 'post_id', at: 'liked_at' },
  { what: 'comments', of: 'reels' as const, table: 'reel_comments', key: 'reel_id', at: 'created_at' },
])(
  'the newest $what of all $of of a page are read by index, and no others, also of one with thousands',
  async ({ what, of, table, key, at }) => {
    const count = { likes: 'like_count', comments: 'comment_count' }[what] ?? '';
    const { rows: works } = await sql<{ id: string; creator_id: string }>`
      select id, creator_id from ${sql.table(of)} where ${sql.ref(count)} > 0 order by id limit 24`.execute(
      db,
    );
    const [first] = works;
    const columns = what === 'likes' ? sql`` : sql`, id, text, sent_as`;
    const values = what === 'likes' ? sql`` : sql`, id, 'One of many', id`;
    await sql`
      insert into ${sql.table(table)} (${sql.ref(key)}, creator_id, person_id, ${sql.ref(at)} ${columns})
      select ${first?.id}::uuid, ${first?.creator_id}::uuid, id,
        timestamptz '2020-01-01' + row_number() over () * interval '1 second' ${values} from people
      on conflict do nothing`.execute(db);
    await sql`analyze ${sql.table(table)}`.execute(db);
    const ids = works.map(({ id }) => id);
    const read = await inTransaction(db, async (trx) => {
      // What the session has read since its figures were last collected.
      const figures = async () =>
        (
          await sql<{ whole: number; rows: number }>`
          select seq_scan::int as whole, idx_tup_fetch::int as rows from pg_stat_xact_user_tables where relname = ${table}`.execute(
            trx,
          )
        ).rows[0] ?? { whole: 0, rows: 0 };
      const before = await figures();
      const rows = await { reels: listReelsByIds, posts: listPostsByIds }[of](trx, undefined, ids);
      expect(rows.map((row) => row.id).toSorted()).toEqual(ids);
      const after = await figures();
      return { whole: after.whole - before.whole, rows: after.rows - before.rows };
    });
    expect(read.whole).toBe(0);
    // The first one after them, too, which may be of the same moment.
    expect(read.rows).toBeLessThanOrEqual(
      24 * (1 + (what === 'likes' ? embeddedInList.people : embeddedInList.comments)),
    );
  },
);

describe('a search', () => {
  /** A frequent word has 9,000 matches here. Those of one kind are read from the first ones of it, for each way to match. */
  const rowsOfSearch = 4 * 2 * 3 * tierEnds[0];
  it.each<[string, Parameters<typeof search>[1]]>([
    ['a word that nearly half of all reels have', { q: 'rangoli', limit: 24 }],
    ['the beginning of frequent words', { q: 'rang', limit: 24 }],
    ['a word that few have', { q: 'khardung', limit: 24 }],
    ['several words', { q: 'rangoli diwali sweets', limit: 24 }],
    ['a misspelt word', { q: 'khradung', limit: 24 }],
    ['words that nothing has', { q: 'zyxwv qwrtz', limit: 24 }],
    ['a common name', { q: 'kavya', limit: 24 }],
    ['a part of names', { q: 'avy', limit: 24 }],
    ['two letters', { q: 'ka', limit: 24 }],
    ['a page of one kind', { q: 'rangoli', kind: 'reel', limit: 24, cursor: '96' }],
    ['a page of people', { q: 'kavya', kind: 'person', limit: 24, cursor: '96' }],
  ])('of %s reads by index, from the first tiers', async (_what, query) => {
    for (const viewer of [undefined, blocker]) {
      const scans = (await scansOf(() => search(contextOn(db), query, viewer))).filter(wasRun);
      expect(scans.length).toBeGreaterThan(0);
      expect(scans.filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
      expect(scans.reduce((sum, scan) => sum + rowsRead(scan), 0)).toBeLessThanOrEqual(rowsOfSearch);
    }
  });

  it('for tags with a part of a name reads none of the people who have it', async () => {
    const query = { q: 'avy', kind: 'tag', limit: 24 } as const;
    const scans = (await scansOf(() => search(contextOn(db), query))).filter(wasRun);
    expect(scans.length).toBeGreaterThan(0);
    expect(scans.reduce((sum, scan) => sum + rowsRead(scan), 0)).toBeLessThanOrEqual(100);
  });

  it('has words that are looked up by index when a work that had them is deleted', async () => {
    const remove = (trx: Transaction<Tables>) =>
      deleteUnusedWords(trx, ['rangoli', 'kavya', 'khardung', 'zyxwv']);
    const scans = (await scansOf(() => inTransaction(db, remove))).filter(wasRun);
    expect(scans.filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(scans.reduce((sum, scan) => sum + rowsRead(scan), 0)).toBeLessThanOrEqual(rowsOfSearch);
  });

  it('of a tag reads a page of its works, and as many as are counted', async () => {
    const scans = (await scansOf(() => showTag(contextOn(db), { tag: 'rangoli', limit: 24 }))).filter(wasRun);
    expect(scans.filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
    expect(scans.reduce((sum, scan) => sum + rowsRead(scan), 0)).toBeLessThanOrEqual(rowsAtMost);
  });
});

/** Of the six sources: the newest and the new ones are looked through, next reels are twenty times a hundred. */
const rankedRowsAtMost = 6000;
const chance = { ...usual, fairShare: 0.15, random: () => 0.5 };

describe('For you reads by index, and as much on any site', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['the list of a taste', () => rank(context, blocker, rankReels.body.parse({}), chance)],
    [
      'the list of a visit, with what is muted and seen',
      () => {
        const [first = '', ...others] = someReels;
        const visit = someReels.map((_id) => ({ _id, toEnd: true }));
        const muted = { reels: [first], words: ['river', 'zebra'] };
        return rank(context, undefined, rankReels.body.parse({ visit, seen: others, muted }), chance);
      },
    ],
    ['a later page', () => reelsInOrder(context, someReels.slice(0, 20), blocker)],
    ['Following', () => listFollowedReels(context, page, blocker)],
    ['the page about a taste', () => showTaste(context, blocker)],
    ['what was watched', () => saveWatched(context, blocker, [{ _id: someReel, toEnd: true }])],
  ])('%s', async (_what, run) => {
    const scans = (await scansOf(run)).filter(
      // `top_reels` has a fixed number of rows, whatever the size of the site.
      (scan) =>
        scan['Relation Name'] !== 'top_reels' && !/^(?:CTE|Function|Subquery|Values)/.test(scan['Node Type']),
    );
    const tables = scans.map((scan) => [scan['Node Type'], scan['Relation Name'], rowsRead(scan)]);
    expect(tables).not.toEqual([]);
    expect(tables.filter(([type]) => type === 'Seq Scan')).toEqual([]);
    const rows = scans.reduce((sum, scan) => sum + rowsRead(scan), 0);
    expect(rows, JSON.stringify(tables)).toBeLessThanOrEqual(rankedRowsAtMost);
  });
});
