import type { Transaction } from 'kysely';
import type { MonthCounts } from '#contract/earning-rules.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { LedgerAccount, Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { findSetting, replaceSetting } from '#server/platform/settings.ts';
import { creatorsWithAdjustments, listAdjustments } from '../months/adjustments.ts';
import {
  type AdjustmentRow,
  earnedIn,
  type MonthPay,
  nothing,
  type Result,
  resultOf,
  viewsAboveLimit,
  voidable,
} from '../months/money.ts';
import { payOf } from '../months/month-pay.ts';
import { asResult, findMonths, findResults } from '../months/month-rows.ts';
import { coinsOfOwnWork, countsOfWorks } from '../months/own-works.ts';
import { likesByAccounts } from '../months/vouching.ts';
import { viewerOfPerson } from '../views/viewers.ts';
import { combinedPaise, isTooLittle } from '../withdrawals/carry.ts';
import { accounts, type Step } from '../withdrawals/ledger.ts';
import { listPaidAgain } from '../withdrawals/unpaid-by-hand.ts';
import * as queries from './audit.queries.ts';
import { type Difference, storeDifferences } from './differences.ts';

export interface Audit {
  months: number;
  /** Finished months (YYYY-MM) that were derived from the counts by reel and day, since their single views are deleted. */
  fromCounts: string[];
  withdrawals: number;
  differences: Difference[];
  /** Withdrawals that were paid again after an operator recorded a payment as failed or returned, newest first; at most a hundred. */
  paidAgain: { withdrawalId: string; userId: string; month: string; paise: number; at: string }[];
}

const pageSize = 1000;
/** An audit stores nothing, not even for a month that has just begun. */
const longAgo = () => new Date(0);
const lastAuditName = 'last audit';

/**
 * Derives every month from its events, every withdrawal from its month, and the ledger's balances from the
 * withdrawals, and returns all differences. Reads one snapshot and changes nothing.
 */
export async function auditLedger({
  db,
  config,
  keyring,
}: Context<'db' | 'config' | 'keyring'>): Promise<Audit> {
  const { timeZone } = config;
  return await queries.snapshot(db, async (trx) => {
    const differences = [
      ...(await queries.differingMonths(trx, timeZone)).map(asDifference('month')),
      ...(await queries.differingReels(trx)).map(asDifference('reel')),
      ...(await queries.unfoundedViews(trx, timeZone)).map(asDifference('reel')),
      ...(await ownViews(trx, keyring)).map(asDifference('reel')),
      ...(await queries.unshownViews(trx, timeZone)).map(asDifference('reel')),
      ...(await queries.overpaidViewers(trx, timeZone)).map(asDifference('viewer')),
      ...(await queries.differingActivity(trx, timeZone)).map(asDifference('activity')),
      ...(await queries.monthsPaidTwice(trx)).map(asDifference('month')),
      ...(await queries.differingViewers(trx)).map(asDifference('viewer')),
      ...(await queries.wronglyEstablished(trx, timeZone)).map(asDifference('viewer')),
      ...(await differingShares(trx, keyring)).map(asDifference('viewer')),
      ...(await differingResults(trx, timeZone)),
    ];
    const inside = { db: trx, clock: longAgo, config };
    for (let ids = await creatorsWithAdjustments(trx, undefined, pageSize); ids.length > 0; ) {
      for (const id of ids) differences.push(...(await differingAdjustments(inside, id)));
      ids = await creatorsWithAdjustments(trx, ids.at(-1), pageSize);
    }
    let withdrawals = 0;
    for (let page = await queries.withdrawalsAfter(trx, undefined, pageSize); page.length > 0; ) {
      withdrawals += page.length;
      for (const row of page) {
        const asked = [...row.carried.map(({ month }) => month), row.month];
        const months = await findMonths(trx, row.creator_id, asked);
        const pays = await payOf(inside, row.creator_id, months, await decidedBefore(trx, row));
        differences.push(...checkWithdrawal(row, new Map(pays.map((pay) => [pay.month, pay]))));
      }
      page = await queries.withdrawalsAfter(trx, page.at(-1)?.id, pageSize);
    }
    differences.push(...(await checkBalances(trx)));
    const paidAgain = (await listPaidAgain(trx, 100)).map(({ id, creator_id, month, paise, at }) => ({
      withdrawalId: id,
      userId: creator_id,
      month,
      paise,
      at: at.toISOString(),
    }));
    const fromCounts = await queries.monthsWithoutViews(trx);
    return { months: await queries.countMonths(trx), fromCounts, withdrawals, differences, paidAgain };
  });
}

