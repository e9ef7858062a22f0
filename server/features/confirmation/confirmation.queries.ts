import type { Insertable, Kysely, Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertConfirmation(db: Kysely<Tables>, row: Insertable<Tables['confirmations']>) {
  await db.insertInto('confirmations').values(row).execute();
}

interface Confirmed {
  sessionId: string;
  act: string;
  paramsHash: Buffer;
}

/** Deletes the confirmation, so that it works once, and returns whether it was for this act. */
export async function takeConfirmation(
  db: Kysely<Tables>,
  tokenHash: Buffer,
  { sessionId, act, paramsHash }: Confirmed,
  now: Date,
): Promise<boolean> {
  const result = await db
    .deleteFrom('confirmations')
    .where('token_hash', '=', tokenHash)
    .where('session_id', '=', sessionId)
    .where('act', '=', act)
    .where('params_hash', '=', paramsHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export async function deleteConfirmationsBefore(db: Kysely<Tables>, now: Date) {
  await db.deleteFrom('confirmations').where('expires_at', '<=', now).execute();
  await db.deleteFrom('confirmation_codes').where('expires_at', '<=', now).execute();
}

/** Inserts the code of a session, which replaces the one before. */
export async function replaceCode(
  trx: Transaction<Tables>,
  row: Insertable<Tables['confirmation_codes']>,
): Promise<void> {
  await trx.deleteFrom('confirmation_codes').where('session_id', '=', row.session_id).execute();
  await trx.insertInto('confirmation_codes').values(row).execute();
}

/** Stores the hash of the requested code. False if another one has been requested since, or its time is over. */
export async function setCode(
  db: Kysely<Tables>,
  id: string,
  code: { code_hash: string; expires_at: Date },
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('confirmation_codes')
    .set(code)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Counts a try, before the code is compared; undefined if none is left, or the code is for something else. */
export async function countTry(
  db: Kysely<Tables>,
  { sessionId, act, paramsHash }: Confirmed,
  atMost: number,
  now: Date,
) {
  return await db
    .updateTable('confirmation_codes')
    .set((row) => ({ tries: row('tries', '+', 1) }))
    .where('session_id', '=', sessionId)
    .where('act', '=', act)
    .where('params_hash', '=', paramsHash)
    .where('tries', '<', atMost)
    .where('expires_at', '>', now)
    .returning(['id', 'code_hash'])
    .executeTakeFirst();
}

/** Deletes a used code. Returns whether it existed. */
export async function takeCode(db: Kysely<Tables>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('confirmation_codes').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows === 1n;
}

export function findPerson(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('people')
    .select(['email', 'email_verified_at', 'email_key', 'password_hash', 'password_reset_at'])
    .where('id', '=', personId)
    .executeTakeFirst();
}
