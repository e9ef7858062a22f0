import { randomUUID } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { watchWithheld } from './withheld.ts';

/*
 * The timers are controlled, so the result does not depend on the speed of the machine. No server runs in this file, because its timers would
 * be controlled, too.
 */

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Kysely<Tables>;
beforeAll(async () => {
  database = await freshDatabase();
  db = await openDatabase(database.url, 1);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Another process takes down a file. */
async function withhold(): Promise<string> {
  const key = randomUUID();
  const state = { kind: 'photo', state: 'withheld', bytes: 1, touched_at: new Date() } as const;
  await db
    .insertInto('stored_files')
    .values({ owner_id: randomUUID(), key, ...state })
    .execute();
  return key;
}

/** Waits until the queries that were sent before are answered: there is only one connection. */
async function answered(): Promise<void> {
  await sql`select 1`.execute(db);
  await new Promise((resolve) => setImmediate(resolve));
}

it('a process asks which content is withheld at least every 0.9 s, so that an act of another one takes effect within 1 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  let changes = 0;
  const withheld = watchWithheld(db, () => {
    changes += 1;
  });
  await answered();
  for (const round of [1, 2, 3]) {
    const key = await withhold();
    expect(await withheld.has(key)).toBe(false);
    vi.advanceTimersByTime(900);
    await answered();
    expect(await withheld.has(key)).toBe(true);
    expect(changes).toBe(round);
  }
  withheld.close();
});