/** Counted views of creators who watched their own reels signed in. */
async function ownViews(trx: Transaction<Tables>, keyring: Secrets): Promise<queries.Compared[]> {
  const watched = await queries.creatorsWatchedSignedIn(trx);
  const hashed = hashedByMonth(keyring, watched, ({ creator_id }) => creator_id);
  const differences: queries.Compared[] = [];
  for (const [month, creators] of hashed)
    differences.push(...(await queries.viewsByCreators(trx, month, creators)));
  return differences;
}

/** Differences of the shares of established accounts, in months whose single views still exist. */
async function differingShares(trx: Transaction<Tables>, keyring: Secrets): Promise<queries.Compared[]> {
  const hashed = hashedByMonth(keyring, await queries.establishedPeople(trx), (row) => row.person_id);
  const differences: queries.Compared[] = [];
  for (const [month, people] of hashed)
    differences.push(...(await queries.differingShares(trx, month, people)));
  return differences;
}

/** Derives the results of all counted months again. */
async function differingResults(trx: Transaction<Tables>, timeZone: string): Promise<Difference[]> {
  const differences: Difference[] = [];
  for (const month of await queries.countedMonths(trx)) {
    let page: queries.AuditedResult[] = [];
    do {
      page = await queries.resultsAfter(trx, month, page.at(-1)?.creator_id, pageSize);
      const ids = page.map((row) => row.creator_id);
      const likes = await likesByAccounts(trx, 'established_accounts', ids, { month, timeZone });
      for (const { result, ...row } of page) {
        const recorded = figuresOf(result ? asResult(result) : undefined);
        const derived = figuresOf(resultOf(row, likes.get(row.creator_id)));
        differences.push(
          ...differing(
            { creatorId: row.creator_id, month },
            derived.map(([figure, value], index) => [`result: ${figure}`, recorded[index]?.[1] ?? '', value]),
          ),
        );
      }
    } while (page.length === pageSize);
  }
  return differences;
}

/** The figures of a result by name; empty values if there is none. */
function figuresOf(result: Result | undefined): [figure: string, value: string | number][] {
  const numbers = (name: string, counts: MonthCounts | undefined): [string, string | number][] =>
    (['reels', 'posts', 'stories', 'views', 'likes'] as const).map((figure) => [
      `${name}${figure}`,
      counts?.[figure] ?? '',
    ]);
  return [
    ...numbers('', result?.counts),
    ...numbers('paid ', result?.paid),
    ['coins', result?.coins ?? ''],
    ['paise', result?.paise ?? ''],
    ['may be carried', String(result?.mayBeCarried ?? '')],
  ];
}

type Secrets = Pick<Context<'keyring'>['keyring'], 'secret'>;

/** People with their viewer hashes, by month. */
function hashedByMonth<T extends { month: string }>(
  keyring: Secrets,
  rows: readonly T[],
  personOf: (row: T) => string,
): [month: string, people: queries.HashedPerson[]][] {
  const secret = keyring.secret('viewers');
  return [...Map.groupBy(rows, (row) => row.month)].map(([month, ofMonth]) => [
    month,
    ofMonth
      .map(personOf)
      .map((personId) => ({ personId, viewer: viewerOfPerson(secret, personId).toString('hex') })),
  ]);
}

const asDifference =
  (what: Difference['what']) =>
  ({ owner, month, figure, recorded, derived }: queries.Compared): Difference => ({
    what,
    id: owner,
    month,
    figure,
    recorded,
    derived,
  });

