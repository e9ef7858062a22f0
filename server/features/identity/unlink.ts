import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { deleteLinkedSince } from './identity.queries.ts';

/** Unlinks identities that were linked since a time, except the one that made the account. Returns when each was linked. */
export const forgetIdentitiesSince = deleteLinkedSince;

/**
 * Unlinks every identity of a person, except the one that made the account, whose issuer vouched for the address. Runs in the caller's
 * transaction.
 */
export const forgetIdentities = (trx: Transaction<Tables>, personId: string) =>
  deleteLinkedSince(trx, personId, new Date(0));
