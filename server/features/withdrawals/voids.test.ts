import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextOn } from '#testing/context.ts';
import { changeAdjustments, personIn, publishedReel } from '#testing/fixtures/earnings.ts';
import { payableAt } from '#testing/fixtures/payouts.ts';
import { watchedByMany } from '#testing/fixtures/watching.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { auditLedger } from '../earnings/audit.ts';
import { showHistory } from '../earnings/history.ts';
import { showMonth, showStatement } from '../earnings/month-detail.ts';
import { closeMonths } from '../months/closing.ts';
import { completeWithdrawal } from '../payers/by-hand.ts';
import { cancelWithdrawal } from './cancelling.ts';
import { releaseMonth, voidMonth } from './releases.ts';
import { rejectWithdrawal } from './review.ts';
import { withdraw } from './withdrawals.ts';

/*
 * Each test has its own database, since the audit covers the whole site. No account is established: 1,000 views of a month pay, for 100
 * coins, and the others wait.
 */
const zone = 'Asia/Kolkata';
const [november, december, january, february] = ['2026-11', '2026-12', '2027-01', '2027-02'] as const;
const at = (date: string) => new Date(`${date}T12:00:00+05:30`);
const reason = 'They are all from one script';

let db: Kysely<Tables>;
let now: Date;
let creator: string;
let operator: string;
let reel: string;
beforeEach(async () => {
  const database = await freshDatabase();
  db = await openDatabase(database.url, 4);
  now = at('2026-11-02');
  creator = await personIn(db, at('2026-09-01'));
  operator = await personIn(db, at('2026-09-01'));
  await payableAt(context(), creator);
  reel = await publishedReel(db, creator, at('2026-09-01'), zone);
  return async () => {
    await db.destroy();
    await database.drop();
  };
});

const context = () => contextOn(db, { clock: () => now });
const differences = async () => (await auditLedger(context())).differences;
const watched = (many: number, on: string) => watchedByMany(context(), reel, many, at(on));
/** Publishes reels worth 250 coins. */
async function publish(on: string): Promise<void> {
  for (let made = 0; made < 50; made += 1) await publishedReel(db, creator, at(on), zone);
}
const decision = () => ({ reason, operatorId: operator });
/** Months that are over are closed, as the job does within a minute. */
async function closed() {
  await closeMonths(context());
  return context();
}
const release = async (month: string = november) =>
  releaseMonth(await closed(), { creatorId: creator, month }, decision());
const declareVoid = async (what: 'waiting' | 'paid' = 'waiting', month: string = november) =>
  voidMonth(await closed(), { creatorId: creator, month, what }, decision());
const ask = async (month: string, totalRupee: string) =>
  withdraw(await closed(), creator, { userId: creator, month, totalRupee });
/** Without September, in which the reel was published. */
const history = async () =>
  (await showHistory(context(), creator)).data.filter(({ monthKey }) => monthKey >= november);
async function coinsOf(): Promise<Record<string, number>> {
  const data = await history();
  return Object.fromEntries(data.map(({ monthKey, totalCoins }) => [monthKey, totalCoins]));
}
const detail = async (month: string) => (await showMonth(context(), creator, month, { limit: 50 })).data;

/** 6,000 views of November, 500 coins of which are released and paid with December. */
async function paidRelease() {
  await watched(6000, '2026-11-05');
  now = at('2026-12-04');
  await release();
  now = at('2027-01-03');
  const { _id } = await ask(december, '1.00');
  return _id;
}

describe('waiting views that are voided', () => {
  it('are never paid, and the creator reads the reason', async () => {
    await watched(3019, '2026-11-05');
    now = at('2026-11-29');
    expect(await declareVoid()).toBeUndefined();
    now = at('2026-12-04');
    const own = { reason, operatorId: creator };
    const which = { creatorId: creator, month: november, what: 'waiting' as const };
    expect(await voidMonth(await closed(), which, own)).toBeUndefined();
    const both = await Promise.all([declareVoid(), declareVoid()]);
    expect(both.filter((one) => one !== undefined)).toMatchObject([{ views: 2019, coins: 0 }]);
    expect(await release()).toBeUndefined();
    const line = {
      act: 'void',
      month: november,
      views: 2019,
      coins: 0,
      reason,
      decidedAt: now.toISOString(),
    };
    expect(await history()).toMatchObject([
      { waitingViews: 0, totalCoins: 100, missingCoins: 0, decisions: [line] },
    ]);
    expect(await detail(november)).toMatchObject({ totalCoins: 100, decisions: [line] });
    expect(await showStatement(context(), creator, november)).toMatchObject({ decisions: [line] });
    expect(await differences()).toEqual([]);
  });

  it('are either released or void if both are decided in parallel', async () => {
    await watched(2000, '2026-11-05');
    now = at('2026-12-04');
    await closed();
    const [released, declared] = await Promise.all([release(), declareVoid()]);
    expect(declared).toMatchObject({ views: 1000, coins: released ? -100 : 0 });
    expect((await coinsOf())[december] ?? 0).toBe(0);
    expect(await differences()).toEqual([]);
  });
});

