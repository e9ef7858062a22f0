import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { deleteIdentitiesOf, deleteLinkedSince } from './identity.queries.ts';

/** Unlinks every identity of a person. Part of the transaction that has the reason. */
export async function forgetIdentities(trx: Transaction<Tables>, personId: string): Promise<void> {
  await deleteIdentitiesOf(trx, personId);
}

/** Unlinks what was linked since a time, except with what the account was made. Returns when each was linked. */
export const forgetIdentitiesSince = deleteLinkedSince;
