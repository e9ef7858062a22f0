import type { Kysely, Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import { retryOnConflict } from '#server/platform/database/conflicts.ts';
import { listSpread } from '#server/platform/database/spread.ts';
import type { LedgerAccount, Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { findSetting, replaceSetting } from '#server/platform/settings.ts';
import { listAdjustments } from '../months/adjustments.ts';
import type { MonthPay } from '../months/money.ts';
import { payOf } from '../months/month-pay.ts';
import { findMonths } from '../months/month-rows.ts';
import { combinedPaise, isTooLittle } from '../withdrawals/carry.ts';
import { accounts, type Step } from '../withdrawals/ledger.ts';
import { listPaidAgain } from '../withdrawals/unpaid-by-hand.ts';
import * as queries from './audit.queries.ts';
import { keepMonths, onlyCreator } from './creators-audit.queries.ts';
import {
  asDifference,
  auditCreators,
  creatorRanges,
  hashedByMonth,
  type Inside,
  type OfCreator,
  type Secrets,
} from './creators-audit.ts';
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
 * withdrawals, and returns all differences: a range of creators after the other, then what crosses creators, and the
 * money. Each of them is read in one snapshot; the nodes of a cluster have none in common, so what differs there is read again. Changes nothing.
 */
export async function auditLedger({
  db,
  config,
  keyring,
}: Context<'db' | 'config' | 'keyring'>): Promise<Audit> {
  const part = <T>(run: (trx: Transaction<Tables>) => Promise<T>) => queries.snapshot(db, run);
  const isSpread = (await listSpread(db)).length > 0;
  const differences: Difference[] = [];
  for await (const creators of creatorRanges(db)) {
    const found = await part((trx) => auditCreators({ db: trx, config, keyring }, creators));
    differences.push(
      ...(isSpread ? await auditAgain({ db, config, keyring }, found) : found).map(withoutCreator),
    );
  }
  const auditEverybody = () => part((trx) => auditPeople({ db: trx, config, keyring }));
  const people = await auditEverybody();
  const again = isSpread && people.length > 0 ? new Set((await auditEverybody()).map(asKey)) : undefined;
  differences.push(...people.filter((difference) => again?.has(asKey(difference)) ?? true));
  let withdrawals = 0;
  for (let after: string | undefined; ; ) {
    const page = await part((trx) => auditWithdrawals({ db: trx, config }, after));
    withdrawals += page.ids.length;
    differences.push(...page.differences);
    after = page.ids.at(-1);
    if (page.ids.length < pageSize) break;
  }
  return await part(async (trx) => ({
    months: await queries.countMonths(trx),
    fromCounts: await queries.monthsWithoutViews(trx),
    withdrawals,
    differences: [
      ...differences,
      ...(await queries.monthsPaidTwice(trx)).map(asDifference('month')),
      ...(await checkBalances(trx)),
    ],
    paidAgain: (await listPaidAgain(trx, 100)).map(({ id, creator_id, month, paise, at }) => ({
      withdrawalId: id,
      userId: creator_id,
      month,
      paise,
      at: at.toISOString(),
    })),
  }));
}

/** Creators who are audited again, while their views wait; more than that differ for another reason than writes meanwhile. */
const againAtMost = 1000;

/** Audits the creators of these differences one by one, while none of their months changes. */
async function auditAgain(
  { db, ...context }: Inside<'keyring'>,
  found: readonly OfCreator[],
): Promise<OfCreator[]> {
  const again = new Set([...new Set(found.map(({ creator }) => creator))].slice(0, againAtMost));
  const differences = found.filter(({ creator }) => !again.has(creator));
  for (const id of again)
    differences.push(
      ...(await retryOnConflict(() =>
        inTransaction(db, async (trx) => {
          await queries.allowLongStatements(trx);
          await keepMonths(trx, id);
          return await auditCreators({ ...context, db: trx }, onlyCreator(id));
        }),
      )),
    );
  return differences;
}

const withoutCreator = ({ creator, ...difference }: OfCreator): Difference => difference;

/** Equal for the same difference in two audits, also if the viewer has watched more in between. */
const asKey = ({ what, id, month, figure, recorded, derived }: Difference) =>
  JSON.stringify([what, id, month, figure, Number(recorded) - Number(derived)]);

/** What crosses creators: viewers, accounts, and what the app reported. */
async function auditPeople({ db, config, keyring }: Inside<'keyring'>): Promise<Difference[]> {
  const { timeZone } = config;
  return [
    ...(await queries.overpaidViewers(db, timeZone)).map(asDifference('viewer')),
    ...(await queries.differingActivity(db, timeZone)).map(asDifference('activity')),
    ...(await queries.differingViewers(db)).map(asDifference('viewer')),
    ...(await queries.wronglyEstablished(db, timeZone)).map(asDifference('viewer')),
    ...(await differingShares(db, keyring)).map(asDifference('viewer')),
  ];
}

/** Compares a page of withdrawals, by id. */
async function auditWithdrawals(
  { db, config }: Inside,
  after: string | undefined,
): Promise<{ ids: string[]; differences: Difference[] }> {
  const page = await queries.withdrawalsAfter(db, after, pageSize);
  const differences: Difference[] = [];
  for (const row of page) {
    const asked = [...row.carried.map(({ month }) => month), row.month];
    const months = await findMonths(db, row.creator_id, asked);
    const context = { db, config, clock: longAgo };
    const pays = await payOf(context, row.creator_id, months, await decidedBefore(db, row));
    differences.push(...checkWithdrawal(row, new Map(pays.map((pay) => [pay.month, pay]))));
  }
  return { ids: page.map(({ id }) => id), differences };
}

/** Differences of the shares of established accounts, in months whose single views still exist. */
async function differingShares(trx: Kysely<Tables>, keyring: Secrets): Promise<queries.Compared[]> {
  const hashed = hashedByMonth(keyring, await queries.establishedPeople(trx), (row) => row.person_id);
  const differences: queries.Compared[] = [];
  for (const [month, people] of hashed)
    differences.push(...(await queries.differingShares(trx, month, people)));
  return differences;
}

/**
 * Decisions about a creator's views that existed when a withdrawal was computed. While a withdrawal is pending or completed no coins are
 * taken back from its months; after a rejection they can be.
 */
async function decidedBefore(trx: Kysely<Tables>, { creator_id, rejected_at }: queries.AuditedWithdrawal) {
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
async function checkBalances(trx: Kysely<Tables>): Promise<Difference[]> {
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
