import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertUpload(trx: Transaction<Tables>, upload: Insertable<Tables['uploads']>) {
  await trx.insertInto('uploads').values(upload).execute();
}

/** Deletes an upload that was not published; returns its owner, if there was one. */
export async function deleteUpload(trx: Transaction<Tables>, key: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('uploads')
    .where('key', '=', key)
    .where('used_at', 'is', null)
    .returning('owner_id')
    .executeTakeFirst();
  return row?.owner_id;
}

export async function setFiles(
  db: Kysely<Tables>,
  key: string,
  files: Record<string, number>,
): Promise<void> {
  await db
    .updateTable('uploads')
    .set({ files: JSON.stringify(files) })
    .where('key', '=', key)
    .execute();
}

export function findUpload(db: Kysely<Tables>, key: string) {
  return db
    .selectFrom('uploads')
    .select(['kind', 'owner_id', 'sha256', 'original_sha256', 'facts', 'used_at'])
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Claims an upload for publishing: once, by its owner. */
export function takeUpload(
  trx: Transaction<Tables>,
  { key, ownerId, kind }: { key: string; ownerId: string; kind: Tables['uploads']['kind'] },
  now: Date,
) {
  return trx
    .updateTable('uploads')
    .set({ used_at: now, print: null })
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .returning(['key', 'sha256', 'original_sha256', 'facts'])
    .executeTakeFirst();
}

/** The print of a person's photo; null once it is published. */
export async function printOf(db: Kysely<Tables>, key: string, ownerId: string): Promise<Buffer | null> {
  const row = await db
    .selectFrom('uploads')
    .select('print')
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .executeTakeFirst();
  return row?.print ?? null;
}

/**
 * Deletes expired uploads and the rows of their arrival. Returns what they were, and the copies to watch of fetched ones: no row names
 * these any more.
 */
export async function deleteUnused(
  trx: Transaction<Tables>,
  before: Date,
): Promise<{ owner_id: string; key: string }[]> {
  const { rows } = await sql<{ owner_id: string; key: string }>`
    with unused as (
      delete from uploads where used_at is null and created_at < ${before} returning owner_id, key
    ), arrived as (
      delete from resumable_uploads using unused where resumable_uploads.key = unused.key
    )
    select owner_id, key from unused
    union all select person_id, copy_key from imports join unused on unused.key = upload_key`.execute(trx);
  return rows;
}

/** Whether this key is a thumbnail that this person uploaded. */
export async function isOwnThumbnail(db: Kysely<Tables>, key: string, ownerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('uploads')
    .select('key')
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'thumbnail')
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks all uploads of a person, in a fixed order, so that nothing is published from them in the meantime. */
export async function lockOf(db: Kysely<Tables>, ownerId: string): Promise<void> {
  await db
    .selectFrom('uploads')
    .select('key')
    .where('owner_id', '=', ownerId)
    .orderBy('key')
    .forUpdate()
    .execute();
}

/** Deletes all uploads of a person. */
export async function deleteOf(db: Kysely<Tables>, ownerId: string): Promise<void> {
  await db.deleteFrom('uploads').where('owner_id', '=', ownerId).execute();
  await db.deleteFrom('resumable_uploads').where('owner_id', '=', ownerId).execute();
}

/** Whether this key is a photo that this person uploaded, used or not. */
export async function isOwnPhoto(db: Kysely<Tables>, key: string, ownerId: string): Promise<boolean> {
  const row = await db
    .selectFrom('uploads')
    .select('key')
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .where('kind', '=', 'photo')
    .executeTakeFirst();
  return row !== undefined;
}
