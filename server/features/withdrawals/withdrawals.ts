import type { Kysely, Transaction } from 'kysely';
import { paiseOf, rates, rupeesOf } from '#contract/earning-rules.ts';
import type { Withdrawal } from '#contract/earnings.ts';
import type { Page } from '#contract/fields.ts';
import { monthLabel, monthName } from '#contract/month.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { notSignedIn, Refusal, suspended } from '#server/platform/refusal.ts';
import { type Waiting, waitingFor } from '../destinations/destination.ts';
import { firstUncounted } from '../months/closing.ts';
import { payOf } from '../months/month-pay.ts';
import { lockMonths } from '../months/month-rows.ts';
import { readMonth } from '../months/month-worth.ts';
import { type AttemptRow, attemptsOf, isCancelled, payoutOf, stepsOf } from './attempts.ts';
import { payableOf } from './carry.ts';
import { postStep } from './ledger.ts';
import { notifyRequested } from './payout-notices.ts';
import * as queries from './withdrawals.queries.ts';

export {
  isTakenIn,
  lastOfMonths,
  listOfMonth,
  listPostings,
  paidByYear,
  type WithdrawalRow,
} from './withdrawals.queries.ts';

export interface WithdrawalForm {
  userId: string;
  month: string;
  /** The amount in rupees that the client displays; compared with the amounts that the server computes. */
  totalRupee: number | string;
}

/**
 * Requests the money of a finished month (decisions §4). Requests for one month wait for its row lock, so that a thousand parallel ones
 * make one withdrawal; repeated requests get the response of the first. The withdrawal and its ledger transaction are one transaction.
 */
export async function withdraw(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  callerId: string,
  form: WithdrawalForm,
): Promise<Withdrawal> {
  if (form.userId !== callerId) throw new Refusal('not_yours', { what: 'withdrawal' }, 'userId');
  const month = readMonth(form.month);
  const { db } = context;
  const now = context.clock();
  mustBeOver(month, monthOf(now, context.config.timeZone));
  // A repeated request is answered without waiting for the lock.
  const known = await queries.findCurrent(db, callerId, month);
  if (known) return await repeated(context, known, { ...form, month });
  await mustBeCounted(context, month);
  const row = await inTransaction(db, async (trx) => {
    const person = await queries.lockAgainstDeletion(trx, callerId);
    if (!person) throw notSignedIn();
    if (person.suspended_at) throw suspended();
    const months = await lockMonths(trx, callerId, month);
    const current = await queries.findCurrent(trx, callerId, month);
    if (current) return current;
    await mustNotBeCancelledOften(trx, { creatorId: callerId, month }, now);
    const isTaken = queries.isTakenIn(await queries.lastOfMonths(trx, callerId));
    const pays = await payOf({ ...context, db: trx }, callerId, months);
    const { coins, carried, paise, isEnough } = payableOf(month, pays, isTaken);
    const own = paiseOf(coins);
    if (!isEnough) {
      throw new Refusal(
        'below_minimum',
        { month, earned: rupeesOf(own), least: rupeesOf(rates.minimumWithdrawalPaise) },
        'month',
      );
    }
    mustBeAmount(form.totalRupee, { own, paise }, month);
    const waiting = await waitingFor({ ...context, db: trx }, callerId);
    const withdrawal = await queries.insertWithdrawal(trx, {
      id: newId(now),
      creator_id: callerId,
      month,
      coins,
      carried: JSON.stringify(carried),
      paise,
      state: 'pending',
      requested_at: now,
      ready_at: waiting ? null : now,
    });
    await postStep(trx, withdrawal, { step: 'requested', operatorId: null }, now);
    await notifyRequested(trx, context, withdrawal, waiting);
    return withdrawal;
  });
  return await repeated(context, row, { ...form, month });
}

/** A month is requested again at most this often within 24 hours after it was cancelled: each request is stored for ever. */
const cancelledAtMost = 3;

async function mustNotBeCancelledOften(
  trx: Transaction<Tables>,
  { creatorId, month }: { creatorId: string; month: string },
  now: Date,
): Promise<void> {
  const since = new Date(now.getTime() - 24 * 60 * 60 * 1000);
  if ((await queries.countCancelled(trx, { creatorId, month, since })) < cancelledAtMost) return;
  throw new Refusal('too_many_cancellations', { month }, 'month');
}

function mustBeOver(month: string, current: string): void {
  if (month === current) {
    throw new Refusal('month_not_over', { what: 'running', month }, 'month');
  }
  if (month > current) throw new Refusal('month_not_over', { what: 'future', month }, 'month');
}

