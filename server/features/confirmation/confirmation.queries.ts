import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertConfirmation(db: Kysely<Tables>, row: Insertable<Tables['confirmations']>) {
  await db.insertInto('confirmations').values(row).execute();
}

interface Confirmed {
  sessionId: string;
  act: string;
  paramsHash: Buffer;
}

/** Deletes the confirmation, so that it works once, and returns whether it was for this. */
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
}

export function findPerson(db: Kysely<Tables>, personId: string) {
  return db
    .selectFrom('people')
    .select(['email_key', 'password_hash', 'password_reset_at'])
    .where('id', '=', personId)
    .executeTakeFirst();
}
