import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { clearFactor, removeAddedSince } from './passkeys.queries.ts';

/** Called when the person's second factor is removed: passkeys that were added with it no longer count as one. */
export async function forgetPasskeyFactors(trx: Transaction<Tables>, personId: string): Promise<void> {
  await clearFactor(trx, personId);
}

/** Removes passkeys that were added since a time. Returns when each was added. */
export const forgetPasskeysSince = removeAddedSince;