/** Throws while a finished month is not counted: that takes minutes, or longer after an outage (decisions §4). */
async function mustBeCounted(context: Context<'db' | 'clock' | 'config'>, month: string): Promise<void> {
  if (month < (await firstUncounted(context))) return;
  throw new Refusal('month_not_counted', { name: monthName(month) }, 'month');
}

/** The answer to a repeated request: the existing withdrawal, which may carry the month, if the amount is the same. */
async function repeated(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  row: queries.WithdrawalRow,
  { month, totalRupee }: WithdrawalForm,
): Promise<Withdrawal> {
  const coins = row.carried.find((carried) => carried.month === month)?.coins ?? row.coins;
  mustBeAmount(totalRupee, { own: paiseOf(coins), paise: row.paise }, month);
  return await showWithdrawal(context.db, row, await waitingFor(context, row.creator_id));
}

/** The client shows the amount of the month alone, or with the carried months. */
function mustBeAmount(
  totalRupee: number | string,
  { own, paise }: { own: number; paise: number },
  month: string,
): void {
  if (isAmount(totalRupee, own) || isAmount(totalRupee, paise)) return;
  throw new Refusal('amount_differs', { month, earned: rupeesOf(own), asked: totalRupee }, 'totalRupee');
}

/** Whether an amount in rupees is exactly this many paise. Compared digit by digit, without floating point. */
export function isAmount(rupees: number | string, paise: number): boolean {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(String(rupees)) ?? [];
  if (whole === '') return false;
  const [cents, rest] = [fraction.slice(0, 2).padEnd(2, '0'), fraction.slice(2)];
  return BigInt(whole + cents) === BigInt(paise) && !/[1-9]/.test(rest);
}

/** The caller's withdrawals, newest first. */
export async function listOwnWithdrawals(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
  creatorId: string,
  page: Page,
): Promise<{ data: Withdrawal[]; nextCursor: string | null }> {
  const [rows, waiting] = await Promise.all([
    queries.listOfCreator(context.db, creatorId, page.limit + 1, readCursor(page.cursor)),
    waitingFor(context, creatorId),
  ]);
  const attempts = await attemptsOf(context.db, rows);
  const position = (row: queries.WithdrawalRow) => ({ at: row.requested_at, id: row.id });
  return pageOf(rows, page.limit, position, (row) =>
    asWithdrawal(row, { waiting, attempts: attempts.get(row.id) }),
  );
}

/** State of each month's withdrawal. Rejected months are left out, because they can be requested again. */
export async function withdrawStatuses(
  db: Kysely<Tables>,
  creatorId: string,
): Promise<Record<string, 'pending' | 'completed'>> {
  const statuses: Record<string, 'pending' | 'completed'> = {};
  for (const [month, { state }] of await queries.lastOfMonths(db, creatorId))
    if (state !== 'rejected') statuses[month] = state;
  return statuses;
}

/** The withdrawal of a month, or the one that carries it; undefined if there is none, or if it was rejected. */
export const findWithdrawalOf = (db: Kysely<Tables>, creatorId: string, month: string) =>
  queries.findCurrent(db, creatorId, readMonth(month));

/**
 * Whether a person has a pending withdrawal, in the transaction that deletes the account. The person is locked, so
 * that no request can be stored in the meantime.
 */
export async function hasPendingWithdrawal(trx: Transaction<Tables>, personId: string): Promise<boolean> {
  await queries.lockPerson(trx, personId);
  return (await queries.countPending(trx, personId)) > 0;
}

/** One withdrawal, and the history of its payment. */
export async function showWithdrawal(
  db: Kysely<Tables>,
  row: queries.WithdrawalRow,
  waiting: Waiting | null = null,
): Promise<Withdrawal> {
  return asWithdrawal(row, { waiting, attempts: (await attemptsOf(db, [row])).get(row.id) });
}

export function asWithdrawal(
  row: queries.WithdrawalRow,
  { waiting = null, attempts = [] }: { waiting?: Waiting | null; attempts?: AttemptRow[] | undefined },
): Withdrawal {
  return {
    _id: row.id,
    userId: row.creator_id,
    month: row.month,
    monthLabel: monthLabel(row.month),
    coins: row.coins,
    carried: row.carried.map(({ month, coins }) => ({ month, monthLabel: monthLabel(month), coins })),
    paise: row.paise,
    rupees: rupeesOf(row.paise),
    totalRupee: rupeesOf(row.paise),
    status: row.state,
    payout: payoutOf(row, waiting, attempts),
    steps: stepsOf(attempts),
    reference: row.reference,
    reason: isCancelled(row) ? null : row.reason,
    createdAt: row.requested_at.toISOString(),
    readyAt: row.ready_at?.toISOString() ?? null,
    decidedAt: row.decided_at?.toISOString() ?? null,
  };
}
