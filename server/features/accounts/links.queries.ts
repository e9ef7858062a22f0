import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertLink(
  db: Kysely<Tables>,
  link: Insertable<Tables['account_links']>,
): Promise<void> {
  await db.insertInto('account_links').values(link).execute();
}

export async function findLink(db: Kysely<Tables>, tokenHash: Buffer, now: Date) {
  return await db
    .selectFrom('account_links')
    .select(['person_id', 'email_key'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function deleteLinksOf(db: Kysely<Tables>, personId: string): Promise<void> {
  await db.deleteFrom('account_links').where('person_id', '=', personId).execute();
}

export async function deleteLinksBefore(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('account_links').where('expires_at', '<=', now).execute();
}
