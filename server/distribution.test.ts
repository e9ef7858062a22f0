import { randomBytes } from 'node:crypto';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextAt, contextOn } from '#testing/context.ts';
import { personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { keyOf, monthsAgo, reelsAt, requestMonth, viewsAt } from '#testing/fixtures/months.ts';
import {
  crossNodeQueries,
  crossNodeReferences,
  crossNodeTransactions,
  keysWithoutDistributionColumn,
  locations,
} from '#testing/models/distribution.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { callerOf, openSession } from './features/accounts/sessions.ts';
import { showHistory } from './features/earnings/earnings.ts';
import { listNotifications } from './features/notifications/notifications.ts';
import { follow } from './features/people/follows.ts';
import { showPerson } from './features/people/people.ts';
import { likePost } from './features/posts-and-stories/likes.ts';
import { listPosts, listPostsOf, publishPost } from './features/posts-and-stories/posts.ts';
import { commentOnReel, likeReel, listComments, shareReel } from './features/reels/engagement.ts';
import { listReels, listReelsOf, showReel } from './features/reels/reels.ts';
import { openPresence } from './features/views/presence.ts';
import { recordShowings, recordViews } from './features/views/views.ts';
import { recordWatched } from './features/views/watched.ts';
import type { Tables } from './platform/database/tables.ts';
import { newId } from './platform/ids.ts';

/*
 * Whether the tables and queries are ready for a PostgreSQL on many machines, except for the exceptions in
 * `testing/models/distribution.ts`.
 */
const timeZone = 'Asia/Kolkata';
const machines = 8;
const now = new Date();

let db: Kysely<Tables>;
let pool: pg.Pool;
let drop: () => Promise<void>;
let asked: { sql: string; parameters: readonly unknown[] }[] = [];

const placeOf = (table: string) => {
  const place = locations[table as keyof typeof locations];
  return place && 'by' in place ? place.by : undefined;
};
const spread = Object.keys(locations).filter(placeOf);
const rowsOf = async <Row extends object>(statement: string, values: unknown[] = []) =>
  (await pool.query<Row>(statement, values)).rows;

beforeAll(async () => {
  const database = await freshDatabase();
  drop = database.drop;
  pool = new pg.Pool({ connectionString: database.url, max: 2 });
  db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool }),
    log({ query: { sql, parameters } }) {
      if (/^\s*(select|insert|update|delete|with)\b/i.test(sql)) asked.push({ sql, parameters });
    },
  });
});
afterAll(async () => {
  await db.destroy();
  await drop();
});

interface Key {
  table: string;
  name: string;
  columns: string[];
  made: string;
}

const uniqueKeys = () =>
  rowsOf<Key>(`
    select c.relname as table, i.relname as name, pg_get_indexdef(i.oid) as made,
      array(select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attnum = any(x.indkey)) as columns
    from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class c on c.oid = x.indrelid
    where x.indisunique and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%' order by 1, 2`);

