import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql, type Transaction } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { noOutbox } from '#server/platform/outbox.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import { contextOn } from '#testing/context.ts';
import { personIn, publishedReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { showAndWatch, watchedByMany } from '#testing/fixtures/watching.ts';
import { randomFrom } from '#testing/random.ts';
import { countLockWaits } from '#testing/servers/lock-waits.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { howMany } from '#testing/share.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { likePost } from '../posts-and-stories/likes.ts';
import { countAsOwn } from '../posts-and-stories/own-work.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { deleteReel } from '../reels/deletion.ts';
import { countReelAsOwn } from '../reels/own-work.ts';
import { updateEstablished } from '../views/established.ts';
import { createWatchRecorder } from '../views/recorder.ts';
import { personHasher, viewerOf } from '../views/viewers.ts';
import { recordShowings } from '../views/views.ts';
import type { WatchedReel } from '../views/watched.ts';
import { auditLedger } from './audit.ts';
import { closeMonth, preventClosing } from './closing.ts';
import { showHistory, worthOfMonth } from './earnings.ts';
import { showMonth } from './month-detail.ts';
import { addToMonths } from './months.ts';
import { releaseMonth, releaseMonthOfAll, voidMonth } from './releases.ts';
import { replaceSetting } from './settings.queries.ts';
import { withdraw } from './withdrawals.ts';

/* Each test has its own database, since the value of an account depends on the whole site. Months are of India. */
const zone = 'Asia/Kolkata';
const minute = 60_000;
const day = 24 * 60 * minute;
const month = '2026-11';
const at = (date: string, hour = 12) => new Date(Date.parse(`${date}T00:00:00+05:30`) + hour * 60 * minute);
const longAgo = at('2026-09-01');

let db: Kysely<Tables>;
let end: () => Promise<void>;
let now: Date;
/** Whether the server sends mail. */
let isOn: boolean;
let creators: string[];
let reels: string[];
beforeEach(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  end = async () => {
    await db.destroy();
    await database.drop();
  };
  isOn = true;
  now = at('2026-11-02');
  creators = [];
  reels = [];
  for (let made = 0; made < 6; made += 1) {
    const creator = await personIn(db, longAgo);
    creators.push(creator);
    reels.push(await publishedReel(db, creator, longAgo, zone));
  }
  return () => end();
});

const context = () => contextOn(db, { clock: () => now, outbox: { ...noOutbox, isOn } });
const [creatorOf, reelOf] = [(place: number) => creators[place] ?? '', (place: number) => reels[place] ?? ''];

/** A signed-in viewer, verified by default. */
async function somebody({ joined = longAgo, verified = longAgo as Date | null } = {}): Promise<string> {
  const id = await personIn(db, joined);
  await db.updateTable('people').set({ email_verified_at: verified }).where('id', '=', id).execute();
  return id;
}

/** Verifies or suspends an account. */
async function change(
  trx: Transaction<Tables>,
  id: string,
  values: { email_verified_at: Date } | { suspended_at: Date },
): Promise<void> {
  const open = await preventClosing(trx);
  await trx.updateTable('people').set(values).where('id', '=', id).execute();
  await updateEstablished(open, context(), { personId: id, at: now });
}

/** Waits until a transaction waits for a row lock, or this work is done without one. */
async function blockedOrDone(work: Promise<unknown>): Promise<void> {
  let isDone = false;
  const finish = () => {
    isDone = true;
  };
  work.then(finish, finish);
  await expect.poll(async () => isDone || (await countLockWaits(db)) > 0).toBe(true);
}

const clockOf = new Map<string, number>();
/** A person watches a reel on a day; the showings of one viewer follow one another. */
async function watch(
  personId: string,
  reelId: string,
  on: Date,
  inside = context(),
): Promise<boolean | undefined> {
  const since = (clockOf.get(`${personId} ${on.getTime()}`) ?? 0) + minute;
  clockOf.set(`${personId} ${on.getTime()}`, since);
  const reportedAt = new Date(on.getTime() + since);
  const viewer = viewerOf(context().keyring.secret('viewers'), { personId, address: '', userAgent: '' });
  const [counts] = await showAndWatch(inside, [
    {
      reelId,
      viewer,
      address: Buffer.alloc(8),
      signedIn: true,
      personId,
      issuedAt: new Date(reportedAt.getTime() - minute / 2),
      at: reportedAt,
      neededMs: 4000,
    },
  ]);
  return counts;
}

const crowd = (reelId: string, many: number, on: Date) => watchedByMany(context(), reelId, many, on);

interface Habit {
  of?: number;
  days?: number;
  views?: number;
  from?: string;
}

/** Watches this many times, this many creators, on this many days, starting with the first creator. */
async function watchMuch(
  personId: string,
  { of = 5, days = 3, views = 10, from = '2026-11-10' }: Habit = {},
) {
  const turns = Array.from({ length: views }, (_, turn) => ({ place: turn % of, after: turn % days }));
  // The clock of a viewer only moves forward.
  for (const { place, after } of turns.sort((one, other) => one.after - other.after))
    expect(await watch(personId, reelOf(place), new Date(at(from).getTime() + after * day))).toBe(true);
}

