import type { Insertable, Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertChallenge(db: Kysely<Tables>, row: Insertable<Tables['passkey_challenges']>) {
  await db.insertInto('passkey_challenges').values(row).execute();
}

export interface Purpose {
  purpose: 'add' | 'log_in' | 'confirm';
  /** Null before login. */
  sessionId: string | null;
  /** Hash of the act that is confirmed, with its parameters. */
  paramsHash?: Buffer;
}

/** Uses up the challenge. Returns whether it was issued for this. */
export async function takeChallenge(
  db: Kysely<Tables>,
  challengeHash: Buffer,
  { purpose, sessionId, paramsHash }: Purpose,
  now: Date,
): Promise<boolean> {
  const result = await db
    .deleteFrom('passkey_challenges')
    .where('challenge_hash', '=', challengeHash)
    .where('purpose', '=', purpose)
    .where('session_id', 'is not distinct from', sessionId)
    .where('params_hash', 'is not distinct from', paramsHash ?? null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deleteChallengesBefore(db: Kysely<Tables>, now: Date) {
  await db.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
}

export function listOf(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('passkeys')
    .selectAll()
    .where('person_id', '=', personId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/** Locks the person, so that passkeys are added one at a time, and not by a session that a parallel reset ends. */
export function lockPerson(trx: Transaction<Tables>, personId: string) {
  return trx
    .selectFrom('people')
    .select('suspended_at')
    .where('id', '=', personId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Inserts the passkey. Returns undefined if it is registered already. */
export function insert(db: Kysely<Tables>, row: Insertable<Tables['passkeys']>) {
  return db
    .insertInto('passkeys')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function find(db: Kysely<Tables>, credentialId: string) {
  return db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst();
}

/** Returns false if the passkey is removed, or its counter does not rise, which means that a copy has been used. */
export async function noteUse(db: Kysely<Tables>, id: string, counter: number, now: Date): Promise<boolean> {
  const result = await db
    .updateTable('passkeys')
    .set({ counter, used_at: now })
    .where('id', '=', id)
    .where((row) => row.or([row('counter', '<', counter), row('counter', '=', 0)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export function rename(db: Kysely<Tables>, { personId, id }: { personId: string; id: string }, name: string) {
  return db
    .updateTable('passkeys')
    .set({ name })
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function remove(db: Kysely<Tables>, { personId, id }: { personId: string; id: string }) {
  const result = await db
    .deleteFrom('passkeys')
    .where('person_id', '=', personId)
    .where('id', '=', id)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** They no longer count as a second factor. */
export async function clearFactor(trx: Transaction<Tables>, personId: string) {
  await trx.updateTable('passkeys').set({ is_factor: false }).where('person_id', '=', personId).execute();
}

/** Removes passkeys that were added since a time; returns when each was added. */
export async function removeAddedSince(trx: Transaction<Tables>, personId: string, since: Date) {
  return await trx
    .deleteFrom('passkeys')
    .where('person_id', '=', personId)
    .where('created_at', '>=', since)
    .returning('created_at as at')
    .execute();
}

export function findPerson(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('people')
    .select(['username', 'name', 'password_reset_at'])
    .where('id', '=', personId)
    .executeTakeFirst();
}
