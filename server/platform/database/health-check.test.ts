import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { type TcpProxy, tcpProxy } from '#testing/servers/tcp-proxy.ts';
import { DatabaseUnresponsive } from './availability.ts';
import { openDatabase } from './database.ts';
import { startHealthCheck } from './health-check.ts';
import type { Tables } from './tables.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Kysely<Tables>;
let proxy: TcpProxy;
beforeEach(async () => {
  database = await freshDatabase();
  db = await openDatabase(database.url, 1);
  proxy = await tcpProxy(database.url);
});
afterEach(async () => {
  await proxy.close();
  await db.destroy();
  await database.drop();
});

/** Number of connections of health checks to this test's database. */
async function open() {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'jhalak health'`.execute(db);
  return rows[0]?.count;
}

describe('a health check that is stopped during a check', () => {
  it('closes its connection and reports no failure', async () => {
    const heard: unknown[] = [];
    const health = startHealthCheck(proxy.url);
    health.onChange((failure) => heard.push(failure));
    await expect.poll(open).toBe(1);
    proxy.freeze();
    // Long enough for one check, too short to count as a failure.
    await sleep(400);
    health.stop();
    proxy.thaw();
    await sleep(600);
    expect(await open()).toBe(0);
    expect(heard).toEqual([]);
  });

  it('reports no failure if it was not connected yet', async () => {
    const heard: unknown[] = [];
    proxy.freeze();
    const health = startHealthCheck(proxy.url);
    health.onChange((failure) => heard.push(failure));
    await sleep(400);
    health.stop();
    await sleep(200);
    expect(heard).toEqual([]);
  });
});

describe('a database that does not respond', () => {
  it('may be slow while the program starts, and counts as unresponsive soon afterwards', async () => {
    const health = startHealthCheck(proxy.url);
    await expect.poll(open).toBe(1);
    proxy.freeze();
    await sleep(2500);
    expect(health.failure).toBeUndefined();
    health.endStart();
    const ended = performance.now();
    await expect.poll(() => health.failure, { interval: 20 }).toBeInstanceOf(DatabaseUnresponsive);
    expect(performance.now() - ended).toBeLessThan(5000);
    health.stop();
  });
});