const december = at('2026-12-01', 0);
const paidViews = async (of = creatorOf(0), in_ = month) =>
  (await worthOfMonth(context(), of, in_)).paid.views;
const differences = async () => (await auditLedger(context())).differences;

describe('watched views of a month', () => {
  it('pay up to 1,000 without an established account, and the others wait', async () => {
    await crowd(reelOf(0), 1234, at('2026-11-05'));
    now = december;
    const { data } = await showHistory(context(), creatorOf(0));
    expect(data[0]).toMatchObject({ monthKey: month, views: 1234, waitingViews: 234, totalCoins: 100 });
    const shown = await showMonth(context(), creatorOf(0), month, { limit: 50 });
    expect(shown.data).toMatchObject({
      totalCoins: 100,
      unpaidViews: { count: 234, coins: 23 },
      items: [{ counted: 1234, coins: 123 }],
      pooledViews: { count: 4, coins: 0 },
    });
    expect(await differences()).toEqual([]);
  });

  it('pay 200 more for each established account in the first month', async () => {
    await crowd(reelOf(0), 1800, at('2026-11-05'));
    await watchMuch(await somebody());
    await watchMuch(await somebody());
    now = december;
    const { counts, paid } = await worthOfMonth(context(), creatorOf(0), month);
    expect(counts.views).toBeGreaterThan(1800);
    expect(paid.views).toBe(1400);
    // It changes nothing for a creator whom they did not watch.
    await crowd(reelOf(5), 1800, at('2026-11-30'));
    expect(await paidViews(creatorOf(5))).toBe(1000);
    expect(await differences()).toEqual([]);
  });

  it('are withdrawn a second after the month, without any job before', async () => {
    await crowd(reelOf(0), 6000, at('2026-11-05'));
    for (let made = 0; made < 20; made += 1) await watchMuch(await somebody());
    now = new Date(december.getTime() + 1000);
    const form = { userId: creatorOf(0), month, totalRupee: '1.00' };
    expect(await withdraw(context(), creatorOf(0), form)).toMatchObject({ coins: 500, paise: 100 });
    expect(await differences()).toEqual([]);
  });

  it('of its last minutes that are reported after the first request count in no month, whoever was watched', async () => {
    for (let made = 0; made < 50; made += 1) await publishedReel(db, creatorOf(0), at('2026-11-03'), zone);
    await crowd(reelOf(0), 3000, at('2026-11-05'));
    for (let made = 0; made < 8; made += 1) await watchMuch(await somebody());
    const nearly = await somebody();
    await watchMuch(nearly, { views: 9 });
    now = new Date(december.getTime() + 1000);
    const form = { userId: creatorOf(0), month, totalRupee: '1.02' };
    expect(await withdraw(context(), creatorOf(0), form)).toMatchObject({ coins: 510 });
    const last = new Date(december.getTime() - 2 * minute);
    expect(await watch(nearly, reelOf(4), last)).toBe(false);
    const record = createWatchRecorder(context());
    const viewer = viewerOf(context().keyring.secret('viewers'), {
      personId: nearly,
      address: '',
      userAgent: '',
    });
    const issuedAt = new Date(december.getTime() - minute);
    const at_ = new Date(december.getTime() + 1);
    const view = { reelId: reelOf(5), viewer, address: Buffer.alloc(8), signedIn: true, personId: nearly };
    await recordShowings(context(), [{ ...view, bot: false, at: issuedAt }]);
    expect(await record({ ...view, issuedAt, at: at_, neededMs: 4000 })).toBe(false);
    const counts = async (in_: string) => (await worthOfMonth(context(), creatorOf(5), in_)).counts.views;
    expect([await counts(month), await counts('2026-12')]).toEqual([0, 0]);
    expect(await differences()).toEqual([]);
  });

  it('pay by what was watched in the month before, from 200 to 1,000 for an account', async () => {
    const viewer = await somebody();
    await watchMuch(viewer, { views: 15 });
    await crowd(reelOf(0), 900, at('2026-11-05'));
    now = at('2026-12-20');
    await crowd(reelOf(0), 2500, at('2026-12-05'));
    await watchMuch(viewer, { from: '2026-12-10' });
    // 915 views of five pairs of account and creator: three times 183.
    expect(await paidViews(creatorOf(0), '2026-12')).toBe(1000 + 549);
    expect(await differences()).toEqual([]);

    // The value was stored: a change in the rows of the month before has no effect, and the audit reports it.
    await sql`update creator_months set views = views + 1000 where month = ${month}`.execute(db);
    expect(await paidViews(creatorOf(0), '2026-12')).toBe(1549);
    expect(await differences()).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ figure: 'views per account', recorded: 549, derived: 1000 }),
      ]),
    );
  });
});