/** Derives each adjustment of a creator again, from the result of its month, the adjustments before it, and the counts of the work. */
async function differingAdjustments(
  context: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
): Promise<Difference[]> {
  const { db, config } = context;
  const rows = await listAdjustments(db, creatorId);
  const results = await findResults(
    db,
    creatorId,
    rows.map(({ month }) => month),
  );
  const differences: Difference[] = [];
  for (const [index, row] of rows.entries()) {
    const { month, kind } = row;
    const derived = await deriveAdjustment(context, row, {
      result: results.get(month),
      before: rows.slice(0, index),
    });
    const isIn = [derived.countsIn, monthOf(row.at, config.timeZone)].includes(row.counts_in);
    differences.push(
      ...differing({ creatorId, month }, [
        [`${kind}: views`, row.views, derived.views],
        [`${kind}: coins`, row.coins, derived.coins],
        [`${kind}: counts in`, row.counts_in, isIn ? row.counts_in : derived.countsIn],
      ]),
    );
  }
  return differences;
}

async function deriveAdjustment(
  { db, config }: Context<'db' | 'config'>,
  { creator_id: creatorId, month, kind, work_id: workId, at }: AdjustmentRow,
  { result, before }: { result: Result | undefined; before: readonly AdjustmentRow[] },
): Promise<{ views: number; coins: number; countsIn: string }> {
  const { timeZone } = config;
  const countsIn = monthOf(at, timeZone);
  if (workId) {
    const { views } = (await countsOfWorks(db, [workId], timeZone)).get(month) ?? nothing;
    const of = { creatorId, month, workId, adjustments: before };
    return { views, coins: await coinsOfOwnWork(db, timeZone, result, of), countsIn };
  }
  if (!result) return { views: 0, coins: 0, countsIn };
  const pay = earnedIn({ month, isCounted: true, result }, before);
  if (kind === 'released') return { ...viewsAboveLimit(pay.withOwnWorks), countsIn };
  return voidable(pay, kind === 'void_paid' ? 'paid' : 'waiting');
}

function differing(
  { creatorId: id, month }: { creatorId: string; month: string },
  compared: readonly [figure: string, recorded: string | number, derived: string | number][],
): Difference[] {
  return compared
    .filter(([, recorded, derived]) => recorded !== derived)
    .map(([figure, recorded, derived]) => ({ what: 'month', id, month, figure, recorded, derived }));
}

/**
 * Decisions about a creator's views that existed when a withdrawal was computed. While a withdrawal is pending or completed no coins are
 * taken back from its months; after a rejection they can be.
 */
async function decidedBefore(
  trx: Transaction<Tables>,
  { creator_id, rejected_at }: queries.AuditedWithdrawal,
) {
  const adjustments = await listAdjustments(trx, creator_id);
  return adjustments.filter(({ coins, at }) => coins >= 0 || !rejected_at || at < rejected_at);
}

