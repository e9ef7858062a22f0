import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freshDatabase } from '../../../testing/postgres.ts';
import { type TcpProxy, tcpProxy } from '../../../testing/tcp-proxy.ts';
import { openDatabase } from './database.ts';
import { watchPulse } from './pulse.ts';
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

/** How many connections a pulse has to this test's database. */
async function open() {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'jhalak pulse'`.execute(db);
  return rows[0]?.count;
}

describe('a pulse that is stopped while it asks', () => {
  it('leaves no connection behind, and calls nobody silent', async () => {
    const heard: unknown[] = [];
    const pulse = watchPulse(proxy.url);
    pulse.listen((silence) => heard.push(silence));
    await expect.poll(open).toBe(1);
    proxy.freeze();
    // Long enough for a question, too short for a silence.
    await sleep(400);
    pulse.stop();
    proxy.thaw();
    await sleep(600);
    expect(await open()).toBe(0);
    expect(heard).toEqual([]);
  });

  it('calls nobody silent before it was connected either', async () => {
    const heard: unknown[] = [];
    proxy.freeze();
    const pulse = watchPulse(proxy.url);
    pulse.listen((silence) => heard.push(silence));
    await sleep(400);
    pulse.stop();
    await sleep(200);
    expect(heard).toEqual([]);
  });
});
