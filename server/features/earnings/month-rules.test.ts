import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { contextOn } from '#testing/context.ts';
import { personIn } from '#testing/fixtures/earnings.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { mailOfMonth, openShownMonthRules, storePaidPublications } from './month-rules.ts';
import { storeWatchingStart } from './watching-start.ts';

const november = new Date('2026-11-20T06:00:00Z');
let db: Kysely<Tables>;
let now: Date;
beforeEach(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  now = november;
  return async () => {
    await db.destroy();
    await database.drop();
  };
});

const context = (isOn = false) => contextOn(db, { clock: () => now, outbox: { ...noOutbox, isOn } });
const paid = (count: number) => ({ reels: count, posts: count, stories: count });
/** A server starts with these settings. */
async function start(count: number, isOn = false) {
  await storeWatchingStart(context(isOn));
  await storePaidPublications(context(isOn), paid(count));
  return await openShownMonthRules(context(isOn), paid(count));
}

describe('the rules of the month in /api/config', () => {
  it('are those of the current month, also after a setting was changed', async () => {
    await start(10);
    await personIn(db, november);
    const rules = await start(20, true);
    expect(rules('2026-11')).toEqual({ startsIn: null, verifiedOnly: false, paidPublications: paid(10) });
    expect(rules('2026-12')).toEqual({ startsIn: null, verifiedOnly: true, paidPublications: paid(20) });
  });

  it('are those of the first month of watched views, until it begins', async () => {
    await personIn(db, november);
    const rules = await start(10, true);
    const first = { verifiedOnly: true, paidPublications: paid(10) };
    expect(rules('2026-11')).toEqual({ startsIn: '2026-12', ...first });
    expect(rules('2026-12')).toEqual({ startsIn: null, ...first });
  });

  it('include the mail of the month as it was first needed', async () => {
    await mailOfMonth(db, '2026-11', true);
    expect((await start(10))('2026-11').verifiedOnly).toBe(true);
  });
});
