import type { Kysely, Transaction } from 'kysely';
import { lockName } from '#server/platform/database/locks.ts';
import type { Tables } from '#server/platform/database/tables.ts';

interface IdentityId {
  issuer: string;
  subject: string;
}

/** Serializes sign-ins of one identity until the transaction ends. */
export async function lockIdentity(db: Kysely<Tables>, { issuer, subject }: IdentityId) {
  await lockName(db, `identity ${issuer}\n${subject}`);
}

export function findIdentity(db: Kysely<Tables>, { issuer, subject }: IdentityId) {
  return db
    .selectFrom('identities')
    .innerJoin('people', 'people.id', 'identities.person_id')
    .select(['person_id', 'people.suspended_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

/** Links identity and account. Returns false if one of them is linked already. */
export async function insertIdentity(
  db: Kysely<Tables>,
  identity: IdentityId & { email: string },
  personId: string,
  now: Date,
) {
  const result = await db
    .insertInto('identities')
    .values({
      issuer: identity.issuer,
      subject: identity.subject,
      person_id: personId,
      email: identity.email,
      linked_at: now,
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function insertNonce(db: Kysely<Tables>, hash: Buffer, expiresAt: Date) {
  await db.insertInto('sign_in_nonces').values({ hash, expires_at: expiresAt }).execute();
}

/** Deletes the nonce and returns whether it was valid, so that it works only once. */
export async function deleteNonce(db: Kysely<Tables>, hash: Buffer, now: Date): Promise<boolean> {
  const row = await db
    .deleteFrom('sign_in_nonces')
    .where('hash', '=', hash)
    .returning('expires_at')
    .executeTakeFirst();
  return row !== undefined && row.expires_at > now;
}

export async function deleteExpiredNonces(db: Kysely<Tables>, now: Date) {
  await db.deleteFrom('sign_in_nonces').where('expires_at', '<=', now).execute();
}

/** When the identity was linked, and when its account was made. */
export function findLinkOf(db: Kysely<Tables>, personId: string, issuer: string) {
  return db
    .selectFrom('identities')
    .innerJoin('people', 'people.id', 'identities.person_id')
    .select(['linked_at', 'people.created_at'])
    .where('person_id', '=', personId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
}

export function listIdentitiesOf(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('identities')
    .select(['issuer', 'email', 'linked_at'])
    .where('person_id', '=', personId)
    .orderBy('linked_at')
    .orderBy('issuer')
    .execute();
}

/** The address that the issuer knows now. */
export async function setEmail(db: Kysely<Tables>, { issuer, subject }: IdentityId, email: string) {
  await db
    .updateTable('identities')
    .set({ email })
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .where('email', 'is distinct from', email)
    .execute();
}

/** Whether the person has a password; locks the row, so that it does not change. */
export async function lockHasPassword(trx: Transaction<Tables>, personId: string): Promise<boolean> {
  const row = await trx
    .selectFrom('people')
    .select('password_hash')
    .where('id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return typeof row?.password_hash === 'string';
}

/**
 * Unlinks identities that were linked since a time, except the one that made the account; returns when each was linked.
 */
export async function deleteLinkedSince(trx: Transaction<Tables>, personId: string, since: Date) {
  return await trx
    .deleteFrom('identities')
    .using('people')
    .whereRef('people.id', '=', 'identities.person_id')
    .whereRef('linked_at', '>', 'people.created_at')
    .where('person_id', '=', personId)
    .where('linked_at', '>=', since)
    .returning('linked_at as at')
    .execute();
}

export async function deleteIdentitiesOf(db: Kysely<Tables>, personId: string) {
  return await db
    .deleteFrom('identities')
    .where('person_id', '=', personId)
    .returning(['issuer', 'email'])
    .execute();
}
