import { type Kysely, sql } from 'kysely';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { contextAt } from '#testing/context.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { accounts, type Step } from '../withdrawals/ledger.ts';
import { countSiteDays, figuresOfSite } from './days.ts';

let url: string;
let db: Kysely<Tables>;
beforeEach(async () => {
  const database = await freshDatabase();
  url = database.url;
  db = await openDatabase(url, 2);
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
});

const count = (at: string) => countSiteDays(contextAt(db, new Date(at)));
const figures = async (at: string, period: 'days' | 'months' = 'days') =>
  await figuresOfSite(contextAt(db, new Date(at)), period);

async function signUp(at: string): Promise<string> {
  const [created_at, email] = [new Date(at), `${newKey()}@people.example`];
  const id = newId(created_at);
  const name = { name: 'Asha', name_key: 'asha', username: id, username_key: id, look_key: id };
  const row = { ...name, id, email, email_key: email, password_hash: null, created_at };
  await db.insertInto('people').values(row).execute();
  return id;
}

async function publish(creator_id: string, at: string, deleted?: string): Promise<void> {
  const [id, published_at, media_key] = [newId(new Date(at)), new Date(at), newKey()];
  const picture = { sha256: Buffer.from(media_key), placeholder: '', width: 640, height: 800, widths: [360] };
  const row = { ...picture, id, creator_id, media_key, caption: '', description: '', published_at };
  await changeWorks(db, (trx) =>
    trx
      .insertInto('posts')
      .values({ ...row, deleted_at: deleted ? new Date(deleted) : null })
      .execute(),
  );
}

async function watch(day: string, verdict: string, views: number): Promise<void> {
  const ids = { reel_id: newId(new Date()), creator_id: newId(new Date()) };
  await db
    .insertInto('reel_days')
    .values({ ...ids, day, verdict, views })
    .execute();
}

/** A withdrawal with these steps. */
async function withdraw(paise: number, steps: Partial<Record<Step, string>>): Promise<void> {
  const now = new Date();
  const id = newId(now);
  const row = { id, creator_id: newId(now), month: '2026-10', coins: 0, paise, requested_at: now };
  await db
    .insertInto('withdrawals')
    .values({ ...row, state: 'pending' })
    .execute();
  for (const [step, at] of Object.entries(steps) as [Step, string][])
    await db
      .insertInto('ledger_transactions')
      .values({ id: newId(now), withdrawal_id: id, step, ...accounts[step], paise, posted_at: new Date(at) })
      .execute();
}

describe('the figures of the site', () => {
  const none = {
    signUps: 0,
    uploads: 0,
    shown: 0,
    watched: 0,
    earnedPaise: 0,
    paidPaise: 0,
    storedBytes: null,
  };

  it('are those of each day of the site’s time zone, from its first day, with a zero where nothing happened', async () => {
    expect(await figures('2026-11-10T06:00:00Z')).toEqual({ data: [], countedAt: null });
    await count('2026-11-10T06:00:00Z');
    expect((await figures('2026-11-10T06:00:00Z')).data).toEqual([]);

    // Half past six in the evening in UTC is midnight.
    const asha = await signUp('2026-11-10T18:29:59Z');
    await signUp('2026-11-12T18:30:00Z');
    await publish(asha, '2026-11-12T18:29:59Z');
    await publish(asha, '2026-11-12T18:30:00Z', '2026-11-12T18:31:00Z');
    await watch('2026-11-12', 'shown', 40);
    await watch('2026-11-12', 'counted', 20);
    await watch('2026-11-12', 'copy', 3);
    await watch('2026-11-12', 'too_early', 5);
    await withdraw(12_345, { requested: '2026-11-12T10:00:00Z', completed: '2026-11-13T10:00:00Z' });
    await withdraw(500, { requested: '2026-11-12T10:00:00Z', rejected: '2026-11-13T10:00:00Z' });
    await withdraw(70, {
      requested: '2026-11-12T10:00:00Z',
      completed: '2026-11-12T11:00:00Z',
      returned: '2026-11-13T10:00:00Z',
    });
    await db
      .insertInto('stored_files')
      .values(
        [
          {
            owner_id: asha,
            key: 'a',
            kind: 'photo',
            state: 'in_use',
            files: '{"a":100,"b":20,"c":null}',
            bytes: 0,
          },
          { owner_id: asha, key: 'b', kind: 'video', state: 'waiting', bytes: 3 },
          { owner_id: asha, key: 'c', kind: 'video', state: 'removed', bytes: 5000 },
        ].map((row) => ({ ...row, touched_at: new Date() })) as never,
      )
      .execute();
    await count('2026-11-13T12:00:00Z');
    expect(await figures('2026-11-13T13:00:00Z')).toEqual({
      data: [
        { ...none, at: '2026-11-10', signUps: 1 },
        { ...none, at: '2026-11-11' },
        { ...none, at: '2026-11-12', uploads: 1, shown: 40, watched: 23, earnedPaise: 12_915, paidPaise: 70 },
        {
          ...none,
          at: '2026-11-13',
          signUps: 1,
          uploads: 1,
          earnedPaise: -500,
          paidPaise: 12_275,
          storedBytes: 123,
        },
      ],
      countedAt: '2026-11-13T12:00:00.000Z',
    });
    expect((await figures('2026-12-01T13:00:00Z', 'months')).data).toEqual([
      {
        at: '2026-11',
        signUps: 2,
        uploads: 2,
        shown: 40,
        watched: 23,
        earnedPaise: 12_415,
        paidPaise: 12_345,
        storedBytes: 123,
      },
    ]);
  });

  it('of a day are the same however often it is counted, and include what was reported until the end of the next day', async () => {
    await signUp('2026-11-10T06:00:00Z');
    await count('2026-11-10T07:00:00Z');
    await count('2026-11-11T07:00:00Z');
    await watch('2026-11-10', 'counted', 2);
    await count('2026-11-11T08:00:00Z');
    const once = (await figures('2026-11-11T08:00:00Z')).data;
    expect(once.map(({ at, watched }) => [at, watched])).toEqual([
      ['2026-11-10', 2],
      ['2026-11-11', 0],
    ]);
    await count('2026-11-11T08:00:00Z');
    expect((await figures('2026-11-11T08:00:00Z')).data).toEqual(once);
    await count('2026-11-12T08:00:00Z');
    // The day before yesterday has its row for good, also where accounts are deleted since.
    await db.deleteFrom('people').execute();
    await count('2026-11-13T08:00:00Z');
    const later = (await figures('2026-11-13T08:00:00Z')).data;
    expect(later.map(({ at, signUps }) => [at, signUps])).toEqual([
      ['2026-11-10', 1],
      ['2026-11-11', 0],
      ['2026-11-12', 0],
      ['2026-11-13', 0],
    ]);
  });

  it('end with today: 30 days, or 12 months', async () => {
    await signUp('2025-01-15T06:00:00Z');
    await count('2026-11-13T08:00:00Z');
    const { data } = await figures('2026-11-13T08:00:00Z');
    expect([data.length, data[0]?.at, data.at(-1)?.at]).toEqual([30, '2026-10-15', '2026-11-13']);
    const months = (await figures('2026-11-13T08:00:00Z', 'months')).data;
    expect([months.length, months[0]?.at, months.at(-1)?.at]).toEqual([12, '2025-12', '2026-11']);
    expect(await db.selectFrom('site_days').select(sql`count(*)::int`.as('days')).executeTakeFirst()).toEqual(
      { days: 668 },
    );
  });
});