describe('an account is established', () => {
  /** Views that pay because of one account, beyond the first 1,000. */
  async function broughtBy(habit: Habit, account: Parameters<typeof somebody>[0] = {}) {
    await watchMuch(await somebody(account), habit);
    await crowd(reelOf(0), 1500, at('2026-11-05'));
    now = december;
    expect(await differences()).toEqual([]);
    return (await paidViews()) - 1000;
  }

  it.each<[string, Habit, Parameters<typeof somebody>[0], number]>([
    ['that watched ten times, five creators, on three days', {}, {}, 200],
    ['that watched nine times', { views: 9 }, {}, 0],
    ['that watched four creators', { of: 4 }, {}, 0],
    ['that watched on two days', { days: 2 }, {}, 0],
    ['that is a week old at the end', {}, { joined: new Date(december.getTime() - 7 * day - 1) }, 200],
    ['that is a minute younger', {}, { joined: new Date(december.getTime() - 7 * day + minute) }, 0],
    ['without a verified address', {}, { verified: null }, 0],
  ])('%s', async (_, habit, account, views) => {
    await watchAll();
    expect(await broughtBy(habit, account)).toBe(views);
  });

  /** Somebody watches each creator once, so that six were watched. */
  async function watchAll(on = '2026-11-20'): Promise<void> {
    const one = await somebody();
    for (const reel of reels) await watch(one, reel, at(on));
  }

  it.each([
    [29, 0],
    [30, 200],
  ])('%i days old where the server has no mail', async (age, views) => {
    isOn = false;
    const joined = new Date(december.getTime() - age * day - 1);
    expect(await broughtBy({}, { joined, verified: null })).toBe(views);
  });

  it.each([
    ['switched off', true, { joined: longAgo, verified: null }],
    ['switched on', false, { joined: at('2026-11-09'), verified: at('2026-11-09') }],
  ])('by the mail of the month, also if it is %s while the month runs', async (_, before, account) => {
    isOn = before;
    await watchAll();
    isOn = !before;
    expect(await broughtBy({}, account)).toBe(0);
    // From the next month on.
    now = at('2026-12-20');
    await watchAll('2026-12-10');
    await watchMuch(await somebody(account), { from: '2026-12-10' });
    await crowd(reelOf(0), 1500, at('2026-12-12'));
    expect((await paidViews(creatorOf(0), '2026-12')) - 1000).toBeGreaterThan(0);
    expect(await differences()).toEqual([]);
  });

  it.each([
    [3, 2, 200],
    [3, 1, 0],
    [5, 4, 200],
    [5, 3, 0],
  ])('where %i creators were watched: %i of them', async (many, watched, views) => {
    const other = await somebody();
    for (let place = 0; place < many; place += 1) await watch(other, reelOf(place), at('2026-11-20'));
    expect(await broughtBy({ of: watched, days: 10 })).toBe(views);
  });

  it.each([
    ['six, and three in the month before', { before: 3, in: 6, watched: 2 }, 200],
    ['six, and three in the month before', { before: 3, in: 6, watched: 1 }, 0],
    ['three, and six in the month before', { before: 6, in: 3, watched: 2 }, 200],
    ['six, and five in the month before', { before: 5, in: 6, watched: 3 }, 0],
    ['six, and one in the month before', { before: 1, in: 6, watched: 2 }, 200],
  ])('where %s were watched: %o', async (_, { before, in: many, watched }, views) => {
    const other = await somebody();
    const watchOnce = async (of: number, on: Date) => {
      for (let place = 0; place < of; place += 1) await watch(other, reelOf(place), on);
    };
    await watchOnce(before, at('2026-11-20'));
    now = at('2026-12-02');
    await watchMuch(await somebody(), { of: watched, days: 10, from: '2026-12-05' });
    await crowd(reelOf(0), 1500, at('2026-12-05'));
    // The last creators are added on the last day, maybe to harm the first one.
    await watchOnce(many, at('2026-12-31'));
    now = at('2027-01-01', 0);
    expect((await paidViews(creatorOf(0), '2026-12')) - 1000).toBe(views);
    expect(await differences()).toEqual([]);
  });

  it('that watched two creators, if no creator was watched in the previous month but some were earlier', async () => {
    const other = await somebody();
    for (const reel of reels) await watch(other, reel, at('2026-11-20'));
    now = at('2027-01-02');
    await watchMuch(await somebody(), { of: 2, days: 10, from: '2027-01-05' });
    await crowd(reelOf(0), 1500, at('2027-01-05'));
    for (const reel of reels) await watch(other, reel, at('2027-01-20'));
    expect((await paidViews(creatorOf(0), '2027-01')) - 1000).toBe(200);
    expect(await differences()).toEqual([]);
  });

  it('by an address that is verified in the month, and not by one that is verified after it', async () => {
    const [early, late] = [await somebody({ verified: null }), await somebody({ verified: null })];
    for (const one of [early, late]) await watchMuch(one);
    await crowd(reelOf(0), 1800, at('2026-11-05'));
    const verify = (id: string) => inTransaction(db, (trx) => change(trx, id, { email_verified_at: now }));
    now = new Date(december.getTime() - 1000);
    await verify(early);
    expect(await paidViews()).toBe(1200);
    now = december;
    await verify(late);
    expect(await paidViews()).toBe(1200);
    expect(await differences()).toEqual([]);
  });

  it.each([
    ['first', 'before'],
    ['first', 'after'],
    ['later', 'before'],
    ['later', 'after'],
  ])(
    'also where its %s view of the month is written at the same moment, %s the change',
    async (which, order) => {
      const person = await somebody({ verified: null });
      if (which === 'later') await watch(person, reelOf(0), now);
      const verify = (trx: Transaction<Tables>) => change(trx, person, { email_verified_at: now });
      const view = (trx: Kysely<Tables>) => watch(person, reelOf(1), now, { ...context(), db: trx });
      let second: Promise<unknown> | undefined;
      await db.transaction().execute(async (trx) => {
        await (order === 'before' ? view(trx) : verify(trx));
        second = order === 'before' ? db.transaction().execute(verify) : view(db);
        await blockedOrDone(second);
      });
      await second;
      const rows = await db.selectFrom('viewer_months').select(['views', 'counts']).execute();
      expect(rows).toEqual([{ views: which === 'later' ? 2 : 1, counts: true }]);
    },
  );

  it('also where its first view of the next month is written before a change of this month is stored', async () => {
    const person = await somebody({ verified: null });
    now = new Date(december.getTime() - 5);
    let view: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      await change(trx, person, { email_verified_at: now });
      now = new Date(december.getTime() + 5);
      view = watch(person, reelOf(1), now);
      await blockedOrDone(view);
    });
    expect(await view).toBe(true);
    const rows = await db.selectFrom('viewer_months').select(['month', 'views', 'counts']).execute();
    expect(rows).toContainEqual({ month: '2026-12', views: 1, counts: true });
    expect(await differences()).toEqual([]);
  });

  it('is deleted while its view is written', async () => {
    const person = await somebody();
    const fileName = await uploadedPhoto(db, creatorOf(0), now);
    const form = { fileName, caption: '', description: '' };
    const { id: postId } = await publishPost(context(), creatorOf(0), form);
    await likePost(context(), postId, person);
    await watch(person, reelOf(1), now);
    let deletion: Promise<void> | undefined;
    // As a view does: first the row of the viewer, then the month of the creator, from which the deletion takes a like.
    await db.transaction().execute(async (trx) => {
      await trx.updateTable('viewer_months').set({ views: 2 }).execute();
      deletion = deleteAccount(context(), person, person);
      await blockedOrDone(deletion);
      await addToMonths(trx, [{ creatorId: creatorOf(0), month, views: 1 }]);
    });
    await deletion;
    const rows = await db.selectFrom('viewer_months').select(['views', 'counts']).execute();
    expect(rows).toEqual([{ views: 2, counts: false }]);
  });

  it('until the month is requested: a suspension at the same moment is before or after it', async () => {
    for (let made = 0; made < 50; made += 1) await publishedReel(db, creatorOf(0), at('2026-11-03'), zone);
    await crowd(reelOf(0), 3500, at('2026-11-05'));
    const bad = await somebody();
    await watchMuch(bad);
    for (let made = 0; made < 8; made += 1) await watchMuch(await somebody());
    now = new Date(december.getTime() - 5);
    // Nine accounts let 2,800 views pay, eight 2,600.
    const form = { userId: creatorOf(0), month, totalRupee: '1.02' };
    let asked: Promise<unknown> = Promise.resolve();
    await db.transaction().execute(async (trx) => {
      await change(trx, bad, { suspended_at: now });
      now = new Date(december.getTime() + 1000);
      asked = withdraw(context(), creatorOf(0), form);
      await blockedOrDone(asked);
    });
    expect(await asked).toMatchObject({ coins: 510 });
    expect(await differences()).toEqual([]);

    // After the request it changes nothing in that month.
    now = new Date(december.getTime() - 5);
    const late = await db
      .selectFrom('active_people')
      .select('person_id')
      .where('counts', '=', true)
      .execute();
    await db.transaction().execute(async (trx) => {
      for (const { person_id: id } of late) await change(trx, id, { suspended_at: now });
    });
    expect(await paidViews()).toBe(2600);
    expect(await differences()).toEqual([]);
  });

  it('as long as none of the watched creators is deleted after a request for the month', async () => {
    await watchMuch(await somebody(), { of: 4 });
    await watch(await somebody(), reelOf(4), at('2026-11-20'));
    await crowd(reelOf(0), 1500, at('2026-11-05'));
    // Published and watched in this month, so that their deletion takes the views away.
    const others = await Promise.all(
      [1, 2].map((place) => publishedReel(db, creatorOf(place), at('2026-11-03'), zone)),
    );
    expect(await paidViews()).toBe(1200);
    await closeMonth(db, month);
    now = new Date(december.getTime() - 5);
    const files = { ...context(), storage: undefined as never };
    await expect(deleteReel(files, others[0] ?? '', creatorOf(1))).rejects.toMatchObject({
      code: 'month_settled',
    });
    await expect(deleteAccount(context(), creatorOf(2), creatorOf(2))).rejects.toMatchObject({
      code: 'month_settled',
    });
    expect(await paidViews()).toBe(1200);
    expect(await differences()).toEqual([]);
  });

  it('whatever happens to it after the month, and not if it was deleted or suspended before', async () => {
    const [kept, gone, bad] = [await somebody(), await somebody(), await somebody()];
    for (const one of [kept, gone, bad]) await watchMuch(one);
    await crowd(reelOf(0), 2500, at('2026-11-05'));
    now = at('2026-11-29');
    expect(await paidViews()).toBe(1600);
    await deleteAccount(context(), gone, gone);
    await inTransaction(db, (trx) => change(trx, bad, { suspended_at: now }));
    expect(await paidViews()).toBe(1200);
    now = december;
    await deleteAccount(context(), kept, kept);
    expect(await paidViews()).toBe(1200);
    expect(await differences()).toEqual([]);
  });
});

