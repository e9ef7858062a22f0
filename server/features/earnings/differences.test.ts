import { expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { contextOn } from '#testing/context.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { auditLedger } from './audit.ts';
import { type Difference, listDifferences, showDifference, storeDifferences } from './differences.ts';

const page = { limit: 24, cursor: undefined };

async function open() {
  const database = await freshDatabase();
  const db = await openDatabase(database.url, 2);
  onTestFinished(async () => {
    await db.destroy();
    await database.drop();
  });
  const store = (differences: readonly Difference[], at: string) =>
    inTransaction(db, (trx) => storeDifferences(trx, differences, new Date(at)));
  return { db, context: contextOn(db), store };
}

const creator = newId(new Date());
const ofMonth = (month: string, recorded = 2): Difference => ({
  ...{ what: 'month', id: creator, month, figure: 'views', recorded, derived: 1 },
});

it('an audit covers all creators, also if they do not fit into one range', async () => {
  const { db, context } = await open();
  const creators = Array.from({ length: 10_001 }, () => newId(new Date()));
  // One of them in each of the ranges has a reel that is nowhere.
  const wrong = [creators[0], creators[7500], creators[10_000]];
  await db
    .insertInto('creator_months')
    .values(
      creators.map((creator_id) => ({
        ...{ creator_id, month: '2026-10', reels: wrong.includes(creator_id) ? 1 : 0 },
      })),
    )
    .execute();
  // Also counts of creators without a month: in each range and after the last one.
  const strangers = wrong.map((id = '') => next(id));
  await db
    .insertInto('reel_days')
    .values(
      strangers.map((creator_id) => ({
        ...{
          reel_id: newId(new Date()),
          creator_id,
          day: '2026-10-01',
          verdict: 'counted',
          views: 1,
          without_row: 1,
        },
      })),
    )
    .execute();
  const { differences } = await auditLedger(context);
  const months = differences.filter(({ what }) => what === 'month');
  expect(months.map(({ id }) => id).toSorted()).toEqual([...wrong, ...strangers].toSorted());
  expect(differences.filter(({ what }) => what === 'reel')).toHaveLength(strangers.length);
});

/** The id after this one. */
const next = (id: string) => {
  const number = BigInt(`0x${id.replaceAll('-', '')}`) + 1n;
  return number
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};

it('what an audit found is listed with whom it concerns and since when; what the next one finds no more is gone', async () => {
  const { db, context, store } = await open();
  const [person, withdrawal, reel] = [newId(new Date()), newId(new Date()), newId(new Date())];
  const name = { name: 'Asha', name_key: 'asha', username: 'asha', username_key: 'asha', look_key: 'asha' };
  const mail = { email: 'asha@people.example', email_key: 'asha@people.example', password_hash: null };
  await db
    .insertInto('people')
    .values({ id: person, ...name, ...mail, created_at: new Date() })
    .execute();
  const dates = { requested_at: new Date(), month: '2026-10' };
  await db
    .insertInto('withdrawals')
    .values({ id: withdrawal, creator_id: person, coins: 1, paise: 1, state: 'pending', ...dates })
    .execute();
  await store(
    [
      ofMonth('2026-09'),
      { what: 'withdrawal', id: withdrawal, month: '2026-10', figure: 'coins', recorded: 5, derived: '' },
      { what: 'viewer', id: 'ab12', month: '2026-10', figure: 'views', recorded: 5, derived: 4 },
      { what: 'reel', id: reel, month: '2026-10', figure: 'counted', recorded: 5, derived: 4 },
      { what: 'account', id: 'payouts', month: null, figure: 'paise', recorded: 5, derived: 4 },
    ],
    '2026-11-01T21:43:00Z',
  );
  const { data } = await listDifferences(context, page);
  expect(new Map(data.map(({ what, userId, username }) => [what, [userId, username]]))).toEqual(
    new Map([
      ['account', [null, '']],
      ['reel', [null, '']],
      ['viewer', [null, '']],
      ['withdrawal', [person, 'asha']],
      ['month', [creator, '']],
    ]),
  );
  expect((await listDifferences(context, { ...page, what: 'account' })).data).toHaveLength(1);
  const [account] = (await listDifferences(context, { ...page, what: 'account' })).data;
  expect(await showDifference(context, account?._id ?? '')).toEqual({
    ...{ _id: account?._id, what: 'account', about: 'payouts', userId: null, username: '', month: null },
    ...{ figure: 'paise', recorded: '5', derived: '4', foundAt: '2026-11-01T21:43:00.000Z' },
  });

  await store([ofMonth('2026-09', 3), ofMonth('2026-10')], '2026-11-02T21:43:00Z');
  const next = (await listDifferences(context, page)).data;
  expect(next.map(({ month, recorded, foundAt }) => [month, recorded, foundAt])).toEqual([
    ['2026-10', '2', '2026-11-02T21:43:00.000Z'],
    ['2026-09', '3', '2026-11-01T21:43:00.000Z'],
  ]);
  await expect(showDifference(context, account?._id ?? '')).rejects.toThrow('This no longer exists.');
  await store([], '2026-11-03T21:43:00Z');
  expect((await listDifferences(context, page)).data).toEqual([]);
});

it('an audit that finds very much stores the first thousand, each once, in pages', async () => {
  const { context, store } = await open();
  const many = Array.from({ length: 1500 }, (_, nth) => ofMonth(`${1000 + nth}-01`));
  await store([ofMonth('1000-01'), ...many], '2026-11-01T21:43:00Z');
  let cursor: string | undefined;
  const seen = new Set<string | null>();
  do {
    const { data, nextCursor } = await listDifferences(context, { limit: 100, cursor });
    for (const { month } of data) seen.add(month);
    cursor = nextCursor ?? undefined;
  } while (cursor);
  expect(seen.size).toBe(999);
});
