import type { Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { deleteLinkedSince } from './identity.queries.ts';

/** Unlinks what was linked since a time, except with what the account was made. Returns when each was linked. */
export const forgetIdentitiesSince = deleteLinkedSince;

/**
 * Unlinks every identity of a person, except with what the account was made: its issuer vouched for the address. Part of the
 * transaction that has the reason.
 */
export const forgetIdentities = (trx: Transaction<Tables>, personId: string) =>
  deleteLinkedSince(trx, personId, new Date(0));
