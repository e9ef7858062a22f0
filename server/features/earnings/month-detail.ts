import { rates, rules, rupeesOf } from '#contract/earning-rules.ts';
import type { EarningItem, MonthLine } from '#contract/earnings.ts';
import type { Page } from '#contract/fields.ts';
import { type LedgerStep, owedBy, paidBy } from '#contract/ledger.ts';
import { monthLabel } from '#contract/month.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import { copiesOf } from '../copies/shown.ts';
import { waitingFor } from '../destinations/destination.ts';
import { decisionsOf } from '../months/decisions.ts';
import { type ItemRow, listItems, sumLeftOvers } from '../months/items.ts';
import type { MonthPay } from '../months/money.ts';
import { payOfMonths, worthOfMonth } from '../months/month-worth.ts';
import { type AttemptRow, attemptsOf } from '../withdrawals/attempts.ts';
import { payableOf } from '../withdrawals/carry.ts';
import {
  asWithdrawal,
  isTakenIn,
  lastOfMonths,
  listOfMonth,
  listPostings,
  paidByYear,
  type WithdrawalRow,
} from '../withdrawals/withdrawals.ts';
import { funnelOf, listReasons } from './funnel.ts';
import { stateOf } from './history.ts';
import { nameOf } from './statement.queries.ts';

/**
 * Explains each coin of a month. A month's views make ⌊views/10⌋ coins. The coins of single reels may be fewer, so
 * each item lists its remainder, and the sum of all remainders makes the missing coins. Items and pools add up to the
 * total exactly.
 */
export async function showMonth(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
  month: string,
  page: Page,
) {
  const { db } = context;
  const { timeZone } = context.config;
  const which = { creatorId, month, timeZone };
  const { total, worth } = await totalOf(context, creatorId, month);
  const { counts, paid } = worth;
  const [rows, left] = await Promise.all([
    listItems(db, which, page.limit + 1, readCursor(page.cursor)),
    sumLeftOvers(db, which, rates),
  ]);
  const position = (row: (typeof rows)[number]) => ({ at: row.published_at, id: row.id });
  const taken = await copiesOf(db, { creatorId, ids: rows.map(({ id }) => id) }, context.clock());
  const { data: items, nextCursor } = pageOf(rows, page.limit, position, (row) => ({
    ...asItem(row),
    copy: taken.get(row.id) ?? null,
  }));
  return {
    data: {
      ...total,
      items,
      pooledViews: pool(left.views, rates.viewsPerCoin),
      pooledLikes: pool(left.likes, rates.likesPerCoin),
      unpaidViews: notPaid(counts.views, paid.views, rates.viewsPerCoin),
      unpaidLikes: notPaid(counts.likes, paid.likes, rates.likesPerCoin),
    },
    nextCursor,
  };
}

/** The statement of a month: its lines, its withdrawals, and each ledger transaction with the balance after it. */
export async function showStatement(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  creatorId: string,
  month: string,
) {
  const { db, clock } = context;
  const { timeZone } = context.config;
  const now = clock();
  const [{ total }, name, requests, waiting, years] = await Promise.all([
    totalOf(context, creatorId, month),
    nameOf(db, creatorId),
    listOfMonth(db, creatorId, month),
    waitingFor(context, creatorId),
    paidByYear(db, creatorId, timeZone),
  ]);
  const ids = requests.map((row) => row.id);
  const steps = ids.length > 0 ? await listPostings(db, ids) : [];
  const attempts = await attemptsOf(db, requests);
  let owedPaise = 0;
  const postings = steps.map((row) => {
    owedPaise += owedBy(row.step, row.paise);
    const attempt = attempts.get(row.withdrawal_id)?.find(({ number }) => number === row.attempt);
    return {
      withdrawalId: row.withdrawal_id,
      step: row.step,
      paise: row.paise,
      balancePaise: owedPaise,
      note: noteOf(row, {
        request: requests.find(({ id }) => id === row.withdrawal_id),
        attempt,
      }),
      paidTo: row.step === 'completed' ? (attempt?.masked ?? null) : null,
      postedAt: row.posted_at.toISOString(),
    };
  });
  return {
    ...total,
    name,
    timeZone,
    years,
    withdrawals: requests.map((row) => asWithdrawal(row, { waiting, attempts: attempts.get(row.id) })),
    postings,
    owedPaise,
    paidPaise: postings.reduce((sum, { step, paise }) => sum + paidBy(step, paise), 0),
    issuedAt: now.toISOString(),
  };
}

