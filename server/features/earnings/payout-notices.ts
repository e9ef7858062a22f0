import type { Transaction } from 'kysely';
import { rupeesOf } from '#contract/rates.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import type { Waiting } from '../payouts/destination.ts';
import * as queries from './withdrawals.queries.ts';

type Step =
  | 'withdrawal_requested'
  | 'withdrawal_paid'
  | 'withdrawal_rejected'
  | 'destination_needed'
  | 'address_needed';

/** What a creator has to do before a payout that waits can be made. A hold ends by itself. */
const stepOf: Partial<Record<Waiting, Step>> = {
  waiting_for_destination: 'destination_needed',
  waiting_for_address: 'address_needed',
};

/** Tells a creator that a withdrawal was requested, and what it waits for. An app shows no refusal, so that this is where they read it. */
export async function tellRequested(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'outbox'>,
  row: queries.WithdrawalRow,
  waiting: Waiting | null,
): Promise<void> {
  await tell(trx, context, row, 'withdrawal_requested');
  const needed = waiting && stepOf[waiting];
  if (needed) await tell(trx, context, row, needed);
}

/** Tells a creator how a withdrawal ended. */
export async function tellDecided(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'outbox'>,
  row: queries.WithdrawalRow,
): Promise<void> {
  await tell(trx, context, row, row.state === 'completed' ? 'withdrawal_paid' : 'withdrawal_rejected');
}

/** By notification and mail, in the transaction that takes the step: what is done once is told once. */
async function tell(
  trx: Transaction<Tables>,
  { clock, outbox }: Context<'clock' | 'outbox'>,
  row: queries.WithdrawalRow,
  step: Step,
): Promise<void> {
  const { creator_id: creatorId, month, paise, reference, reason } = row;
  // An account that was deleted reads nothing more.
  if (!(await queries.lockAgainstDeletion(trx, creatorId))) return;
  const now = clock();
  const values = { month, rupees: rupeesOf(paise), reference: reference ?? '', reason: reason ?? '' };
  await outbox.tell(trx, creatorId, { act: step, values }, now);
  await notifyFromSite(trx, creatorId, step, now);
}
