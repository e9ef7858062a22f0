/** Unlinks every identity of a person. Part of the transaction that has the reason. */
export { deleteIdentitiesOf as forgetIdentities } from './identity.queries.ts';
