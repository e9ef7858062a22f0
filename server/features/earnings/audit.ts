import type { Transaction } from 'kysely';
import { coinsOf, paiseOf, ratesOf } from '#contract/rates.ts';
import type { Context } from '#server/platform/context.ts';
import type { LedgerAccount, Tables } from '#server/platform/database/tables.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import * as queries from './audit.queries.ts';
import { accounts, type Step } from './ledger.ts';

/** Something recorded that is not what it is derived from. */
export interface Difference {
  what: 'month' | 'reel' | 'activity' | 'withdrawal' | 'account';
  /** Whose: the creator, the reel, the person, the withdrawal, the account of the ledger. */
  id: string;
  /** YYYY-MM, where it is about a month. */
  month: string | null;
  figure: string;
  recorded: string | number;
  derived: string | number;
}

export interface Audit {
  months: number;
  withdrawals: number;
  differences: Difference[];
}

const pageSize = 1000;

/**
 * Derives every month from its events, every withdrawal from its month and the ledger's balances from the withdrawals,
 * and names each place where the record says something else. Reads one snapshot; changes nothing.
 */
export async function auditLedger({ db, config }: Context<'db' | 'config'>): Promise<Audit> {
  const { timeZone } = config;
  return await queries.snapshot(db, async (trx) => {
    const differences = [
      ...(await queries.differingMonths(trx, timeZone)).map(asDifference('month')),
      ...(await queries.differingReels(trx, timeZone)).map(asDifference('reel')),
      ...(await queries.differingActivity(trx, timeZone)).map(asDifference('activity')),
    ];
    let withdrawals = 0;
    for (let page = await queries.withdrawalsAfter(trx, undefined, pageSize); page.length > 0; ) {
      withdrawals += page.length;
      differences.push(...page.flatMap(judge));
      page = await queries.withdrawalsAfter(trx, page.at(-1)?.id, pageSize);
    }
    differences.push(...(await judgeBalances(trx)));
    return { months: await queries.countMonths(trx), withdrawals, differences };
  });
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

/** One withdrawal against its month and its steps in the ledger. */
function judge(asked: queries.Asked): Difference[] {
  const rates = ratesOf(asked.month);
  const coins = coinsOf(asked, rates);
  const steps: Step[] = asked.state === 'pending' ? ['requested'] : ['requested', asked.state];
  const posted = steps.map(
    (step) => `${step} ${accounts[step].debit} ${accounts[step].credit} ${asked.paise}`,
  );
  const compared: [figure: string, recorded: string | number, derived: string | number][] = [
    ['coins', asked.coins, coins],
    ['paise', asked.paise, paiseOf(coins, rates)],
    ['settled', String(asked.settled), 'true'],
    ['steps', asked.steps.join(', '), posted.join(', ')],
  ];
  return compared
    .filter(([, recorded, derived]) => recorded !== derived)
    .map(([figure, recorded, derived]) => ({
      what: 'withdrawal',
      id: asked.id,
      month: asked.month,
      figure,
      recorded,
      derived,
    }));
}

/** The ledger as a whole: its entries sum to zero, and each account holds what the withdrawals say. */
async function judgeBalances(trx: Transaction<Tables>): Promise<Difference[]> {
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
export const auditJob: JobKind<object> = { name: 'audit', retries: 2, seconds: 60 * 60 };

export interface AuditSummary {
  at: string;
  months: number;
  withdrawals: number;
  differences: number;
}

/** Audits and keeps the figures of it, for the log and for whoever asks next. */
export async function runAudit({
  db,
  clock,
  config,
}: Context<'db' | 'clock' | 'config'>): Promise<Audit & { summary: AuditSummary }> {
  const audit = await auditLedger({ db, config });
  const summary = {
    at: clock().toISOString(),
    months: audit.months,
    withdrawals: audit.withdrawals,
    differences: audit.differences.length,
  };
  await queries.noteAudit(db, JSON.stringify(summary));
  return { ...audit, summary };
}

/** The figures of the last audit and how old they are; null before the first. */
export async function lastAudit({
  db,
  clock,
}: Context<'db' | 'clock'>): Promise<(AuditSummary & { ageSeconds: number }) | null> {
  const value = await queries.findAudit(db);
  if (value === undefined) return null;
  const summary: AuditSummary = JSON.parse(value);
  const age = clock().getTime() - new Date(summary.at).getTime();
  return { ...summary, ageSeconds: Math.max(0, Math.floor(age / 1000)) };
}