describe('the tables', () => {
  it('each have a distribution column, which is never null', async () => {
    const columns = await rowsOf<{ table: string; name: string; always: boolean }>(`
      select c.relname as table, a.attname as name, a.attnotnull as always
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and c.relname not like 'kysely%'`);
    expect(Object.keys(locations).sort()).toEqual([...new Set(columns.map(({ table }) => table))].sort());
    const without = spread.filter(
      (table) => !columns.some((one) => one.table === table && one.name === placeOf(table) && one.always),
    );
    expect(without).toEqual([]);
  });

  it('have no ids from a sequence, which all machines would have to share', async () => {
    const sequences = await rowsOf(
      `select relname from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`,
    );
    const generated = await rowsOf(`
      select attrelid::regclass, attname from pg_attribute a join pg_class c on c.oid = a.attrelid
      where c.relnamespace = 'public'::regnamespace and attidentity <> ''`);
    expect([...sequences, ...generated]).toEqual([]);
  });

  it('have the distribution column in every key, except listed ones', async () => {
    const without = (await uniqueKeys()).filter(({ table, columns }) => {
      const by = placeOf(table);
      return by !== undefined && !columns.includes(by);
    });
    expect(without.map(({ name }) => name)).toEqual(Object.keys(keysWithoutDistributionColumn).sort());
  });

  it('refer only to rows of the same machine, except listed ones', async () => {
    const references = await rowsOf<{
      name: string;
      from: string;
      to: string;
      own: string[];
      other: string[];
    }>(`
      select conname as name, c.relname as from, t.relname as to,
        array(select attname::text from unnest(conkey) k join pg_attribute on attrelid = conrelid and attnum = k) as own,
        array(select attname::text from unnest(confkey) k join pg_attribute on attrelid = confrelid and attnum = k) as other
      from pg_constraint join pg_class c on c.oid = conrelid join pg_class t on t.oid = confrelid
      where contype = 'f' and c.relnamespace = 'public'::regnamespace order by 1`);
    const apart = references.filter(({ from, to, own, other }) => {
      const [here, there] = [placeOf(from), placeOf(to)];
      if (!there) return false;
      return !own.some((column, index) => column === here && other[index] === there);
    });
    expect(apart.map(({ name }) => name)).toEqual(Object.keys(crossNodeReferences).sort());
  });

  it('have no triggers, except those that make two logs append-only', async () => {
    const triggers = await rowsOf<{ tgname: string }>(
      'select tgname from pg_trigger where not tgisinternal order by 1',
    );
    expect(triggers.map(({ tgname }) => tgname)).toEqual(['audit_log_append_only', 'ledger_append_only']);
  });
});

/** Everything that people do all the time, each as its rule does it. */
async function hotPaths(): Promise<[name: string, run: () => Promise<unknown>][]> {
  const [asha, binod, visitor] = [await personIn(db, now), await personIn(db, now), await personIn(db, now)];
  const [reel, other] = [
    await publishedReel(db, asha, now, timeZone),
    await publishedReel(db, binod, now, timeZone),
  ];
  const photo = await uploadedPhoto(db, asha, now);
  const form = { fileName: photo, caption: '', description: '' };
  const context = contextAt(db, now, timeZone);
  const { id: post } = await publishPost(context, asha, form);
  const next = await uploadedPhoto(db, asha, now);
  const month = monthsAgo(2);
  const [earning = ''] = await reelsAt(db, asha, month, 1);
  await viewsAt(db, earning, month, 5000);
  const token = await openSession(db, { personId: visitor }, now);
  const seen = (reelId: string) => ({
    reelId,
    viewer: randomBytes(16),
    personId: undefined,
    bot: false,
    at: now,
  });
  const watched = (reelId: string) => ({
    ...{ reelId, viewer: randomBytes(16), signedIn: false, address: randomBytes(8) },
    ...{ issuedAt: new Date(now.getTime() - 5000), at: now, neededMs: 4000 },
  });
  const home = randomBytes(8);
  await openPresence(contextAt(db, now, timeZone)).recordNetwork(asha, home);
  const atHome = { ...watched(reel), address: home, browser: randomBytes(16) };
  const acrossMidnight = { ...watched(other), issuedAt: new Date(now.getTime() - 24 * 60 * 60 * 1000) };
  const page = { limit: 24, cursor: undefined };
  return [
    ['the feed', () => listReels(context, page)],
    ['a reel', () => showReel(context, reel, undefined)],
    ["a reel's comments", () => listComments(context, reel, page)],
    ["a creator's reels", () => listReelsOf(context, asha, undefined, page)],
    ["a creator's posts", () => listPostsOf(context, asha, undefined, page)],
    ['a profile', () => showPerson(contextOn(db), asha)],
    ['the posts', () => listPosts(context, page)],
    ['a session', () => callerOf(contextAt(db, now), token, '203.0.113.7')],
    ['notifications', () => listNotifications(contextOn(db), asha, asha, page)],
    ['earnings', () => showHistory(contextAt(db, now), asha)],
    ['views', () => recordViews(contextOn(db), [seen(reel), seen(other)])],
    ['showings', () => recordShowings(contextOn(db), [seen(reel), seen(other)])],
    ['watching', () => recordWatched(contextOn(db), [watched(reel), watched(other), atHome, acrossMidnight])],
    ['publishing a reel', () => publishedReel(db, asha, now, timeZone)],
    ['publishing a photo', () => publishPost(context, asha, { ...form, fileName: next })],
    ['liking a reel', () => likeReel(context, reel, visitor)],
    ['commenting', () => commentOnReel(context, reel, visitor, { text: 'So it is', sentAs: newId(now) })],
    ['sharing', () => shareReel(context, reel, visitor)],
    ['liking a photo', () => likePost(context, post, visitor)],
    ['following', () => follow(contextAt(db, now), visitor, asha)],
    ['withdrawing', () => requestMonth(db, asha, keyOf(month), now)],
  ];
}

