import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

type Purpose = Tables['account_links']['purpose'];

export async function insertLink(
  db: Kysely<Tables>,
  link: Insertable<Tables['account_links']>,
): Promise<void> {
  await db.insertInto('account_links').values(link).execute();
}

export async function findLink(
  db: Kysely<Tables>,
  { tokenHash, purposes }: { tokenHash: Buffer; purposes: readonly Purpose[] },
  now: Date,
) {
  return await db
    .selectFrom('account_links')
    .select(['person_id', 'email_key', 'purpose'])
    .where('token_hash', '=', tokenHash)
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', now)
    .executeTakeFirst();
}

export async function deleteLinksOf(
  db: Kysely<Tables>,
  personId: string,
  purposes: readonly Purpose[],
): Promise<void> {
  await db
    .deleteFrom('account_links')
    .where('person_id', '=', personId)
    .where('purpose', 'in', purposes)
    .execute();
}

export async function deleteLinksBefore(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('account_links').where('expires_at', '<=', now).execute();
}
