import type { Kysely, Transaction } from 'kysely';
import type { Withdrawal } from '#contract/earnings.ts';
import type { Page } from '#contract/fields.ts';
import { monthLabel } from '#contract/month.ts';
import { coinsOf, paiseOf, ratesOf, rupeesOf } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { notSignedIn, Refusal, suspended } from '#server/platform/refusal.ts';
import { keyOf } from './earnings.ts';
import { postStep } from './ledger.ts';
import * as queries from './withdrawals.queries.ts';

export interface WithdrawalForm {
  userId: string;
  month: string;
  /** Rupees; compared with what the server computes. */
  totalRupee: number | string;
}

/**
 * Asks for the money of a finished month (decisions §4). Requests for one creator's month stand in line at its row, so a
 * thousand at once make one withdrawal; the same request again gets the first one's answer. The withdrawal, its step
 * in the ledger and the end of all change to the month are one transaction.
 */
export async function withdraw(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  callerId: string,
  form: WithdrawalForm,
): Promise<Withdrawal> {
  if (form.userId !== callerId)
    throw new Refusal('not_yours', 'You can withdraw only your own earnings.', 'userId');
  const month = keyOf(form.month);
  const now = clock();
  mustBeOver(month, monthOf(now, config.timeZone));
  // Asked before and answered: nobody has to stand in line for that.
  const known = await queries.findStanding(db, callerId, month);
  if (known) return asked(known, form.totalRupee);
  const row = await inTransaction(db, async (trx) => {
    const person = await queries.keepPerson(trx, callerId);
    if (!person) throw notSignedIn();
    if (person.suspended_at) throw suspended();
    const counts = await queries.lockMonth(trx, callerId, month);
    const standing = await queries.findStanding(trx, callerId, month);
    if (standing) return standing;
    const rates = ratesOf(month);
    const coins = counts ? coinsOf(counts, rates) : 0;
    const paise = paiseOf(coins, rates);
    if (paise < rates.minimumWithdrawalPaise) {
      throw new Refusal(
        'below_minimum',
        `${monthLabel(month)} earned ₹${rupeesOf(paise)}; a withdrawal starts at ₹${rupeesOf(rates.minimumWithdrawalPaise)}.`,
        'month',
      );
    }
    mustBeAmount(form.totalRupee, paise, month);
    await queries.settleMonth(trx, callerId, month, now);
    const withdrawal = await queries.insertWithdrawal(trx, {
      id: newId(now),
      creator_id: callerId,
      month,
      coins,
      paise,
      state: 'pending',
      requested_at: now,
    });
    await postStep(trx, withdrawal, { step: 'requested', operatorId: null }, now);
    return withdrawal;
  });
  return asked(row, form.totalRupee);
}

function mustBeOver(month: string, current: string): void {
  if (month === current) {
    throw new Refusal(
      'month_not_over',
      `${monthLabel(month)} is not over yet. You can withdraw it once it is.`,
      'month',
    );
  }
  if (month > current)
    throw new Refusal('month_not_over', `${monthLabel(month)} has not started yet.`, 'month');
}

/** The answer to a request for what was asked before: that withdrawal, where the amount is the same. */
function asked(row: queries.WithdrawalRow, totalRupee: number | string): Withdrawal {
  mustBeAmount(totalRupee, row.paise, row.month);
  return asWithdrawal(row);
}

function mustBeAmount(totalRupee: number | string, paise: number, month: string): void {
  if (isAmount(totalRupee, paise)) return;
  throw new Refusal(
    'amount_differs',
    `${monthLabel(month)} earned ₹${rupeesOf(paise)}, not ₹${totalRupee}; please reload and try again.`,
    'totalRupee',
  );
}

/** Whether an amount in rupees is exactly so many paise; compared digit by digit, without floating point. */
export function isAmount(rupees: number | string, paise: number): boolean {
  const [, whole = '', fraction = ''] = /^(\d+)(?:\.(\d*))?$/.exec(String(rupees)) ?? [];
  if (whole === '') return false;
  const [cents, rest] = [fraction.slice(0, 2).padEnd(2, '0'), fraction.slice(2)];
  return BigInt(whole + cents) === BigInt(paise) && !/[1-9]/.test(rest);
}

/** One's own withdrawals, newest first. */
export async function listOwnWithdrawals(
  db: Kysely<Tables>,
  creatorId: string,
  page: Page,
): Promise<{ data: Withdrawal[]; nextCursor: string | null }> {
  const rows = await queries.listOfCreator(db, creatorId, page.limit + 1, readCursor(page.cursor));
  return pageOf(rows, page.limit, (row) => ({ at: row.requested_at, id: row.id }), asWithdrawal);
}

/** How the withdrawal of each month stands; rejected ones can be asked for again, so their months are absent. */
export async function withdrawStatuses(
  db: Kysely<Tables>,
  creatorId: string,
): Promise<Record<string, 'pending' | 'completed'>> {
  const statuses: Record<string, 'pending' | 'completed'> = {};
  for (const [month, { state }] of await queries.lastOfMonths(db, creatorId))
    if (state !== 'rejected') statuses[month] = state;
  return statuses;
}

/**
 * Whether a person waits for money; part of the transaction that deletes the account. Until that ends no request of
 * theirs can be stored, so what this says stays true.
 */
export async function hasPendingWithdrawal(trx: Transaction<Tables>, personId: string): Promise<boolean> {
  await queries.lockPerson(trx, personId);
  return (await queries.countPending(trx, personId)) > 0;
}

export function asWithdrawal(row: queries.WithdrawalRow): Withdrawal {
  return {
    _id: row.id,
    userId: row.creator_id,
    month: row.month,
    monthLabel: monthLabel(row.month),
    coins: row.coins,
    paise: row.paise,
    rupees: rupeesOf(row.paise),
    totalRupee: rupeesOf(row.paise),
    status: row.state,
    reference: row.reference,
    reason: row.reason,
    createdAt: row.requested_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  };
}
