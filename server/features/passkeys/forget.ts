import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { clearFactor, removeAddedSince, removeAll } from './passkeys.queries.ts';

/** Removes every passkey of a person. Part of the transaction that has the reason. */
export async function forgetPasskeys(trx: Transaction<Tables>, personId: string): Promise<void> {
  await removeAll(trx, personId);
}

/** The person's second factor is taken away: passkeys that were added with it are none any more. */
export async function forgetPasskeyFactors(trx: Transaction<Tables>, personId: string): Promise<void> {
  await clearFactor(trx, personId);
}

/** Removes passkeys that were added since a time. Returns when each was added. */
export const forgetPasskeysSince = removeAddedSince;