describe('released views that are voided', () => {
  it('are a negative line in their month, if it was not requested yet', async () => {
    await watched(3000, '2026-11-05');
    now = at('2026-12-04');
    await release();
    await publish('2026-12-05');
    now = at('2027-01-03');
    expect(await declareVoid()).toMatchObject({ counts_in: december, views: 2000, coins: -200 });
    expect(await coinsOf()).toEqual({ [december]: 250, [november]: 100 });
    const { lines, decisions, totalCoins } = await detail(december);
    expect(lines.slice(-2)).toMatchObject([
      { kind: 'released', coins: 200 },
      { kind: 'taken_back', coins: -200 },
    ]);
    expect(lines.reduce((sum, { coins }) => sum + coins, 0)).toBe(totalCoins);
    expect(decisions).toMatchObject([{ act: 'released' }, { act: 'void', reason }]);
    expect(await differences()).toEqual([]);
  });

  it('are taken back from later months if they were paid, never below zero, and change no earlier month', async () => {
    const id = await paidRelease();
    await completeWithdrawal(context(), id, { reference: 'UTR 1', operatorId: operator });
    const before = await coinsOf();
    expect(await declareVoid()).toMatchObject({ counts_in: january, coins: -500 });
    await publish('2027-01-04');
    await publish('2027-02-04');
    now = at('2027-02-05');
    expect(await coinsOf()).toEqual({ ...before, [january]: 0, [february]: 0 });
    expect((await history()).map(({ monthKey, missingCoins }) => [monthKey, missingCoins])).toEqual([
      [february, 0],
      [january, 250],
      [december, 0],
      [november, 0],
    ]);
    // 500 coins are taken back; the rest is paid.
    await watched(1000, '2027-02-10');
    now = at('2027-03-05');
    expect(await release(february)).toBeUndefined();
    expect((await coinsOf())[february]).toBe(100);
    await publish('2027-03-04');
    await watched(5000, '2027-03-10');
    now = at('2027-04-05');
    expect(await release('2027-03')).toMatchObject({ coins: 400 });
    await publish('2027-04-04');
    now = at('2027-05-02');
    expect(await ask('2027-04', '1.30')).toMatchObject({ coins: 650, paise: 130 });
    expect(await differences()).toEqual([]);
  });

  it('are also taken back from later months if they were requested [long]', async () => {
    const id = await paidRelease();
    expect(await declareVoid()).toMatchObject({ counts_in: january });
    await completeWithdrawal(context(), id, { reference: 'UTR 2', operatorId: operator });
    await publish('2027-01-04');
    expect((await coinsOf())[january]).toBe(0);
    expect(await differences()).toEqual([]);
  });

  it('of several months are all taken back, whatever was requested and rejected in the meantime [long]', async () => {
    await watched(6000, '2026-11-05');
    now = at('2026-12-04');
    await release();
    await watched(6000, '2026-12-06');
    now = at('2027-01-03');
    await release(december);
    const id = (await ask(december, '1.20'))._id;
    await rejectWithdrawal(context(), id, { reason, operatorId: operator });
    now = at('2027-02-03');
    // 500 released in December, and 100 for its own views.
    expect(await coinsOf()).toMatchObject({ [december]: 600, [january]: 500 });
    await ask(december, '1.20');
    expect(await declareVoid()).toMatchObject({ counts_in: february, coins: -500 });
    expect(await declareVoid('waiting', december)).toMatchObject({ counts_in: january, coins: -500 });
    expect(await coinsOf()).toMatchObject({ [december]: 600, [january]: 0 });
    expect(await differences()).toEqual([]);
  });
});

describe('paying views that are voided', () => {
  it('pay nothing when a rejected month is requested again', async () => {
    await publish('2026-11-03');
    await publish('2026-12-03');
    await watched(6000, '2026-11-05');
    now = at('2026-12-04');
    await release();
    now = at('2027-01-03');
    const { _id } = await ask(december, '1.50');
    const months = { waiting: 'void_paid' as const, reason };
    await rejectWithdrawal(context(), _id, { reason, operatorId: operator, months });
    expect(await differences()).toEqual([]);
    // November was not part of the request: it is voided separately.
    expect(await declareVoid()).toMatchObject({ counts_in: december, coins: -500 });
    expect(await declareVoid('paid')).toMatchObject({ counts_in: november, views: 1000, coins: -100 });
    expect(await declareVoid('paid')).toBeUndefined();
    expect(await coinsOf()).toEqual({ [november]: 250, [december]: 250 });
    await expect(ask(december, '1.50')).rejects.toMatchObject({ code: 'below_minimum' });
    expect(await differences()).toEqual([]);
  });
});

