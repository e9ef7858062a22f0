import type { Insertable, Kysely, Transaction } from 'kysely';
import { lockName } from '#server/platform/database/locks.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** Locks these addresses until the transaction ends, so that no other transaction assigns or frees them. */
export async function lockAddresses(
  trx: Transaction<Tables>,
  ...emailKeys: readonly string[]
): Promise<void> {
  for (const key of [...new Set(emailKeys)].sort()) await lockName(trx, `address ${key}`);
}

/** Whether the address is reserved for a change that can still be undone, other than those of the person `but`. */
export async function isKept(
  db: Kysely<Tables>,
  emailKey: string,
  now: Date,
  but?: string,
): Promise<boolean> {
  let query = db
    .selectFrom('email_changes')
    .select('id')
    .where('old_email_key', '=', emailKey)
    .where('changed_at', 'is not', null)
    .where('expires_at', '>', now);
  if (but) query = query.where('person_id', '!=', but);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

export async function insert(db: Kysely<Tables>, change: Insertable<Tables['email_changes']>): Promise<void> {
  await db.insertInto('email_changes').values(change).execute();
}

export async function deletePendingOf(db: Kysely<Tables>, personId: string): Promise<void> {
  await db
    .deleteFrom('email_changes')
    .where('person_id', '=', personId)
    .where('changed_at', 'is', null)
    .execute();
}

/** The pending change to this address. */
export async function findPending(
  db: Kysely<Tables>,
  { personId, emailKey }: { personId: string; emailKey: string },
  now: Date,
) {
  return await db
    .selectFrom('email_changes')
    .selectAll()
    .where('person_id', '=', personId)
    .where('email_key', '=', emailKey)
    .where('changed_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

/** The last change from this address that can still be undone. */
export async function findDone(
  db: Kysely<Tables>,
  { personId, emailKey }: { personId: string; emailKey: string },
  now: Date,
) {
  return await db
    .selectFrom('email_changes')
    .selectAll()
    .where('person_id', '=', personId)
    .where('old_email_key', '=', emailKey)
    .where('changed_at', 'is not', null)
    .where('expires_at', '>', now)
    .orderBy('changed_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

interface ChangeKey {
  id: string;
  person_id: string;
}

export async function markChanged(
  db: Kysely<Tables>,
  { id, person_id }: ChangeKey,
  now: Date,
  until: Date,
): Promise<void> {
  await db
    .updateTable('email_changes')
    .set({ changed_at: now, expires_at: until })
    .where('person_id', '=', person_id)
    .where('id', '=', id)
    .execute();
}

export async function deleteChange(db: Kysely<Tables>, { id, person_id }: ChangeKey): Promise<void> {
  await db.deleteFrom('email_changes').where('person_id', '=', person_id).where('id', '=', id).execute();
}

/** Deletes this change of a person and all later ones. */
export async function deleteSince(db: Kysely<Tables>, personId: string, changedAt: Date): Promise<void> {
  await db
    .deleteFrom('email_changes')
    .where('person_id', '=', personId)
    .where((row) => row.or([row('changed_at', 'is', null), row('changed_at', '>=', changedAt)]))
    .execute();
}

export async function deleteBefore(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('email_changes').where('expires_at', '<=', now).execute();
}
