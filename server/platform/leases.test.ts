import { setTimeout as sleep } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { openDatabase } from './database/database.ts';
import type { Tables } from './database/tables.ts';
import { openLeases } from './leases.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Kysely<Tables>;
beforeAll(async () => {
  database = await freshDatabase();
  db = await openDatabase(database.url, 8);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

describe('a lease', () => {
  it('has one holder at a time, across processes', async () => {
    let [inside, most, done] = [0, 0, 0];
    const work = async () => {
      const release = await openLeases(db).take('alone');
      inside += 1;
      most = Math.max(most, inside);
      await sleep(5);
      inside -= 1;
      done += 1;
      await release?.();
    };
    await Promise.all(Array.from({ length: 6 }, work));
    expect({ most, done }).toEqual({ most: 1, done: 6 });
  });

  it('notifies its holder once when another process waits', async () => {
    let wanted = 0;
    const first = await openLeases(db).take('wanted', { wanted: () => (wanted += 1) });
    const second = openLeases(db).take('wanted');
    await expect.poll(() => wanted).toBe(1);
    await first?.();
    const release = await second;
    expect(release).toBeDefined();
    await release?.();
    expect(wanted).toBe(1);
  });

  it('stays with its holder until its work ends, even if others wait', async () => {
    const endsAt = async () =>
      (
        await db.selectFrom('leases').select('ends_at').where('name', '=', 'long').executeTakeFirstOrThrow()
      ).ends_at.getTime();
    let wanted = false;
    const release = await openLeases(db).take('long', {
      wanted: () => {
        wanted = true;
      },
    });
    const second = openLeases(db).take('long');
    await expect.poll(() => wanted).toBe(true);
    const then = await endsAt();
    await expect.poll(endsAt).toBeGreaterThan(then);
    await release?.();
    await (await second)?.();
  });

  it('is not acquired after the timeout, or after the wait was aborted', async () => {
    const release = await openLeases(db).take('held');
    expect(await openLeases(db).take('held', { timeout: 50 })).toBeUndefined();
    expect(await openLeases(db).take('held', { signal: AbortSignal.abort() })).toBeUndefined();
    await release?.();
  });

  it('expires when its holder sends no heartbeats', async () => {
    await sql`insert into leases (name, holder, ends_at) values
      ('silent', gen_random_uuid(), now() - interval '1 millisecond'),
      ('alive', gen_random_uuid(), now() + interval '5 minutes')`.execute(db);
    expect(await openLeases(db).take('alive', { timeout: 0 })).toBeUndefined();
    const release = await openLeases(db).take('silent', { timeout: 0 });
    expect(release).toBeDefined();
    await release?.();
  });

  it('notifies a holder who has lost it, and who cannot release the lease of the next holder', async () => {
    let lost = 0;
    const release = await openLeases(db).take('lost', { wanted: () => (lost += 1) });
    await sql`update leases set holder = gen_random_uuid() where name = 'lost'`.execute(db);
    await expect.poll(() => lost).toBe(1);
    await release?.();
    expect(await openLeases(db).take('lost', { timeout: 0 })).toBeUndefined();
  });
});
