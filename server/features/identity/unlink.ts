import { deleteLinkedSince } from './identity.queries.ts';

/**
 * Unlinks identities that were linked since a time, except the one that made the account, whose issuer vouched for the address. Returns
 * when each was linked. Runs in the caller's transaction.
 */
export const forgetIdentitiesSince = deleteLinkedSince;
