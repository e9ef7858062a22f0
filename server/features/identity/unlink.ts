import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { deleteIdentitiesOf } from './identity.queries.ts';

/** Unlinks every identity of a person. Part of the transaction that has the reason. */
export async function forgetIdentities(trx: Transaction<Tables>, personId: string): Promise<void> {
  await deleteIdentitiesOf(trx, personId);
}
