import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertImport(db: Kysely<Tables>, row: Insertable<Tables['imports']>) {
  await db.insertInto('imports').values(row).execute();
}

/** A recent import of this address by this person that is not published yet, with the hash of its file. */
export function findUnused(db: Kysely<Tables>, personId: string, sourceUrl: string, since: Date) {
  return db
    .selectFrom('imports')
    .innerJoin('uploads', 'uploads.key', 'imports.upload_key')
    .selectAll('imports')
    .select('uploads.sha256')
    .where('imports.person_id', '=', personId)
    .where('source_url', '=', sourceUrl)
    .where('imported_at', '>', since)
    .where('uploads.used_at', 'is', null)
    .orderBy('imported_at', 'desc')
    .orderBy('upload_key', 'desc')
    .executeTakeFirst();
}

/** The key of the copy to watch of a person's upload; undefined if it was not fetched. */
export async function copyOf(db: Kysely<Tables>, uploadKey: string, personId: string) {
  const row = await db
    .selectFrom('imports')
    .select('copy_key')
    .where('upload_key', '=', uploadKey)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row?.copy_key;
}

/** The source address of a person's upload; undefined if it was not imported. */
export async function sourceOf(db: Kysely<Tables>, uploadKey: string, personId: string) {
  const row = await db
    .selectFrom('imports')
    .select('source_url')
    .where('upload_key', '=', uploadKey)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return row?.source_url;
}
