import type { Transaction } from 'kysely';
import type { Withdrawal } from '#contract/earnings.ts';
import type { Page } from '#contract/fields.ts';
import { monthKey } from '#contract/month.ts';
import type { RiskMark, WithdrawalForReview } from '#contract/operators.ts';
import { coinsOf, ratesOf } from '#contract/rates.ts';
import type { SentenceOf } from '#contract/sentences.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import { isUniqueViolation } from '#server/platform/database/conflicts.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { postStep } from './ledger.ts';
import * as reviews from './review.queries.ts';
import * as queries from './withdrawals.queries.ts';
import { asWithdrawal } from './withdrawals.ts';

/** What operators do with withdrawals: look closer, pay, reject. */

/** Runs in the transaction of a decision, and only where it changed something. */
type Done = (trx: Transaction<Tables>, withdrawal: Withdrawal, now: Date) => Promise<void>;

const day = 24 * 60 * 60 * 1000;
const risk = {
  /** Younger than this when it asked. */
  newAccountDays: 30,
  /** So many viewers are few … */
  topViewers: 5,
  /** … and this share of a month's counted views is much for them. */
  fewViewersShare: 0.5,
  /** Below so many counted views a share says nothing. */
  viewsToJudge: 20,
  /** So many different viewers of one month behind one address. */
  viewersOfOneAddress: 10,
  /** So many times what the creator's earlier months were worth on average. */
  overUsual: 5,
};

/** Withdrawals of every creator, newest first, with the risk marks of each. */
export async function listWithdrawals(
  { db, config }: Context<'db' | 'config'>,
  which: Page & { state?: Withdrawal['status'] | undefined; month?: string | undefined },
): Promise<{ data: WithdrawalForReview[]; nextCursor: string | null }> {
  const rows = await reviews.list(
    db,
    {
      state: which.state,
      month: monthKey(which.month ?? ''),
      topViewers: risk.topViewers,
      timeZone: config.timeZone,
    },
    which.limit + 1,
    readCursor(which.cursor),
  );
  const position = (row: reviews.ReviewRow) => ({ at: row.requested_at, id: row.id });
  return pageOf(rows, which.limit, position, (row) => ({
    ...asWithdrawal(row),
    name: row.name ?? '',
    username: row.username ?? '',
    email: row.email ?? '',
    marks: marksOf(row),
  }));
}

function marksOf(row: reviews.ReviewRow): RiskMark[] {
  const age = row.joined_at ? row.requested_at.getTime() - row.joined_at.getTime() : Number.POSITIVE_INFINITY;
  const judged = row.views >= risk.viewsToJudge;
  const usual = usualOf(row.earlier_months);
  const marks: Record<RiskMark, boolean> = {
    account_gone: row.joined_at === null,
    suspended: row.suspended_at !== null,
    new_account: age < risk.newAccountDays * day,
    shared_address: row.top_address >= risk.viewersOfOneAddress,
    few_viewers: judged && row.top_viewers >= row.views * risk.fewViewersShare,
    far_over_usual: usual !== undefined && row.coins > usual * risk.overUsual,
    exported: row.exported,
  };
  return (Object.keys(marks) as RiskMark[]).filter((mark) => marks[mark]);
}

/** Coins of an average month, each by its own rates, withdrawn or not; undefined where there was none. */
function usualOf(months: reviews.ReviewRow['earlier_months']): number | undefined {
  if (months.length === 0) return undefined;
  return months.reduce((sum, counts) => sum + coinsOf(counts, ratesOf(counts.month)), 0) / months.length;
}

/**
 * Notes that a withdrawal has been paid, under the payer's reference. The same again is the same; two operators at once
 * pay once: the second one reads what the first one did.
 */
export async function completeWithdrawal(
  { db, clock }: Context<'db' | 'clock'>,
  id: string,
  { reference, operatorId }: { reference: string; operatorId: string | null },
  done: Done = async () => undefined,
): Promise<Withdrawal> {
  const told = textOf(reference, 100, "Please give the payer's reference.", 'reference');
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const row = await lock(trx, id);
    if (row.state === 'completed' && row.reference === told) return asWithdrawal(row);
    mustBePending(row);
    if (await queries.isSuspended(trx, row.creator_id)) {
      throw new Refusal(
        'person_suspended',
        'This account is suspended: reject the withdrawal, or restore the account first.',
      );
    }
    await postStep(trx, row, { step: 'completed', operatorId }, now);
    const decided = await queries
      .decide(trx, id, { state: 'completed', reference: told }, { operatorId, now })
      .catch((error: unknown) => {
        if (!isUniqueViolation(error, queries.oneReference)) throw error;
        throw new Refusal(
          'reference_used',
          'Another withdrawal was paid with this reference. Please give the one of this payment.',
          'reference',
        );
      });
    await done(trx, asWithdrawal(decided), now);
    return asWithdrawal(decided);
  });
}

/** Rejects a withdrawal with a reason that its creator reads; the month can be asked for again. The same again is the same. */
export async function rejectWithdrawal(
  { db, clock }: Context<'db' | 'clock'>,
  id: string,
  { reason, operatorId }: { reason: string; operatorId: string | null },
  done: Done = async () => undefined,
): Promise<Withdrawal> {
  const told = textOf(reason, 500, 'Please give a reason that the creator will understand.', 'reason');
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const row = await lock(trx, id);
    if (row.state === 'rejected' && row.reason === told) return asWithdrawal(row);
    mustBePending(row);
    await postStep(trx, row, { step: 'rejected', operatorId }, now);
    const decided = await queries.decide(trx, id, { state: 'rejected', reason: told }, { operatorId, now });
    await done(trx, asWithdrawal(decided), now);
    return asWithdrawal(decided);
  });
}

async function lock(trx: Transaction<Tables>, id: string): Promise<queries.WithdrawalRow> {
  const row = await queries.lockWithdrawal(trx, id);
  if (!row) throw notFound('There is no such withdrawal.');
  return row;
}

function mustBePending(row: queries.WithdrawalRow): void {
  if (row.state === 'completed')
    throw new Refusal(
      'withdrawal_decided',
      `This withdrawal was already paid, with the reference ${row.reference}.`,
    );
  if (row.state === 'rejected')
    throw new Refusal('withdrawal_decided', `This withdrawal was already rejected: ${row.reason}`);
}

function textOf(text: string, atMost: number, missing: SentenceOf<'invalid_input'>, field: string): string {
  const told = text.trim();
  if (told === '') throw new Refusal('invalid_input', missing, field);
  if (told.length > atMost)
    throw new Refusal('invalid_input', `Please keep this under ${atMost} characters.`, field);
  return told;
}
