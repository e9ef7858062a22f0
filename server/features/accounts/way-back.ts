import type { Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import type { WithdrawalRow } from '../withdrawals/payments.ts';
import { removeStrangersDestination } from '../withdrawals/removal.ts';
import * as queries from './accounts.queries.ts';
import { deletePendingOf } from './email-changes.queries.ts';
import { deleteSessionsOf } from './sessions.ts';

/** Somebody with a stolen password adds a way to log in, or to be paid, before the owner notices: what is this recent is removed. */
const recent = 7 * 24 * 60 * 60 * 1000;

/** Removes what was added since a time, and returns when each was added. */
type Forget = (trx: Transaction<Tables>, personId: string, since: Date) => Promise<{ at: Date }[]>;

/** The ways to log in besides the password; their features stand on this one. */
export interface OtherWaysIn {
  forgetPasskeysSince: Forget;
  forgetIdentitiesSince: Forget;
}

interface Owner {
  personId: string;
  /** The pending withdrawals of the person, which are locked. */
  pending: readonly WithdrawalRow[];
  /** Until now the account may have been somebody else's: its address was never verified, or had been changed. */
  isUnsure: boolean;
  others: OtherWaysIn;
}

/**
 * Gives an account back to the person who came back by a mailed link: a new password, also one that verifies the address for the first
 * time, or the undoing of a change of address. All sessions end and pending changes of address are deleted. Passkeys, linked Google
 * accounts and a payout destination of the last seven days are removed, all of them if it is unsure whose the account was until now. The
 * person is notified of each. Payouts rest from now on (`destinations/destination.ts`). Runs in the transaction that locked the person.
 */
export async function giveBack(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'config' | 'keyring' | 'outbox'>,
  { personId, pending, isUnsure, others }: Owner,
  now: Date,
): Promise<void> {
  const { outbox } = context;
  const since = isUnsure ? new Date(0) : new Date(now.getTime() - recent);
  await deletePendingOf(trx, personId);
  await deleteSessionsOf(trx, personId);
  await queries.noteReset(trx, personId, now);
  const passkeys = await others.forgetPasskeysSince(trx, personId, since);
  const links = await others.forgetIdentitiesSince(trx, personId, since);
  const dates = [...passkeys, ...links].map(({ at }) => at.toISOString().slice(0, 10)).sort();
  if (dates.length > 0) {
    const values = {
      passkeys: String(passkeys.length),
      links: String(links.length),
      dates: [...new Set(dates)].join(', '),
    };
    await outbox.sendNotice(trx, personId, { act: isUnsure ? 'all_removed' : 'recent_removed', values }, now);
  }
  if (passkeys.length > 0) await notifyFromSite(trx, personId, 'passkey_removed', now);
  if (links.length > 0) await notifyFromSite(trx, personId, 'google_unlinked', now);
  await removeStrangersDestination(trx, context, { personId, pending, since }, now);
}