describe('the decision about a withdrawal', () => {
  /** December has 6,000 views: 100 coins pay, 500 wait; with 400 released ones it reaches a rupee. */
  async function waitingRequest() {
    await watched(5000, '2026-11-05');
    now = at('2026-12-04');
    await release();
    await watched(6000, '2026-12-06');
    now = at('2027-01-03');
    return (await ask(december, '1.00'))._id;
  }
  const of = async () => (await history()).find((one) => one.monthKey === december);

  it('releases the waiting views of its month in the same transaction, once', async () => {
    const id = await waitingRequest();
    expect(await of()).toMatchObject({ waitingViews: 5000 });
    const months = { waiting: 'release' as const, reason };
    for (let times = 0; times < 2; times += 1)
      await completeWithdrawal(context(), id, { reference: 'UTR 3', operatorId: operator, months });
    expect(await of()).toMatchObject({ waitingViews: 0, totalCoins: 500, status: 'completed' });
    expect((await coinsOf())[january]).toBe(500);
    expect(await differences()).toEqual([]);
  });

  it('voids the waiting views of its month in the same transaction, and the rest can be requested again', async () => {
    const id = await waitingRequest();
    const months = { waiting: 'void' as const, reason };
    await rejectWithdrawal(context(), id, { reason, operatorId: operator, months });
    expect(await of()).toMatchObject({ waitingViews: 0, totalCoins: 500, withdrawable: true });
    expect(await release(december)).toBeUndefined();
    await ask(december, '1.00');
    expect(await differences()).toEqual([]);
  });

  it('stays what was requested if its creator cancelled it, views were voided, and it was paid nevertheless', async () => {
    await publish('2026-11-03');
    await watched(2500, '2026-11-05');
    now = at('2026-12-04');
    await release();
    await publish('2026-12-03');
    await watched(2500, '2026-12-05');
    now = at('2027-01-03');
    const { _id: id, coins } = await ask(december, '1.00');
    now = at('2027-01-04');
    await cancelWithdrawal(context(), creator, december);
    now = at('2027-01-05');
    expect(await declareVoid('paid', december)).toMatchObject({ counts_in: december });
    now = at('2027-01-06');
    await completeWithdrawal(context(), id, { reference: 'UTR 5', operatorId: operator });
    expect(await of()).toMatchObject({ status: 'completed' });
    expect(coins).toBeGreaterThan((await coinsOf())[december] ?? 0);
    expect(await differences()).toEqual([]);
  });

  it('does not change the waiting views if the withdrawal cannot be decided', async () => {
    const id = await waitingRequest();
    const months = { waiting: 'release' as const, reason };
    const own = { reference: 'UTR 4', operatorId: creator, months };
    await expect(completeWithdrawal(context(), id, own)).rejects.toMatchObject({ code: 'own_withdrawal' });
    await rejectWithdrawal(context(), id, { reason, operatorId: operator });
    const late = { reference: 'UTR 4', operatorId: operator, months };
    await expect(completeWithdrawal(context(), id, late)).rejects.toMatchObject({
      code: 'withdrawal_decided',
    });
    expect(await of()).toMatchObject({ waitingViews: 5000 });
  });
});

describe('the audit', () => {
  it.each([
    ['views', { views: 7 }, 'void_waiting: views'],
    ['coins', { coins: -7 }, 'void_waiting: coins'],
    ['month', { counts_in: '2027-09' }, 'void_waiting: counts in'],
  ])('reports void views with other %s', async (_, changed, figure) => {
    await watched(3000, '2026-11-05');
    now = at('2026-12-04');
    await release();
    await declareVoid();
    await changeAdjustments(db, changed, 'void_waiting');
    expect(await differences()).toMatchObject([{ what: 'month', id: creator, month: november, figure }]);
  });

  it('reports a paid month from which coins were taken back afterwards', async () => {
    const id = await paidRelease();
    await completeWithdrawal(context(), id, { reference: 'UTR 5', operatorId: operator });
    await declareVoid();
    await changeAdjustments(db, { counts_in: december }, 'void_waiting');
    expect((await differences()).map(({ figure }) => figure).sort()).toEqual(['coins', 'paise']);
  });
});

describe('a void and a request in parallel', () => {
  it('run one after the other: the request pays what is left, or later months give it back', async () => {
    await watched(6000, '2026-11-05');
    now = at('2026-12-04');
    await release();
    await publish('2026-12-05');
    await publish('2027-01-02');
    now = at('2027-01-03');
    const [asked] = await Promise.all([ask(december, '1.50').catch(() => undefined), declareVoid()]);
    expect(await coinsOf()).toMatchObject(
      asked ? { [december]: 750, [january]: 0 } : { [december]: 250, [january]: 250 },
    );
    expect(await differences()).toEqual([]);
  });
});
