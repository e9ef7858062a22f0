import type { Kysely } from 'kysely';
import { sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

interface Who {
  issuer: string;
  subject: string;
}

/** Until the transaction ends, nobody else signs in as the same somebody. */
export async function waitFor(db: Kysely<Tables>, { issuer, subject }: Who) {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`${issuer}\n${subject}`}, 5))`.execute(db);
}

export function findIdentity(db: Kysely<Tables>, { issuer, subject }: Who) {
  return db
    .selectFrom('identities')
    .innerJoin('people', 'people.id', 'identities.person_id')
    .select(['person_id', 'people.suspended_at'])
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

export function findIdentityOf(db: Kysely<Tables>, personId: string, issuer: string) {
  return db
    .selectFrom('identities')
    .select('subject')
    .where('person_id', '=', personId)
    .where('issuer', '=', issuer)
    .executeTakeFirst();
}

/** Ties the two, or does nothing where either is tied to another. */
export async function insertIdentity(db: Kysely<Tables>, who: Who, personId: string, now: Date) {
  const result = await db
    .insertInto('identities')
    .values({ issuer: who.issuer, subject: who.subject, person_id: personId, linked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function insertNonce(db: Kysely<Tables>, hash: Buffer, expiresAt: Date) {
  await db.insertInto('sign_in_nonces').values({ hash, expires_at: expiresAt }).execute();
}

/** Whether the nonce was good; afterwards it is not. */
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
