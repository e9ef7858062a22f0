import { type Kysely, sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { contextOn } from '#testing/context.ts';
import { personIn, publishedReel } from '#testing/fixtures/earnings.ts';
import { showAndWatch } from '#testing/fixtures/watching.ts';
import { addressOf } from '#testing/servers/cluster.ts';
import { freshDatabase, type TestDatabase } from '#testing/servers/postgres.ts';
import { runStatements } from '#testing/servers/statements.ts';
import { makeBackup } from './features/backup/backup.ts';
import { auditLedger } from './features/earnings/audit.ts';
import { createViewRecorder, createWatchRecorder, type WrittenBatch } from './features/views/recorder.ts';
import { findShards } from './features/views/views.queries.ts';
import { migrate, openDatabase } from './platform/database/database.ts';
import { distribute, listSpread, spreadTables, undistribute } from './platform/database/spread.ts';
import type { Tables } from './platform/database/tables.ts';
import { StartupError } from './platform/startup-error.ts';

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
  db = await openDatabase(database.url, 2);
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

it('nothing is moved while another session is connected, and the sentence names it', async () => {
  const site = await connect();
  const sentence =
    'Other sessions are connected to this database (jhalak): stop all processes of the site, and whatever else uses it, first.';
  for (const move of [distribute, undistribute])
    await expect(move(db)).rejects.toThrow(new StartupError(sentence));
  await site.end();
  expect(await listSpread(db)).toEqual(spreadTables);
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

it('tables come back as they were, and are spread again with all their rows', async () => {
  const plain = await freshDatabase('template1');
  const other = await openDatabase(plain.url, 1);
  await migrate(other);
  const wanted = await schemaOf(other);
  await other.destroy();
  await plain.drop();

  const context = contextOn(db, { clock: () => now });
  const creators = await Promise.all([1, 2, 3].map(() => personIn(db, now)));
  const reels = await Promise.all(
    creators.map((creator) => publishedReel(db, creator, now, context.config.timeZone)),
  );
  let recorded = 0;
  const watch = async () => {
    const viewer = Buffer.from(`${recorded}`.padStart(16, '0'));
    const at = new Date(now.getTime() + 60_000);
    const report = { viewer, address: Buffer.alloc(8), signedIn: false, issuedAt: now, at };
    for (const reelId of reels)
      expect(await showAndWatch(context, [{ ...report, reelId, neededMs: 4000 }])).toEqual([true]);
    recorded += 1;
  };
  await watch();
  const back = await undistribute(db);
  expect(back.map(({ table }) => table)).toEqual(spreadTables);
  expect(await schemaOf(db)).toEqual(wanted);

  // Whoever connects while the first table is moved stops it before the next one.
  const stopped = expect(distribute(db)).rejects.toThrow('Other sessions are connected');
  const beside = await openDatabase(addressOf(database.url, 'postgres'), 1);
  await vi.waitUntil(() => isMoving(beside, database.name), { timeout: 60_000 });
  await beside.destroy();
  const site = await connect();
  await stopped;
  await site.end();
  expect(await listSpread(db)).toEqual(spreadTables.slice(0, 1));

  expect((await distribute(db)).map(({ table }) => table)).toEqual(spreadTables.slice(1));
  expect(await listSpread(db)).toEqual(spreadTables);
  expect(await distribute(db)).toEqual([]);

  const rows = await db
    .selectFrom('views')
    .select((eb) => eb.fn.countAll<number>().as('views'))
    .executeTakeFirstOrThrow();
  expect(rows.views).toBe(recorded * reels.length);
  expect((await auditLedger(context)).differences).toEqual([]);
});

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

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

/** How many statements were sent to several shards. */
async function statementsOfSeveralShards(): Promise<number> {
  const { rows } = await sql<{ statements: number }>`
    select query_execution_multi_shard as statements from citus_stat_counters where name = current_database()`.execute(
    db,
  );
  return rows[0]?.statements ?? 0;
}

/** A session as the site has them; it has left the database when `end` resolves. */
async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, application_name: 'jhalak' });
  await client.connect();
  return client;
}

/** Whether a table of this database is being moved. */
async function isMoving(db: Kysely<Tables>, database: string): Promise<boolean> {
  const { rows } = await sql`
    select from pg_stat_activity
    where datname = ${database} and state = 'active' and query like 'select create_distributed_table_concurrently%'`.execute(
    db,
  );
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
