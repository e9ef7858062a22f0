import type { Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditLedger } from '#server/features/earnings/audit.ts';
import { showHistory } from '#server/features/earnings/history.ts';
import { closeMonths } from '#server/features/months/closing.ts';
import { worthOfMonth } from '#server/features/months/month-worth.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn, keyringOfTests } from '#testing/context.ts';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { clips } from '../clips/catalogue.ts';
import { before, contextAt, type Demo } from '../demo.ts';
import { note } from '../progress.ts';
import { idOf, joinPeople } from '../society.ts';
import { addHistory } from './history.ts';
import { addMoney } from './money.ts';
import { addWatching } from './watching.ts';

/* The demo's past without files: its reels are published without pictures and videos. */
const timeZone = 'Asia/Kolkata';
const now = new Date('2026-11-23T12:00:00+05:30');

let db: Kysely<Tables>;
let demo: Demo;
let end: () => Promise<void>;
beforeAll(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  end = async () => {
    await db.destroy();
    await database.drop();
  };
  const ids = await joinPeople(db, 'of the demo 42', now);
  const { keyring } = contextOn(db, { keyring: keyringOfTests });
  const { signal } = new AbortController();
  // This test makes no files.
  const storage = undefined as unknown as Demo['storage'];
  demo = { db, storage, keyring: keyring as Demo['keyring'], timeZone, now, ids, signal };
  for (const [index, { by, daysAgo }] of clips.entries()) {
    // The newest reels earn nothing in a finished month.
    if (daysAgo < 30) continue;
    const id = await publishedReel(db, idOf(ids, by), before(now, daysAgo), timeZone);
    await note(db, `clip ${index}`, id);
    await addHistory(demo, index);
  }
  // It is interrupted once, and continued.
  let batches = 0;
  const throwIfAborted = () => {
    batches += 1;
    if (batches === 10) throw new Error('cut off');
  };
  await expect(addWatching({ ...demo, signal: { ...signal, throwIfAborted } })).rejects.toThrow('cut off');
  await addWatching(demo);
  await closeMonths(contextAt(demo, now));
  await addMoney(demo);
}, 120_000);
afterAll(() => end());

const historyOf = (username: string) => showHistory(contextAt(demo, now), idOf(demo.ids, username));
/** The states of all months with a withdrawal. */
const payoutsOf = async (username: string) =>
  (await historyOf(username)).data.flatMap(({ payout, carriedBy }) => (payout && !carriedBy ? [payout] : []));

describe('the months of the demo', () => {
  it('are paid by watched views of at least 20 established viewers', async () => {
    const creatorId = idOf(demo.ids, 'leela.rangoli');
    for (const month of ['2026-09', '2026-10'])
      expect((await worthOfMonth(contextAt(demo, now), creatorId, month)).accounts).toBeGreaterThanOrEqual(
        20,
      );
    const { data } = await historyOf('leela.rangoli');
    expect(data.find(({ withdrawable }) => withdrawable)?.payablePaise).toBeGreaterThanOrEqual(100);
  });

  it.each([
    ['mira.monsoon', 'waiting_for_destination'],
    ['pihu.plumes', 'in_review'],
    ['ishaan.nights', 'paid'],
    ['aarav.skies', 'returned'],
  ])('of %s have one withdrawal, whose payout is %s', async (username, payout) => {
    expect(await payoutsOf(username)).toEqual([payout]);
  });

  it('include one with views that wait, and one with void views', async () => {
    const dev = (await historyOf('dev.darya')).data;
    expect(dev.filter(({ waitingViews, state }) => waitingViews > 0 && state !== 'current')).not.toEqual([]);
    const voids = db.selectFrom('adjustments').select('creator_id').where('kind', '=', 'void_waiting');
    expect(await voids.execute()).toEqual([{ creator_id: idOf(demo.ids, 'gauri.garden') }]);
  });

  it('agree with the audit, although the demo was interrupted once', async () => {
    expect((await auditLedger(contextOn(db))).differences).toEqual([]);
  });
});
