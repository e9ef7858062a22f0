import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { clearFactor, removeAddedSince } from './passkeys.queries.ts';

/** Removes every passkey of a person; returns when each was added. Part of the transaction that has the reason. */
export const forgetPasskeys = (trx: Transaction<Tables>, personId: string) =>
  removeAddedSince(trx, personId, new Date(0));

/** The person's second factor is taken away: passkeys that were added with it are none any more. */
export async function forgetPasskeyFactors(trx: Transaction<Tables>, personId: string): Promise<void> {
  await clearFactor(trx, personId);
}

/** Removes passkeys that were added since a time. Returns when each was added. */
export const forgetPasskeysSince = removeAddedSince;