/** For each transaction since then, the owners of the rows that it wrote. */
async function ownersSince(first: string): Promise<Set<string>[]> {
  const byTransaction = new Map<string, Set<string>>();
  for (const table of spread) {
    const rows = await rowsOf<{ xid: string; owner: string }>(
      `select distinct xmin::text as xid, ${placeOf(table)}::text as owner from ${table} where xmin::text::bigint >= $1`,
      [first],
    );
    for (const { xid, owner } of rows)
      byTransaction.set(xid, (byTransaction.get(xid) ?? new Set()).add(owner));
  }
  return [...byTransaction.values()];
}

interface Plan {
  'Relation Name'?: string;
  Plans?: Plan[];
}
const relationsOf = (plan: Plan): string[] => [
  ...(plan['Relation Name'] ? [plan['Relation Name']] : []),
  ...(plan.Plans ?? []).flatMap(relationsOf),
];

/** The same tables, empty, each with as many partitions as there are machines: the plan then shows which partitions are scanned. */
async function cutTables(client: pg.PoolClient): Promise<void> {
  await client.query('create schema cut');
  for (const table of spread) {
    const by = placeOf(table);
    await client.query(
      `create table cut.${table} (like ${table} including defaults) partition by hash (${by})`,
    );
    for (let part = 0; part < machines; part += 1)
      await client.query(
        `create table cut.${table}_${part} partition of cut.${table} for values with (modulus ${machines}, remainder ${part})`,
      );
  }
  for (const { table, columns, made } of await uniqueKeys()) {
    const by = placeOf(table);
    if (by && columns.includes(by))
      await client.query(made.replace(` ON public.${table} `, ` ON cut.${table} `));
  }
  await client.query('set search_path to cut, public');
}

/** Tables of which a statement scans every partition, and those with a unique index that partitions could not have. */
async function apartIn(
  client: pg.PoolClient,
  sql: string,
  parameters: readonly unknown[],
): Promise<string[]> {
  try {
    const { rows } = await client.query(`explain (format json) ${sql}`, [...parameters]);
    const relations = new Set(relationsOf(rows[0]['QUERY PLAN'][0].Plan));
    return spread.filter((table) =>
      Array.from({ length: machines }, (_, part) => `${table}_${part}`).every((name) => relations.has(name)),
    );
  } catch (error) {
    // ON CONFLICT without a matching unique index.
    if (error instanceof pg.DatabaseError && error.code === '42P10')
      return [/insert into "?(\w+)/i.exec(sql)?.[1] ?? sql];
    throw error;
  }
}

describe('the hot paths', () => {
  it('write for one creator or person in a transaction, and query one machine, except listed ones', async () => {
    const client = await pool.connect();
    await cutTables(client);
    const transactions: string[] = [];
    const questions = new Set<string>();
    for (const [name, run] of await hotPaths()) {
      const [next] = await rowsOf<{ id: string }>(
        'select pg_snapshot_xmax(pg_current_snapshot())::text as id',
      );
      asked = [];
      await run();
      const statements = asked;
      expect(statements.length, name).toBeGreaterThan(0);
      if ((await ownersSince(next?.id ?? '0')).some((owners) => owners.size > 1)) transactions.push(name);
      for (const { sql, parameters } of statements)
        for (const table of await apartIn(client, sql, parameters)) questions.add(`${name}: ${table}`);
    }
    client.release(true);
    expect(transactions.sort()).toEqual(Object.keys(crossNodeTransactions).sort());
    expect([...questions].sort()).toEqual(Object.keys(crossNodeQueries).sort());
  });
});