const decision = { reason: 'People who never log in', operatorId: null };

describe('the data stored about who watched', () => {
  it('is the same for accounts of different age, so that it does not reveal the person behind a viewer hash', async () => {
    const ages = [longAgo, new Date(longAgo.getTime() + 12_345)];
    for (const at of ages) await watchMuch(await somebody({ joined: at, verified: at }));
    const rows = await db.selectFrom('viewer_months').selectAll().execute();
    const kinds = new Set(rows.map(({ viewer: _, ...row }) => JSON.stringify(row)));
    expect([rows.length, kinds.size]).toEqual([2, 1]);
  });
});

describe('views that wait', () => {
  const release = (of = creatorOf(0), in_ = month) =>
    releaseMonth(context(), { creatorId: of, month: in_ }, decision);
  const history = async () => (await showHistory(context(), creatorOf(0))).data;

  it('are released in a later month, once, and change no past month', async () => {
    await crowd(reelOf(0), 3019, at('2026-11-05'));
    now = at('2026-11-29');
    expect(await release()).toBeUndefined();
    now = at('2026-12-04');
    const own = { ...decision, operatorId: creatorOf(0) };
    expect(await releaseMonth(context(), { creatorId: creatorOf(0), month }, own)).toBeUndefined();
    const before = (await history()).find(({ monthKey }) => monthKey === month);
    const [first, second] = await Promise.all([release(), release()]);
    expect([first, second].filter((one) => one !== undefined)).toMatchObject([
      { month, counts_in: '2026-12', views: 2019, coins: 201 },
    ]);
    const [december, november] = await history();
    expect(december).toMatchObject({ monthKey: '2026-12', totalCoins: 201, waitingViews: 0 });
    const decisions = [{ act: 'released', month, countsIn: '2026-12', views: 2019, coins: 201 }];
    expect(november).toMatchObject({ ...before, waitingViews: 0, decisions });
    const shown = await showMonth(context(), creatorOf(0), '2026-12', { limit: 50 });
    expect(shown.data.lines.at(-1)).toMatchObject({ kind: 'released', coins: 201 });
    expect(shown.data.totalCoins).toBe(201);
    expect(await differences()).toEqual([]);
  });

  it('are withdrawn with the month in which they were released', async () => {
    await crowd(reelOf(0), 6000, at('2026-11-05'));
    now = at('2026-12-04');
    await release();
    now = at('2027-01-01', 0);
    const form = { userId: creatorOf(0), month: '2026-12', totalRupee: '1.00' };
    expect(await withdraw(context(), creatorOf(0), form)).toMatchObject({ coins: 500, paise: 100 });
    expect(await differences()).toEqual([]);
  });

  it('are not released in the first hour after the month, while its last views are still written', async () => {
    await crowd(reelOf(0), 1500, at('2026-11-05'));
    now = new Date(december.getTime() + 59 * minute);
    expect(await release()).toBeUndefined();
    now = new Date(december.getTime() + 60 * minute);
    expect(await release()).toMatchObject({ views: 500 });
  });

  it('of a whole site are released at once, and of nobody else', async () => {
    await crowd(reelOf(0), 1500, at('2026-11-05'));
    await crowd(reelOf(1), 1010, at('2026-11-06'));
    await crowd(reelOf(2), 1000, at('2026-11-07'));
    now = at('2026-12-04');
    const released = await releaseMonthOfAll(context(), month, decision);
    expect(released.map(({ views, coins }) => [views, coins]).sort()).toEqual([
      [10, 1],
      [500, 50],
    ]);
    expect(await releaseMonthOfAll(context(), month, decision)).toEqual([]);
    expect(await differences()).toEqual([]);
    await sql`update month_releases set coins = coins + 1`.execute(db);
    expect((await differences()).map(({ figure }) => figure)).toEqual(['released coins', 'released coins']);
  });
});