/** Compares one withdrawal with its month, the months it carries, and its ledger transactions. */
function checkWithdrawal(
  withdrawal: queries.AuditedWithdrawal,
  pays: ReadonlyMap<string, MonthPay>,
): Difference[] {
  const coinsOf = (month: string) => pays.get(month)?.coins ?? 0;
  const coins = coinsOf(withdrawal.month);
  // Each payment, and whether it was returned; a completed withdrawal ends with one that was not.
  const payments = withdrawal.payments.flatMap((state): Step[] =>
    state === 'returned' ? ['completed', 'returned'] : ['completed'],
  );
  const isPaid = payments.at(-1) === 'completed';
  const timesRequested = withdrawal.steps.filter((step) => step.startsWith('requested ')).length;
  const steps: Step[] = [
    'requested',
    // Cancelled by its creator while an operator paid it by hand.
    ...Array.from({ length: timesRequested - 1 }, (): Step[] => ['rejected', 'requested']).flat(),
    ...payments,
    ...(withdrawal.state === 'rejected' ? (['rejected'] as const) : []),
  ];
  const posted = steps.map(
    (step) => `${step} ${accounts[step].debit} ${accounts[step].credit} ${withdrawal.paise}`,
  );
  const compared: [figure: string, recorded: string | number, derived: string | number][] = [
    ['coins', withdrawal.coins, coins],
    ['paise', withdrawal.paise, combinedPaise([...withdrawal.carried, { month: withdrawal.month, coins }])],
    ...withdrawal.carried.flatMap((paid): [string, string | number, string | number][] => [
      [`coins of ${paid.month}`, paid.coins, coinsOf(paid.month)],
      [
        `carried ${paid.month}`,
        String(
          paid.month < withdrawal.month && isTooLittle(paid) && pays.get(paid.month)?.mayBeCarried === true,
        ),
        'true',
      ],
    ]),
    ['steps', withdrawal.steps.toSorted().join(', '), posted.toSorted().join(', ')],
    ['paid', String(isPaid), String(withdrawal.state === 'completed')],
    ['payments under way', withdrawal.state === 'pending' ? 0 : withdrawal.under_way, 0],
    ['payments of another amount', withdrawal.of_other_amounts, 0],
  ];
  return compared
    .filter(([, recorded, derived]) => recorded !== derived)
    .map(([figure, recorded, derived]) => ({
      what: 'withdrawal',
      id: withdrawal.id,
      month: withdrawal.month,
      figure,
      recorded,
      derived,
    }));
}

/** Checks that all ledger entries sum to zero and that the balance of each account matches the withdrawals. */
async function checkBalances(trx: Transaction<Tables>): Promise<Difference[]> {
  const [balances, byState] = [await queries.balances(trx), await queries.paiseByState(trx)];
  const pending = byState.get('pending') ?? 0;
  const completed = byState.get('completed') ?? 0;
  const expected: Record<LedgerAccount, number> = {
    earnings_expense: pending + completed,
    creator_payable: 0 - pending,
    payouts: 0 - completed,
  };
  const sum = [...balances.values()].reduce((total, paise) => total + paise, 0);
  const rows: [id: string, recorded: number, derived: number][] = [
    ['all accounts', sum, 0],
    ...Object.entries(expected).map(([account, paise]): [string, number, number] => [
      account,
      balances.get(account) ?? 0,
      paise,
    ]),
  ];
  return rows
    .filter(([, recorded, derived]) => recorded !== derived)
    .map(([id, recorded, derived]) => ({
      what: 'account',
      id,
      month: null,
      figure: 'paise',
      recorded,
      derived,
    }));
}

/** The nightly audit. */
export const auditJob: JobKind<object> = { name: 'audit', retries: 2, seconds: 60 * 60, isPatient: true };

export interface AuditSummary {
  at: string;
  months: number;
  withdrawals: number;
  differences: number;
}

/** Runs the audit and stores its summary and differences for the log, metrics and operators. */
export async function runAudit({
  db,
  clock,
  config,
  keyring,
}: Context<'db' | 'clock' | 'config' | 'keyring'>): Promise<Audit & { summary: AuditSummary }> {
  const audit = await auditLedger({ db, config, keyring });
  const now = clock();
  const summary = {
    at: now.toISOString(),
    months: audit.months,
    withdrawals: audit.withdrawals,
    differences: audit.differences.length,
  };
  await inTransaction(db, async (trx) => {
    await storeDifferences(trx, audit.differences, now);
    await replaceSetting(trx, lastAuditName, JSON.stringify(summary));
  });
  return { ...audit, summary };
}

/** Summary and age of the last audit; null before the first. */
export async function lastAudit({
  db,
  clock,
}: Context<'db' | 'clock'>): Promise<(AuditSummary & { ageSeconds: number }) | null> {
  const value = await findSetting(db, lastAuditName);
  if (value === undefined) return null;
  const summary: AuditSummary = JSON.parse(value);
  const age = clock().getTime() - new Date(summary.at).getTime();
  return { ...summary, ageSeconds: Math.max(0, Math.floor(age / 1000)) };
}
