import { type Kysely, sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest';
import { personIn } from '#testing/fixtures/earnings.ts';
import { reelsOf, reportOf, startTrickle, trickleContext, trickleTime } from '#testing/fixtures/trickle.ts';
import { startAdmin } from '#testing/servers/admin-command.ts';
import { addressOf } from '#testing/servers/cluster.ts';
import { freshDatabase, type TestDatabase } from '#testing/servers/postgres.ts';
import { runStatements } from '#testing/servers/statements.ts';
import { makeBackup } from './features/backup/backup.ts';
import { auditLedger } from './features/earnings/audit.ts';
import { openLaneFinder } from './features/views/lanes.ts';
import { createViewRecorder, createWatchRecorder, type WrittenBatch } from './features/views/recorder.ts';
import { findShards } from './features/works/shards.ts';
import { creatorsOf } from './features/works/works.ts';
import { DatabaseUnresponsive, isDatabaseUnavailable } from './platform/database/availability.ts';
import { migrate, openDatabase } from './platform/database/database.ts';
import { keepTablesInPlace } from './platform/database/places.ts';
import { distribute, listSpread, spreadTables, undistribute } from './platform/database/spread.ts';
import type { Tables } from './platform/database/tables.ts';

/* Only on a cluster: `npm run test:citus`. */

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

it('every listed table is spread, by its creator or its person', async () => {
  expect(await listSpread(db)).toEqual(spreadTables);
  const { rows } = await sql`
    select distribution_column as by, count(*)::int as tables, min(shard_count)::int as shards, count(distinct colocation_id)::int as places
    from citus_tables where citus_table_type = 'distributed' group by 1 order by 1`.execute(db);
  const [shards, places] = [4, 1];
  expect(rows).toEqual([
    { by: 'creator_id', tables: spreadTables.length - 3, shards, places },
    { by: 'person_id', tables: 3, shards, places },
  ]);
});

it('a backup is refused, and names the way', async () => {
  const site = { db, url: database.url, storage: undefined as never };
  await expect(makeBackup(site, '/nowhere', undefined, new Date())).rejects.toThrow(
    'citus_create_restore_point',
  );
});

it('views of many creators are written shard by shard, and no statement is about two shards', async () => {
  const reels = await reelsOf(db, 16);
  const shards = new Set((await shardsOf(reels)).values());
  const [shown, watched]: [WrittenBatch[], WrittenBatch[]] = [[], []];
  const show = createViewRecorder(trickleContext(db), (batch) => shown.push(batch));
  const watch = createWatchRecorder(trickleContext(db), (batch) => watched.push(batch));
  const viewer = await personIn(db, trickleTime);
  const before = await statementsOfSeveralShards();
  await Promise.all(
    reels.map((reelId) => show({ reelId, personId: undefined, bot: false, at: trickleTime })),
  );
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

it('views of one reel that arrive together look its shard up once', async () => {
  const [reel = ''] = await reelsOf(db, 1);
  let asked = 0;
  const meanwhile: Promise<string>[] = [];
  const laneOf = openLaneFinder({
    db: db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        if (!result.rows.some((row) => 'shard' in row)) return result;
        asked += 1;
        if (asked === 1) meanwhile.push(laneOf(reel), laneOf(reel));
        return result;
      },
    }),
  });
  const shard = (await shardsOf([reel])).get(reel);
  const lanes = [await laneOf(reel), ...(await Promise.all(meanwhile)), await laneOf(reel)];
  expect(lanes).toEqual([shard, shard, shard, shard]);
  expect(asked).toBe(1);
});