describe('a month under a rupee is paid with a later one', () => {
  /** 250 coins for reels and 100 for views. */
  async function smallMonth(place: number, on: Date): Promise<void> {
    for (let made = 0; made < 50; made += 1) await publishedReel(db, creatorOf(place), on, zone);
    await crowd(reelOf(place), 1000, on);
  }
  /** A reel that the server takes for a copy. */
  async function copiedReel(place: number): Promise<string> {
    const id = await publishedReel(db, creatorOf(place), at('2026-11-04'), zone);
    await db.updateTable('reels').set({ duplicate: true }).where('id', '=', id).execute();
    await db
      .updateTable('creator_months')
      .set({ reels: 0 })
      .where('creator_id', '=', creatorOf(place))
      .where('month', '=', month)
      .execute();
    return id;
  }
  const ask = (place: number, totalRupee: string) =>
    withdraw(context(), creatorOf(place), { userId: creatorOf(place), month: '2026-12', totalRupee });

  it('if an established account watched it, and not if only other accounts did', async () => {
    for (const on of ['2026-11-05', '2026-12-05'])
      for (const place of [0, 5]) await smallMonth(place, at(on));
    const [viewer, stranger] = [await somebody(), await somebody()];
    await watchMuch(viewer);
    await watch(stranger, reelOf(5), at('2026-11-20'));
    now = at('2027-01-01');
    await expect(ask(5, '1.40')).rejects.toMatchObject({ code: 'below_minimum' });
    expect((await showHistory(context(), creatorOf(5))).balance).toMatchObject({ availablePaise: 0 });
    expect((await showHistory(context(), creatorOf(0))).balance).toMatchObject({ availablePaise: 140 });
    expect(await ask(0, '1.40')).toMatchObject({ paise: 140, carried: [{ month, coins: 350 }] });
    expect(await differences()).toEqual([]);

    // The audit reports a month that was carried without one.
    await db.deleteFrom('creator_viewers').where('creator_id', '=', creatorOf(0)).execute();
    expect((await differences()).map(({ figure }) => figure)).toContain(`carried ${month}`);
  });

  it('if views of a work count in it that was wrongly taken for a copy, unless it was deleted in that month', async ({
    onTestFinished,
  }) => {
    const folder = await mkdtemp(join(tmpdir(), 'jhalak-vouching-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const storage = await openDiskStorage(folder);
    for (const place of [0, 5]) {
      const copy = await copiedReel(place);
      expect(await watch(await somebody(), copy, at('2026-11-05'))).toBe(false);
      const moment = { now: at('2026-11-28'), timeZone: zone };
      await db.transaction().execute((trx) => countReelAsOwn(trx, copy, moment));
      for (let made = 0; made < 50; made += 1)
        await publishedReel(db, creatorOf(place), at('2026-11-05'), zone);
      await smallMonth(place, at('2026-12-05'));
      now = at('2026-11-29');
      if (place === 5) await deleteReel({ ...context(), storage }, copy, creatorOf(place));
    }
    now = at('2027-01-01');
    await expect(ask(5, '1.20')).rejects.toMatchObject({ code: 'below_minimum' });
    expect(await ask(0, '1.20')).toMatchObject({ paise: 120, carried: [{ month, coins: 250 }] });
    expect(await differences()).toEqual([]);
  });

  it('but not if an operator declares the paid views void, and they were all of a work that was wrongly taken for a copy', async () => {
    const copy = await copiedReel(0);
    await watch(await somebody(), copy, at('2026-11-05'));
    const moment = { now: at('2026-11-28'), timeZone: zone };
    await db.transaction().execute((trx) => countReelAsOwn(trx, copy, moment));
    for (let made = 0; made < 50; made += 1) await publishedReel(db, creatorOf(0), at('2026-11-05'), zone);
    await smallMonth(0, at('2026-12-05'));
    now = at('2027-01-01');
    const which = { creatorId: creatorOf(0), month, what: 'paid' as const };
    const declared = await voidMonth(context(), which, { reason: 'Forged', operatorId: null });
    expect(declared).toMatchObject({ views: 1, coins: 0, counts_in: month });
    await expect(ask(0, '1.20')).rejects.toMatchObject({ code: 'below_minimum' });
    expect(await differences()).toEqual([]);
  });

  it('if something was released in it', async () => {
    await crowd(reelOf(0), 3000, at('2026-11-05'));
    now = at('2026-12-04');
    expect(await releaseMonth(context(), { creatorId: creatorOf(0), month }, decision)).toMatchObject({
      coins: 200,
    });
    await smallMonth(0, at('2027-01-05'));
    now = at('2027-02-01');
    const form = { userId: creatorOf(0), month: '2027-01', totalRupee: '1.10' };
    expect(await withdraw(context(), creatorOf(0), form)).toMatchObject({
      paise: 110,
      carried: [{ month: '2026-12', coins: 200 }],
    });
    expect(await differences()).toEqual([]);
  });
});

describe('likes of a month', () => {
  it('count all of established accounts, and the first 250 of others', async () => {
    const fileName = await uploadedPhoto(db, creatorOf(0), now);
    const form = { fileName, caption: '', description: '' };
    const { id } = await publishPost(context(), creatorOf(0), form);
    const established = await Promise.all([somebody(), somebody()]);
    for (const one of established) {
      await watchMuch(one);
      await likePost(context(), id, one);
    }
    for (let made = 0; made < 270; made += 1) await likePost(context(), id, await personIn(db, now));
    now = december;
    const { counts, paid } = await worthOfMonth(context(), creatorOf(0), month);
    expect([counts.likes, paid.likes]).toEqual([272, 252]);
    const shown = await showMonth(context(), creatorOf(0), month, { limit: 50 });
    expect(shown.data.unpaidLikes).toEqual({ count: 20, coins: 2 });
    expect(await differences()).toEqual([]);
  });

  it('of a photo that was wrongly taken for a copy count if the account is established in the month of the like or of the decision', async () => {
    const bytes = 'the same photo';
    const form = async (place: number) => ({
      fileName: await uploadedPhoto(db, creatorOf(place), now, bytes),
      ...{ caption: '', description: '' },
    });
    await publishPost(context(), creatorOf(1), await form(1));
    const { id } = await publishPost(context(), creatorOf(0), await form(0));
    const [inNovember, inDecember, inBoth] = [await somebody(), await somebody(), await somebody()];
    for (const one of [inNovember, inBoth]) await watchMuch(one);
    for (const one of [inNovember, inDecember, inBoth]) await likePost(context(), id, one);
    for (let made = 0; made < 260; made += 1) await likePost(context(), id, await personIn(db, now));
    for (const one of [inDecember, inBoth]) await watchMuch(one, { from: '2026-12-10' });
    now = at('2026-12-15');
    const moment = { now, timeZone: zone };
    await db.transaction().execute((trx) => countAsOwn(trx, { kind: 'post', id }, moment));
    now = at('2027-01-01');
    const { counts, paid } = await worthOfMonth(context(), creatorOf(0), '2026-12');
    expect([counts.likes, paid.likes]).toEqual([263, 253]);
    expect(await differences()).toEqual([]);
  });
});

describe('the audit', () => {
  it('reports rows of vouching that differ from the views', async () => {
    await watchMuch(await somebody());
    await sql`update viewer_months set views = views + 1, days = 1`.execute(db);
    await db.deleteFrom('creator_viewers').where('creator_id', '=', creatorOf(1)).execute();
    const figures = (await differences()).map(({ what, figure }) => `${what} ${figure}`);
    expect(figures.sort()).toEqual(['viewer active people', 'viewer days', 'viewer viewers', 'viewer views']);
  });
});

describe('the audit of established accounts', () => {
  it.each([
    ['too young', { joined: at('2026-11-26') }, '2026-11-26'],
    ['of somebody who never verified an address', { verified: null }, '2026-11-10'],
  ])('names one that is %s', async (_, account, from) => {
    const id = await somebody(account);
    await watchMuch(id, { from });
    expect(await differences()).toEqual([]);
    await sql`update active_people set counts = true`.execute(db);
    await sql`update viewer_months set counts = true`.execute(db);
    expect(await differences()).toEqual([
      { what: 'viewer', id, month, figure: 'established', recorded: 1, derived: 0 },
    ]);
  });

  it('names one that was suspended before the end of the month, and none that was suspended after it', async () => {
    const [during, after] = [await somebody(), await somebody()];
    for (const one of [during, after]) await watchMuch(one);
    const suspend = (id: string, on: Date) =>
      db.updateTable('people').set({ suspended_at: on }).where('id', '=', id).execute();
    await suspend(during, at('2026-11-29'));
    await suspend(after, december);
    expect(await differences()).toEqual([
      { what: 'viewer', id: during, month, figure: 'established', recorded: 1, derived: 0 },
    ]);
  });

  it('names one that lets likes pay, and not views, or the other way round', async () => {
    const ids = [await somebody(), await somebody()].toSorted();
    for (const id of ids) await watchMuch(id);
    await db
      .updateTable('active_people')
      .set({ counts: false })
      .where('person_id', '=', ids[0] ?? '')
      .execute();
    const viewer = (await personHasher(context().keyring, month))(ids[1] ?? '');
    await sql`update viewer_months set counts = false, creators = 4 where viewer = decode(${viewer}, 'hex')`.execute(
      db,
    );
    const named = (await differences()).filter(({ figure }) => figure.endsWith('for views'));
    expect(named).toEqual([
      { what: 'viewer', id: ids[0], month, figure: 'established, for views', recorded: 1, derived: 0 },
      { what: 'viewer', id: ids[1], month, figure: 'creators, for views', recorded: 4, derived: 5 },
      { what: 'viewer', id: ids[1], month, figure: 'established, for views', recorded: 0, derived: 1 },
    ]);
  });
});

describe('a creator without an established account', () => {
  const attackers = howMany('ATTACKERS', { share: 100, whole: 10_000 });

  it(`earns 465 coins at most, whatever was counted: ${attackers} random months`, {
    timeout: 180_000 + attackers * 200,
  }, async () => {
    const random = randomFrom(1);
    const upTo = (most: number) => Math.floor(random(most + 1));
    /** Sometimes a few, sometimes a million. */
    const some = () => upTo(10 ** upTo(6));
    for (let made = 0; made < attackers; made += 1) {
      const creatorId = await personIn(db, longAgo);
      const counts = { reels: some(), posts: some(), stories: some(), views: some(), likes: some() };
      await inTransaction(db, (trx) => addToMonths(trx, [{ creatorId, month, ...counts }]));
      // Each of these accounts fails at least one condition.
      const lacking = [
        { habit: { views: 9 } },
        { habit: { of: 4 } },
        { habit: { days: 2 } },
        { habit: {}, account: { verified: null } },
        { habit: {}, account: { joined: new Date(december.getTime() - upTo(6) * day) } },
      ][upTo(9)];
      if (lacking) {
        reels[0] = await publishedReel(db, creatorId, longAgo, zone);
        await watchMuch(await somebody(lacking.account), lacking.habit);
      }
      const { coins, paise, isSeen } = await worthOfMonth(context(), creatorId, month);
      expect(coins, JSON.stringify(counts)).toBeLessThanOrEqual(465);
      expect(paise).toBeLessThanOrEqual(93);
      // Such months do not add up to a rupee either.
      expect(isSeen).toBe(false);
    }
  });
});

describe('a creator with established accounts', () => {
  const attackers = howMany('ATTACKERS', { share: 20, whole: 2000 });
  const random = randomFrom(2);
  const upTo = (most: number) => Math.floor(random(most + 1));

  interface Account {
    id: string;
    isEstablished: boolean;
  }

  /** An account that watches the payee and others, each reel at most once a day; one in four lacks one thing to be established. */
  async function attack(payee: string): Promise<{ account: Account; views: WatchedReel[] }> {
    const lacks = (['views', 'creators', 'days', 'address', 'age'] as const)[upTo(19)];
    const of = lacks === 'creators' ? 4 : 5 + upTo(1);
    const days = lacks === 'days' ? 2 : 3 + upTo(7);
    const most = Math.min(of * days, 30);
    const many = lacks === 'views' ? 9 : lacks === 'days' ? most : 10 + upTo(most - 10);
    const id = await somebody({
      joined: lacks === 'age' ? new Date(december.getTime() - upTo(6) * day) : longAgo,
      verified: lacks === 'address' ? null : longAgo,
    });
    const viewer = viewerOf(context().keyring.secret('viewers'), {
      personId: id,
      address: '',
      userAgent: '',
    });
    const watched = [payee, ...reels.slice(1)];
    const views = Array.from({ length: many }, (_, turn) => {
      const [place, round] = [turn % of, Math.floor(turn / of)];
      const reportedAt = at('2026-11-10').getTime() + ((place + round) % days) * day + turn * minute;
      return {
        ...{ reelId: watched[place] ?? '', viewer, address: Buffer.alloc(8), signedIn: true, personId: id },
        ...{ issuedAt: new Date(reportedAt - minute / 2), at: new Date(reportedAt), neededMs: 4000 },
      };
    });
    return { account: { id, isEstablished: lacks === undefined }, views };
  }

  it(`earns what these let pay, and no more: ${attackers} random months`, {
    timeout: 180_000 + attackers * 600,
  }, async () => {
    // There are more than five creators to watch.
    const one = await somebody({ verified: null });
    for (const reel of reels) await watch(one, reel, at('2026-11-20'));
    for (let made = 0; made < attackers; made += 1) {
      const each = 200 + upTo(800);
      await replaceSetting(db, `views per account ${month}`, String(each));
      const creatorId = await personIn(db, longAgo);
      const reel = await publishedReel(db, creatorId, longAgo, zone);
      const attacks = [];
      for (let left = upTo(8); left > 0; left -= 1) attacks.push(await attack(reel));
      const watched = attacks.flatMap(({ views }) => views);
      const inOrder = watched.toSorted((a, b) => a.at.getTime() - b.at.getTime());
      expect(await showAndWatch(context(), inOrder)).not.toContain(false);
      const established = attacks.filter(({ account }) => account.isEstablished).length;

      // Some of them like a photo.
      const likers = attacks.filter(() => upTo(1) === 0).map(({ account }) => account);
      if (likers.length > 0) {
        const fileName = await uploadedPhoto(db, creatorId, now);
        const form = { fileName, caption: '', description: '' };
        const { id } = await publishPost(context(), creatorId, form);
        for (const { id: liker } of likers) await likePost(context(), id, liker);
      }
      const likes = likers.filter(({ isEstablished }) => isEstablished).length;

      // Half of them script more than can pay.
      const isEnough = upTo(1) === 0;
      const some = () => (isEnough ? 20_000 : upTo(10 ** upTo(5)));
      const counts = { reels: some(), posts: some(), stories: some(), views: some(), likes: some() };
      await inTransaction(db, (trx) => addToMonths(trx, [{ creatorId, month, ...counts }]));

      const what = JSON.stringify({ each, established, likes, counts });
      const { counts: all, paid, coins, paise } = await worthOfMonth(context(), creatorId, month);
      expect(paid.views, what).toBe(Math.min(all.views, 1000 + established * each));
      expect(paid.likes, what).toBe(Math.min(all.likes, 250 + likes));
      // 93 paise, and a fiftieth of a paisa for each view and like that these let pay.
      expect(paise, what).toBeLessThanOrEqual(93 + (established * each + likes) / 50);
      if (isEnough)
        expect(coins, what).toBe(465 + Math.floor((established * each) / 10) + Math.floor((5 + likes) / 10));
    }
  });
});
