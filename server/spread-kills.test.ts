import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { payeesOf, startTrickle } from '#testing/fixtures/trickle.ts';
import { startAdmin } from '#testing/servers/admin-command.ts';
import { startBreakableCluster } from '#testing/servers/breakable-cluster.ts';
import { migrate, openDatabase } from './platform/database/database.ts';
import { distribute, listSpread, spreadTables } from './platform/database/spread.ts';
import type { Tables } from './platform/database/tables.ts';

/*
 * Only on a cluster: `npm run test:citus`. Nodes and commands are killed while people watch, publish and withdraw: nothing that was answered
 * is lost, nothing is stored twice, and the audit finds no difference.
 */

let cluster: Awaited<ReturnType<typeof startBreakableCluster>>;
/** What the site uses, and what only the test does. */
let site: Kysely<Tables>;
let db: Kysely<Tables>;
const payees: string[] = [];
beforeAll(async () => {
  cluster = await startBreakableCluster();
  await connect();
  await migrate(db);
  payees.push(...(await payeesOf(db, 60)));
});
afterAll(async () => {
  await disconnect();
  await cluster?.remove();
});

async function connect(): Promise<void> {
  site = await openDatabase(cluster.coordinator.url);
  db = await openDatabase(cluster.coordinator.url, 3);
}

async function disconnect(): Promise<void> {
  await site?.destroy();
  await db?.destroy();
}

/** Lets people use the site while something happens, and until they have watched some more after it. */
async function underTrickle(what: () => Promise<void>): Promise<void> {
  const trickle = await startTrickle(site, payees.splice(0, 12));
  await trickle.watchMore(20);
  await what();
  await trickle.watchMore(100);
  await trickle.stop();
  await expectToAgree(trickle);
}

async function expectToAgree(trickle: Awaited<ReturnType<typeof startTrickle>>): Promise<void> {
  // Sessions without connections to nodes that have ended.
  await disconnect();
  await connect();
  // What the coordinator does once a minute.
  await sql`select recover_prepared_transactions()`.execute(db);
  await trickle.expectToAgree(db);
}

it('`distribute`, killed half-way, and the coordinator beside it', async () => {
  await underTrickle(async () => {
    const killed = startAdmin({ DATABASE_URL: cluster.coordinator.url }, ['distribute']);
    await vi.waitUntil(() => runs('select create_distributed_table_concurrently%'), { timeout: 60_000 });
    killed.child.kill('SIGKILL');
    await killed.done;
    await vi.waitUntil(async () => (await listSpread(db)).length === 1, { timeout: 60_000 });

    const cut = expect(distribute(db)).rejects.toThrow();
    await vi.waitUntil(() => runs('select create_distributed_table_concurrently%'), { timeout: 60_000 });
    await cluster.coordinator.kill();
    await cut;
    await cluster.coordinator.start();
    await distribute(db);
    expect(await listSpread(db)).toEqual(spreadTables);
  });
});

it('a worker', async () => {
  await underTrickle(async () => {
    await cluster.worker.kill();
    await cluster.worker.start();
  });
});

it('the coordinator', async () => {
  await underTrickle(async () => {
    await cluster.coordinator.kill();
    await cluster.coordinator.start();
  });
});

it('a rebalance half-way, onto a third worker', async () => {
  await underTrickle(async () => {
    const third = await cluster.addWorker();
    const rebalance = () => sql`select rebalance_table_shards()`.execute(db);
    /** Whether the new worker has begun to take rows. */
    const movesRows = async () => {
      const { rows } = await sql`
        select from run_command_on_workers('select exists (select from pg_subscription)') where result = 't'`.execute(
        site,
      );
      return rows.length > 0;
    };

    const ended = expect(rebalance()).rejects.toThrow();
    await vi.waitUntil(movesRows, { timeout: 60_000 });
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where query like 'select rebalance_table_shards%'`.execute(
      site,
    );
    await ended;
    const cut = expect(rebalance()).rejects.toThrow();
    await vi.waitUntil(movesRows, { timeout: 60_000 });
    await third.kill();
    await cut;
    await third.start();

    await rebalance();
    const { rows } = await sql<{ shards: number }>`
      select count(*)::int as shards from citus_shards where nodeport = ${Number(new URL(third.url).port)}`.execute(
      db,
    );
    expect(rows[0]?.shards).toBeGreaterThan(0);
  });
});

it('a restore of base backups to one restore point has all that was answered until then', async () => {
  const trickle = await startTrickle(site, payees.splice(0, 12));
  await trickle.watchMore(20);
  for (const node of cluster.all) await node.backUp();
  await trickle.watchMore(50);
  await trickle.stop();
  await sql`select citus_create_restore_point('a moment')`.execute(db);
  // Else a node that is not written to keeps the end of its log in memory.
  await sql`select run_command_on_all_nodes('select pg_switch_wal()')`.execute(db);
  const after = await startTrickle(site);
  await after.watchMore(20);
  await after.stop();
  for (const node of cluster.all) await node.kill();
  await Promise.all(cluster.all.map((node) => node.restore('a moment')));
  await expectToAgree(trickle);
});

/** Whether a statement like this runs now. */
async function runs(statement: string): Promise<boolean> {
  const { rows } =
    await sql`select from pg_stat_activity where state = 'active' and query like ${statement}`.execute(site);
  return rows.length > 0;
}