it('an audit finds nothing while creators are watched', async () => {
  const site = await openDatabase(database.url);
  const trickle = await startTrickle(site);
  for (let times = 0; times < 5; times += 1)
    expect((await auditLedger(trickleContext(db))).differences).toEqual([]);
  await trickle.stop();
  await site.destroy();
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

  await insertWithoutPeople();
  const writer = await insertWithOneId();
  const site = await openDatabase(database.url);
  const trickle = await startTrickle(site);
  const returned = undistribute(db);
  // Who asks meanwhile is refused at once, and holds no connection.
  await expect.poll(() => refusal(site)).toBeInstanceOf(DatabaseUnresponsive);
  expect((await returned).map(({ table }) => table)).toEqual(spreadTables.toReversed());
  expect(await schemaOf(db)).toEqual(wanted);
  expect(await countWithoutPeople()).toEqual([0, 0, 0]);
  // Ids of comments are random again where one was used for reels of two creators, and nothing else is changed.
  expect(await textsOf(writer)).toEqual(['One', 'Two']);

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

  // If the session ends that lets writes wait, the copying is ended, too.
  const unkept = expect(distribute(db)).rejects.toThrow('The session that lets writes wait has ended');
  await vi.waitUntil(isCopying, { timeout: 60_000 });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where ${keeps}`.execute(db);
  await unkept;
  expect(await listSpread(db)).toEqual(spreadTables.slice(0, 2));

  // The last seconds of a copy wait for whoever writes for long, and let others write meanwhile.
  const released = Promise.withResolvers<void>();
  const long = site.transaction().execute(async (trx) => {
    await keepTablesInPlace(trx);
    await released.promise;
  });
  const spreading = distribute(db);
  await vi.waitUntil(waitsForWriters, { timeout: 120_000 });
  expect(await refusal(site)).toBeUndefined();
  released.resolve();
  await long;
  const moved = await spreading;
  expect(moved.map(({ table }) => table)).toEqual(spreadTables.slice(2));
  expect(Math.max(...moved.map(({ waited }) => waited))).toBeLessThan(5);
  expect(await listSpread(db)).toEqual(spreadTables);
  expect(await distribute(db)).toEqual([]);

  const { longest } = await trickle.stop();
  await site.destroy();
  expect(longest).toBeLessThan(10);
  await trickle.expectToAgree(db);
  // A busy machine takes 20 seconds for a table.
}, 900_000);

it('while a worker is down, views of its creators are refused for now, and others count', async () => {
  const reels = await reelsOf(db, 16);
  const down = inject('nodes')[1] ?? '';
  const { rows } = await sql<{ shard: string }>`
    select shardid::text as shard from citus_shards
    where table_name = 'views'::regclass and nodeport = ${Number(new URL(down).port)}`.execute(db);
  const shards = rows.map(({ shard }) => shard);
  const places = new Map([...(await shardsOf(reels))].map(([id, shard]) => [id, shards.includes(shard)]));
  const show = createViewRecorder(trickleContext(db));
  const showAll = async () =>
    await Promise.all(
      reels.map((reelId) =>
        show({ reelId, personId: undefined, bot: false, at: trickleTime }).then(
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
  const site = await openDatabase(database.url);
  const trickle = await startTrickle(site);
  const worker = inject('nodes')[1] ?? '';
  for (let times = 0; times < 20; times += 1) await runStatements(worker, endSessions());
  await reconnect();
  // What the coordinator does once a minute: it ends what was prepared and neither committed nor rolled back.
  await sql`select recover_prepared_transactions()`.execute(db);
  await trickle.stop();
  await site.destroy();
  await sql`select recover_prepared_transactions()`.execute(db);
  await trickle.expectToAgree(db);
});

/** Sessions without connections to nodes that have ended. */
async function reconnect(): Promise<void> {
  await db.destroy();
  db = await openDatabase(database.url);
}

/** Ends all sessions of this database on a node. */
const endSessions = () =>
  `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${database.name}'`;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

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

/** The session beside it, which lets writes wait. */
const keeps = sql`datname = current_database() and state = 'active' and query like 'do %lock_shard_metadata%'`;

/** Whether that session waits for whoever writes. */
async function waitsForWriters(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where ${keeps} and wait_event = 'advisory'`.execute(
    db,
  );
  return rows.length > 0;
}

/** Why whoever writes now is refused, if so. */
const refusal = (site: Kysely<Tables>) =>
  site
    .transaction()
    .execute(keepTablesInPlace)
    .catch((error) => error);

async function isCopying(): Promise<boolean> {
  const { rows } = await sql`select from pg_stat_activity where ${copies}`.execute(db);
  return rows.length > 0;
}

/** The shards of the creators of these reels. */
async function shardsOf(reels: readonly string[]): Promise<Map<string, string>> {
  const creators = await creatorsOf(db, reels);
  const shards = new Map(
    (await findShards(db, [...creators.values()])).map(({ creatorId, shard }) => [creatorId, shard]),
  );
  return new Map([...creators].map(([reel, creator]) => [reel, shards.get(creator) ?? '']));
}

/** A person who was deleted while these rows were in doubt: a node committed them afterwards. */
const gone = v7();

async function insertWithoutPeople(): Promise<void> {
  const [reel = ''] = await reelsOf(db, 1);
  const receiver = await personIn(db, trickleTime);
  await sql`insert into reel_likes (reel_id, creator_id, person_id, liked_at) values (${reel}, ${v7()}, ${gone}, now())`.execute(
    db,
  );
  await sql`insert into notifications (id, person_id, kind, sender_id, about_id, fact_id, created_at)
    values (${v7()}, ${receiver}, 'follow', ${gone}, ${gone}, ${gone}, now())`.execute(db);
  await insertComment(reel, v7(), { person_id: gone, text: 'In doubt', sent_as: v7() });
  expect(await countWithoutPeople()).toEqual([1, 1, 1]);
}

const insertComment = async (
  reel_id: string,
  creator_id: string,
  row: { person_id: string; text: string; sent_as: string },
) =>
  await db
    .insertInto('reel_comments')
    .values({ ...row, id: v7(), reel_id, creator_id, created_at: trickleTime })
    .execute();

/** Comments on reels of two creators that were sent with the same id; returns who wrote them. */
async function insertWithOneId(): Promise<string> {
  const person_id = await personIn(db, trickleTime);
  const sent_as = v7();
  for (const text of ['One', 'Two']) {
    const [reel = ''] = await reelsOf(db, 1);
    await insertComment(reel, v7(), { person_id, text, sent_as });
  }
  return person_id;
}

const textsOf = async (writer: string) => {
  const rows = await db
    .selectFrom('reel_comments')
    .select('text')
    .where('person_id', '=', writer)
    .orderBy('id')
    .execute();
  return rows.map(({ text }) => text);
};

const countWithoutPeople = async () => {
  const count = async (table: 'reel_likes' | 'reel_comments' | 'notifications', column: string) =>
    (await db.selectFrom(table).select('person_id').where(sql.ref(column), '=', gone).execute()).length;
  return [
    await count('reel_likes', 'person_id'),
    await count('reel_comments', 'person_id'),
    await count('notifications', 'sender_id'),
  ];
};

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
