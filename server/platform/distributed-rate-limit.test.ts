import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { openDatabase } from './database/database.ts';
import type { Tables } from './database/tables.ts';
import { deleteExpiredCounts, openDistributedRateLimit } from './distributed-rate-limit.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Kysely<Tables>;
beforeAll(async () => {
  database = await freshDatabase();
  db = await openDatabase(database.url, 4);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const secret = randomBytes(32);
const minute = 60_000;
const processes = (count: number, on = db) =>
  Array.from({ length: count }, () => openDistributedRateLimit(on, secret));
const rows = () => db.selectFrom('rate_limits').selectAll().execute();

describe('a distributed rate limit', () => {
  it('is exact for a limit under eight, also for concurrent requests', async () => {
    const all = processes(3);
    const counts = await Promise.all(
      Array.from({ length: 30 }, (_, place) => all[place % 3]?.add('exact', minute, 5)),
    );
    expect(counts.filter((count) => (count?.current ?? 0) <= 5)).toHaveLength(5);
    for (const one of all) one.close();
  });

  it('lets each process exceed the limit by at most an eighth', async () => {
    const all = processes(4);
    let through = 0;
    for (let round = 0; round < 30; round += 1) {
      const counts = await Promise.all(all.map((one) => one.add('ahead', minute, 80)));
      through += counts.filter(({ current }) => current <= 80).length;
    }
    expect(through).toBeGreaterThanOrEqual(80);
    expect(through).toBeLessThanOrEqual(80 + 4 * 10);
    for (const one of all) one.close();
  });

  it('needs no query for clients far below the limit, and writes their counts within a second', async () => {
    const before = (await rows()).length;
    const [first, second] = processes(2) as [
      ReturnType<typeof openDistributedRateLimit>,
      ReturnType<typeof openDistributedRateLimit>,
    ];
    for (let times = 1; times <= 10; times += 1)
      expect((await first.add('seldom', minute, 80)).current).toBe(times);
    expect(await rows()).toHaveLength(before);
    await expect.poll(async () => (await rows()).length).toBe(before + 1);
    // Another process gets the total with its next write.
    await second.add('seldom', minute, 80);
    await expect.poll(async () => (await second.add('seldom', minute, 800)).current).toBeGreaterThan(11);
    first.close();
    second.close();
  });

  it('starts again when the window ends, in all processes at once', async () => {
    const [first, second] = processes(2) as [
      ReturnType<typeof openDistributedRateLimit>,
      ReturnType<typeof openDistributedRateLimit>,
    ];
    const begun = performance.now();
    const { endsIn } = await first.add('short', 2000, 1);
    expect(endsIn).toBeLessThanOrEqual(2000);
    await sleep(300);
    const other = await second.add('short', 2000, 1);
    // Unless this machine stalled for the whole window.
    if (performance.now() - begun < 1500) expect(other.current).toBe(2);
    await expect.poll(async () => (await second.add('short', 2000, 1)).current).toBe(1);
    first.close();
    second.close();
  });

  it('counts per process without waiting while the database is unavailable', async () => {
    const lost = await openDatabase(database.url, 1);
    await lost.destroy();
    const [one] = processes(1, lost) as [ReturnType<typeof openDistributedRateLimit>];
    const counts: number[] = [];
    for (let times = 0; times < 8; times += 1) counts.push((await one.add('alone', minute, 5)).current);
    expect(counts).toEqual([1, 2, 3, 4, 5, 6, 6, 6]);
    one.close();
  });

  it('is deleted from the database after its window', async () => {
    const [one] = processes(1) as [ReturnType<typeof openDistributedRateLimit>];
    await one.add('over', 1, 1);
    await expect
      .poll(async () => {
        await deleteExpiredCounts(db);
        return (await rows()).filter(({ ends_at }) => ends_at < new Date()).length;
      })
      .toBe(0);
    one.close();
  });
});