/** The note of a ledger transaction. */
function noteOf(
  { step }: { step: LedgerStep },
  { request, attempt }: { request: WithdrawalRow | undefined; attempt: AttemptRow | undefined },
): string | null {
  if (step === 'completed') return attempt?.reference ?? null;
  if (step === 'returned') return attempt?.reason ?? null;
  return step === 'rejected' ? (request?.reason ?? null) : null;
}

async function totalOf(context: Context<'db' | 'clock' | 'config'>, creatorId: string, month: string) {
  const current = monthOf(context.clock(), context.config.timeZone);
  const [months, decisive] = await Promise.all([
    payOfMonths(context, creatorId),
    lastOfMonths(context.db, creatorId),
  ]);
  const worth = months.find((pay) => pay.month === month) ?? (await worthOfMonth(context, creatorId, month));
  const payable = payableOf(month, months, isTakenIn(decisive));
  const { coins, paise } = worth;
  const total = {
    userId: creatorId,
    month,
    monthLabel: monthLabel(month),
    totalCoins: coins,
    coinsPerRupee: rates.coinsPerRupee,
    unpaidCoins: coins - coinsFor(paise),
    paise,
    rupees: rupeesOf(paise),
    state: stateOf(worth, payable, { last: decisive.get(month), current }),
    counted: worth.isCounted,
    lines: linesOf(worth),
    ...decisionsOf(worth),
  };
  return { total, worth };
}

/** The smallest number of coins that is worth this many paise. */
function coinsFor(paise: number): number {
  const { coinsPerRupee } = rates;
  return Math.floor(paise / 100) * coinsPerRupee + Math.ceil(((paise % 100) * coinsPerRupee) / 100);
}

/** Coins of each kind of activity in a month. */
export function linesOf({ counts, paid, released, ofOwnWorks, takenBack }: MonthPay): MonthLine[] {
  const published = (kind: 'reels' | 'posts' | 'stories', coinsEach: number) => ({
    kind,
    count: counts[kind],
    paid: paid[kind],
    coinsEach,
    perCoin: null,
    coins: paid[kind] * coinsEach,
    leftOver: 0,
  });
  const inTens = (kind: 'views' | 'likes', perCoin: number) => ({
    kind,
    coinsEach: null,
    perCoin,
    paid: paid[kind],
    ...pool(paid[kind], perCoin),
    count: counts[kind],
  });
  return [
    published('reels', rates.coinsPerReel),
    published('posts', rates.coinsPerPost),
    published('stories', rates.coinsPerStory),
    inTens('views', rates.viewsPerCoin),
    inTens('likes', rates.likesPerCoin),
    ...inCoins('released', released, 1),
    ...inCoins('own_works', ofOwnWorks, 1),
    ...inCoins('taken_back', takenBack, -1),
  ];
}

/** A line of coins from other months, if there are any. */
function inCoins(
  kind: 'released' | 'own_works' | 'taken_back',
  count: number,
  coinsEach: number,
): MonthLine[] {
  if (count === 0) return [];
  return [{ kind, count, paid: count, coinsEach, perCoin: null, coins: count * coinsEach, leftOver: 0 }];
}

/** Views or likes that do not pay, and the coins that they would be worth. */
function notPaid(count: number, paid: number, perCoin: number) {
  return { count: count - paid, coins: Math.floor(count / perCoin) - Math.floor(paid / perCoin) };
}

function pool(count: number, perCoin: number) {
  return { count, coins: Math.floor(count / perCoin), leftOver: count % perCoin };
}

const kindOf = { reel: 'reels', post: 'posts', story: 'stories' } as const;

function asItem(row: ItemRow): Omit<EarningItem, 'copy'> {
  const each = { reel: rates.coinsPerReel, post: rates.coinsPerPost, story: rates.coinsPerStory };
  const perCoin = row.kind === 'post' ? rates.likesPerCoin : rates.viewsPerCoin;
  const { count: counted, coins: countedCoins, leftOver } = pool(row.counted, perCoin);
  const isOver = row.earns && row.rank > rules.paidPublications[kindOf[row.kind]];
  const publishedCoins = row.earns && !isOver ? each[row.kind] : 0;
  const { shown, watched, uncounted } =
    row.kind === 'reel' ? funnelOf(row) : { shown: 0, watched: 0, uncounted: listReasons(row.uncounted) };
  return {
    kind: row.kind,
    _id: row.id,
    caption: row.caption,
    publishedAt: row.published_at.toISOString(),
    deletedAt: row.deleted_at?.toISOString() ?? null,
    duplicate: row.duplicate,
    unpaid: isOver ? 'over_month' : row.unpaid,
    publishedCoins,
    shown,
    watched,
    counted,
    countedCoins,
    leftOver,
    coins: publishedCoins + countedCoins,
    uncounted,
  };
}
