import type { Transaction } from 'kysely';
import { rupeesOf } from '#contract/earning-rules.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { readinessOf, type Waiting } from '../destinations/destination.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { isCancelled } from './attempts.ts';
import * as queries from './withdrawals.queries.ts';

type Step =
  | 'withdrawal_requested'
  | 'withdrawal_in_review'
  | 'withdrawal_approved'
  | 'withdrawal_retried'
  | 'withdrawal_sent'
  | 'withdrawal_failed'
  | 'withdrawal_returned'
  | 'withdrawal_paid'
  | 'withdrawal_rejected'
  | 'withdrawal_cancelled'
  | 'destination_needed'
  | 'name_needed'
  | 'address_needed';

/** What a creator has to do before a waiting payout can be made. A hold ends by itself. */
const stepOf: Partial<Record<Waiting, Step>> = {
  waiting_for_destination: 'destination_needed',
  waiting_for_name: 'name_needed',
  waiting_for_address: 'address_needed',
};

/**
 * Notifies a creator that a withdrawal was requested, and what it waits for. Apps do not display refusals, so the notice has to contain it.
 */
export async function notifyRequested(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'outbox'>,
  row: queries.WithdrawalRow,
  waiting: Waiting | null,
): Promise<void> {
  await notify(trx, context, row, 'withdrawal_requested');
  const needed = waiting && stepOf[waiting];
  if (needed) await notify(trx, context, row, needed);
}

/** Runs every few minutes: a hold ends by itself, and a destination can be set in several ways. */
export const readyJob: JobKind<object> = {
  name: 'ready-withdrawals',
  retries: 0,
  seconds: 4 * 60,
  isPatient: true,
};

/** Notifies creators whose withdrawals no longer wait for anything that they are in review; returns how many. */
export async function notifyReady(
  context: Context<'db' | 'clock' | 'config' | 'keyring' | 'outbox'>,
): Promise<number> {
  const { db } = context;
  const atOnce = 100;
  let told = 0;
  let rows: queries.WithdrawalRow[] = [];
  do {
    rows = await queries.listNotReady(db, atOnce, rows.at(-1)?.id);
    const readiness = await readinessOf(
      context,
      rows.map((row) => row.creator_id),
    );
    for (const row of rows.filter(({ creator_id: id }) => readiness.get(id)?.waiting === null))
      await inTransaction(db, async (trx) => {
        if (!(await queries.markReady(trx, row.id, context.clock()))) return;
        await notify(trx, context, row, 'withdrawal_in_review');
        told += 1;
      });
  } while (rows.length === atOnce);
  return told;
}

/** Notifies a creator of the outcome of a withdrawal. */
export async function notifyDecided(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'outbox'>,
  row: queries.WithdrawalRow,
): Promise<void> {
  const refused = isCancelled(row) ? 'withdrawal_cancelled' : 'withdrawal_rejected';
  await notify(trx, context, row, row.state === 'completed' ? 'withdrawal_paid' : refused);
}

/** Notifies a creator of the state of a payment; `note`: its destination, or why it was not paid. */
export async function notifyPayment(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'outbox'>,
  row: queries.WithdrawalRow,
  { step, note = '' }: { step: Extract<Step, `withdrawal_${PaymentStep}`>; note?: string | null },
): Promise<void> {
  await notify(trx, context, { ...row, reason: note }, step);
}
type PaymentStep = 'approved' | 'retried' | 'sent' | 'failed' | 'returned';

/** Notifies a creator of a decision about views of a month, with its reason. */
export async function notifyMonthDecision(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'outbox'>,
  step: 'month_released' | 'month_void',
  row: { creator_id: string; month: string; views: number; coins: number; reason: string },
): Promise<void> {
  const { creator_id: creatorId, month, views, coins, reason } = row;
  const values = { month, views: String(views), coins: String(Math.abs(coins)), reason };
  await send(trx, context, creatorId, { act: step, values });
}

async function notify(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'outbox'>,
  row: queries.WithdrawalRow,
  step: Step,
): Promise<void> {
  const { creator_id: creatorId, month, paise, reference, reason } = row;
  const values = { month, rupees: rupeesOf(paise), reference: reference ?? '', reason: reason ?? '' };
  await send(trx, context, creatorId, { act: step, values });
}

/** By notification and mail, in the transaction of the step, so that each step is reported once. */
async function send(
  trx: Transaction<Tables>,
  { clock, outbox }: Context<'clock' | 'outbox'>,
  creatorId: string,
  notice: { act: Step | 'month_released' | 'month_void'; values: Record<string, string> },
): Promise<void> {
  // A deleted account has no notifications.
  if (!(await queries.lockAgainstDeletion(trx, creatorId))) return;
  const now = clock();
  await outbox.sendNotice(trx, creatorId, notice, now);
  await notifyFromSite(trx, creatorId, notice.act, now);
}
