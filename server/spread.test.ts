import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { contextOn } from '#testing/context.ts';
import { personIn, publishedReel } from '#testing/fixtures/earnings.ts';
import { startAdmin } from '#testing/servers/admin-command.ts';
import { addressOf } from '#testing/servers/cluster.ts';
import { freshDatabase, type TestDatabase } from '#testing/servers/postgres.ts';
import { runStatements } from '#testing/servers/statements.ts';
import { makeBackup } from './features/backup/backup.ts';
import { auditLedger } from './features/earnings/audit.ts';
import { createViewRecorder, createWatchRecorder, type WrittenBatch } from './features/views/recorder.ts';
import { findShards } from './features/views/views.queries.ts';
import { isDatabaseUnavailable } from './platform/database/availability.ts';
import { retryOnConflict } from './platform/database/conflicts.ts';
import { migrate, openDatabase } from './platform/database/database.ts';
import { distribute, listSpread, spreadTables, undistribute } from './platform/database/spread.ts';
import type { Tables } from './platform/database/tables.ts';

/* Only on a cluster: `npm run test:citus`. */

const now = new Date('2026-11-15T12:00:00Z');
let database: TestDatabase;
let db: Kysely<Tables>;
beforeAll(async () => {
  database = await freshDatabase();
  await runStatements(
    addressOf(database.url, 'postgres'),
    `alter database ${database.name} set citus.enable_stat_counters = on`,
  );
  db = await openDatabase(database.url);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const contextOf = (site: Kysely<Tables>) => contextOn(site, { clock: () => now });

it('every listed table is spread, by its creator', async () => {
  expect(await listSpread(db)).toEqual(spreadTables);
  const { rows } = await sql`
    select distinct distribution_column, shard_count::int, colocation_id = min(colocation_id) over () as together
    from citus_tables where citus_table_type = 'distributed'`.execute(db);
  expect(rows).toEqual([{ distribution_column: 'creator_id', shard_count: 4, together: true }]);
});

it('a backup is refused, and names the way', async () => {
  const site = { db, url: database.url, storage: undefined as never };
  await expect(makeBackup(site, '/nowhere', undefined, now)).rejects.toThrow('citus_create_restore_point');
});

it('views of many creators are written shard by shard, and no statement is about two shards', async () => {
  const reels = await reelsOf(16);
  const shards = new Set((await findShards(db, reels)).map(({ shard }) => shard));
  const [shown, watched]: [WrittenBatch[], WrittenBatch[]] = [[], []];
  const show = createViewRecorder(contextOf(db), (batch) => shown.push(batch));
  const watch = createWatchRecorder(contextOf(db), (batch) => watched.push(batch));
  const viewer = await personIn(db, now);
  const before = await statementsOfSeveralShards();
  await Promise.all(reels.map((reelId) => show({ reelId, personId: undefined, bot: false, at: now })));
  const answers = await Promise.all(
    reels.map((reelId) => watch({ ...reportOf('a viewer'), reelId, signedIn: true, personId: viewer })),
  );
  // A minute is enough for 15 views of 4 seconds.
  expect(answers.filter(Boolean)).toHaveLength(15);
  const sizes = [shown, watched].map((batches) => batches.map(({ views }) => views));
  expect(sizes.map((all) => [all.length, sum(all)])).toEqual([
    [shards.size, reels.length],
    [shards.size, reels.length],
  ]);
  expect(shards.size).toBeGreaterThan(1);
  expect(await statementsOfSeveralShards()).toBe(before);
});

it('a later migration reaches all nodes', async () => {
  await sql`alter table views add column later integer not null default 7`.execute(db);
  await sql`create index if not exists views_later on views (creator_id, later)`.execute(db);
  await sql`alter table views drop column later`.execute(db);
});

it('tables come back as they were, and are spread again, while the site counts each view once', async () => {
  const plain = await freshDatabase('template1');
  const other = await openDatabase(plain.url, 1);
  await migrate(other);
  const wanted = await schemaOf(other);
  await other.destroy();
  await plain.drop();

  const site = await openDatabase(database.url);
  const before = await countViews();
  const watching = await watchOn(site);
  const back = await undistribute(db);
  expect(back.map(({ table }) => table)).toEqual(spreadTables);
  expect(await schemaOf(db)).toEqual(wanted);

  // The command is killed while a table is copied: the coordinator goes on with that one, and the next command with the others.
  const killed = startAdmin({ DATABASE_URL: database.url }, ['distribute']);
  await vi.waitUntil(isCopying, { timeout: 60_000 });
  killed.child.kill('SIGKILL');
  await killed.done;
  // So does the next one if its session ends while a table is copied.
  const ended = expect(distribute(db)).rejects.toThrow();
  await vi.waitUntil(async () => (await listSpread(db)).length === 2 && (await isCopying()), {
    timeout: 120_000,
  });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${copies}`.execute(db);
  await ended;
  expect(await listSpread(db)).toEqual(spreadTables.slice(0, 2));

  const moved = await distribute(db);
  expect(moved.map(({ table }) => table)).toEqual(spreadTables.slice(2));
  expect(Math.max(...moved.map(({ waited }) => waited))).toBeLessThan(5);
  expect(await listSpread(db)).toEqual(spreadTables);
  expect(await distribute(db)).toEqual([]);

  const { counted, longest } = await watching.stop();
  await site.destroy();
  expect(await countViews()).toBe(before + counted);
  expect(longest).toBeLessThan(10);
  expect((await auditLedger(contextOf(db))).differences).toEqual([]);
});

it('while a worker is down, views of its creators are refused for now, and others count', async () => {
  const reels = await reelsOf(16);
  const down = inject('nodes')[1] ?? '';
  const { rows } = await sql<{ shard: string }>`
    select shardid::text as shard from citus_shards
    where table_name = 'views'::regclass and nodeport = ${Number(new URL(down).port)}`.execute(db);
  const shards = rows.map(({ shard }) => shard);
  const places = new Map((await findShards(db, reels)).map(({ id, shard }) => [id, shards.includes(shard)]));
  const show = createViewRecorder(contextOf(db));
  const showAll = async () =>
    await Promise.all(
      reels.map((reelId) =>
        show({ reelId, personId: undefined, bot: false, at: now }).then(
          () => 'counted',
          (error) => (isDatabaseUnavailable(error) ? 'refused' : error),
        ),
      ),
    );
  expect(await showAll()).toEqual(reels.map(() => 'counted'));
  await runStatements(down, `alter database ${database.name} with allow_connections false`, endSessions());
  expect(await showAll()).toEqual(reels.map((id) => (places.get(id) ? 'refused' : 'counted')));
  await runStatements(down, `alter database ${database.name} with allow_connections true`);
  // Each session of the coordinator finds once that its connection to the node has ended.
  await expect.poll(showAll).toEqual(reels.map(() => 'counted'));
  await reconnect();
});

it('views that were answered are not lost if sessions of a worker end, and none counts twice', async () => {
  const before = await countViews();
  const site = await openDatabase(database.url);
  const watching = await watchOn(site);
  const worker = inject('nodes')[1] ?? '';
  for (let times = 0; times < 20; times += 1) await runStatements(worker, endSessions());
  await reconnect();
  // What the coordinator does once a minute: it ends what was prepared and neither committed nor rolled back.
  await sql`select recover_prepared_transactions()`.execute(db);
  const { counted } = await watching.stop();
  await site.destroy();
  await sql`select recover_prepared_transactions()`.execute(db);
  expect(await countViews()).toBe(before + counted);
  expect((await auditLedger(contextOf(db))).differences).toEqual([]);
});

/** Sessions without connections to nodes that have ended. */
async function reconnect(): Promise<void> {
  await db.destroy();
  db = await openDatabase(database.url);
}

/** Ends all sessions of this database on a node. */
const endSessions = () =>
  `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database.name}'`;

/** A reel of each of so many new creators. */
async function reelsOf(many: number): Promise<string[]> {
  const creators = await Promise.all(Array.from({ length: many }, () => personIn(db, now)));
  const { timeZone } = contextOf(db).config;
  return await Promise.all(creators.map((creator) => publishedReel(db, creator, now, timeZone)));
}

/** A showing that is reported after a minute. */
const reportOf = (viewer: string) => ({
  viewer: Buffer.from(viewer.padStart(16)),
  address: Buffer.alloc(8),
  signedIn: false,
  issuedAt: now,
  at: new Date(now.getTime() + 60_000),
  neededMs: 4000,
});

/**
 * Lets eight visitors watch one reel after the other, and ask again while the database is not available. `stop` returns how many of their views
 * counted, and how many seconds the longest answer took.
 */
async function watchOn(site: Kysely<Tables>) {
  const reels = await reelsOf(8);
  const [show, watch] = [createViewRecorder(contextOf(site)), createWatchRecorder(contextOf(site))];
  let [isOver, counted, longest] = [false, 0, 0];
  async function answer<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      const began = performance.now();
      try {
        return await retryOnConflict(call);
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
      } finally {
        longest = Math.max(longest, (performance.now() - began) / 1000);
      }
    }
  }
  const visitors = Array.from({ length: 8 }, async (_, visitor) => {
    for (let number = 0; !isOver; number += 1) {
      const reelId = reels[(visitor + number) % reels.length] ?? '';
      await answer(() => show({ reelId, personId: undefined, bot: false, at: now }));
      const report = reportOf(`${visitor} ${number}`);
      expect(await answer(() => watch({ ...report, reelId }))).toBe(true);
      counted += 1;
    }
  });
  const all = Promise.all(visitors);
  all.catch(() => undefined);
  return {
    async stop() {
      isOver = true;
      await all;
      return { counted, longest };
    },
  };
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

async function countViews(): Promise<number> {
  const { views } = await db
    .selectFrom('views')
    .select((eb) => eb.fn.countAll<number>().as('views'))
    .executeTakeFirstOrThrow();
  return views;
}

/** How many statements were sent to several shards. */
async function statementsOfSeveralShards(): Promise<number> {
  const { rows } = await sql<{ statements: number }>`
    select query_execution_multi_shard as statements from citus_stat_counters where name = current_database()`.execute(
    db,
  );
  return rows[0]?.statements ?? 0;
}

/** The session that copies a table of this database, in `pg_stat_activity`. */
const copies = sql`datname = current_database() and state = 'active' and query like 'select create_distributed_table_concurrently%'`;

async function isCopying(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where ${copies}`.execute(db);
  return rows.length > 0;
}

/** Keys, indexes and triggers of all tables. */
async function schemaOf(db: Kysely<Tables>): Promise<unknown> {
  const { rows } = await sql`
    select conrelid::regclass::text as of, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
      where connamespace = 'public'::regnamespace
    union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    union all select tgrelid::regclass::text, tgname, pg_get_triggerdef(pg_trigger.oid) from pg_trigger join pg_class on pg_class.oid = tgrelid
      where not tgisinternal and relnamespace = 'public'::regnamespace
    order by 1, 2, 3`.execute(db);
  return rows;
}
