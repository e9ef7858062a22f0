import type { Transaction } from 'kysely';
import { labelOf } from '#contract/destination-label.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { clearDestination, lockPayee, readinessOf } from '../destinations/destination.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { takeOutOfBatches } from './attempts.ts';
import { lockPendingOf, type WithdrawalRow } from './payments.ts';
import { isLocked } from './payout-lock.ts';

/* Removing a payout destination. Withdrawals are locked before their person, as in a batch. */

/** Deletes the destination of a person, and takes unsent payments out of their batches. The next destination counts as a new one. */
export async function removeDestination(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  personId: string,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const now = clock();
    const pending = await lockPendingOf(trx, personId);
    await lockPayee(trx, personId);
    if (!(await clear(trx, { personId, pending, since: new Date(0) }, now))) return;
    await outbox.sendNotice(trx, personId, { act: 'destination_removed' }, now);
  });
}

interface Removal {
  personId: string;
  /** The pending withdrawals of the person, which are locked. */
  pending: readonly WithdrawalRow[];
  /** A destination that was set earlier stays. */
  since: Date;
}

/**
 * For a person who came back by a mailed link, which was noted in this transaction: removes the destination if it was set since then.
 * Reports the masked destination, whether it was removed, and until when payouts rest.
 */
export async function removeStrangersDestination(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'config' | 'keyring' | 'outbox'>,
  removal: Removal,
  now: Date,
): Promise<void> {
  const { personId } = removal;
  const { masked } = (await readinessOf({ ...context, db: trx }, [personId])).get(personId) ?? {};
  const values = masked ? { destination: labelOf(masked), until: masked.heldUntil ?? '' } : {};
  if (await clear(trx, removal, now))
    await context.outbox.sendNotice(trx, personId, { act: 'destination_dropped', values }, now);
  else if (masked) await context.outbox.sendNotice(trx, personId, { act: 'destination_kept', values }, now);
}

/** False if there was none to remove. */
async function clear(
  trx: Transaction<Tables>,
  { personId, pending, since }: Removal,
  now: Date,
): Promise<boolean> {
  if (!(await clearDestination(trx, personId, since))) return false;
  // After a restore it is not known yet which batches were sent; unsent ones leave the payment out when they are.
  if (!(await isLocked(trx))) await takeOutOfBatches(trx, pending, 'The destination was removed', now);
  await notifyFromSite(trx, personId, 'destination_removed', now);
  return true;
}
