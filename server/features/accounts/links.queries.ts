import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertLink(
  db: Kysely<Tables>,
  link: Insertable<Tables['account_links']>,
): Promise<void> {
  await db.insertInto('account_links').values(link).execute();
}

export async function findLink(
  db: Kysely<Tables>,
  { tokenHash, purpose }: { tokenHash: Buffer; purpose: 'reset' | 'verify' },
  now: Date,
) {
  return await db
    .selectFrom('account_links')
    .select(['person_id', 'email_key'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function deleteLinksOf(
  db: Kysely<Tables>,
  personId: string,
  purpose?: 'reset' | 'verify',
): Promise<void> {
  let query = db.deleteFrom('account_links').where('person_id', '=', personId);
  if (purpose) query = query.where('purpose', '=', purpose);
  await query.execute();
}

export async function deleteLinksBefore(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('account_links').where('expires_at', '<=', now).execute();
}
