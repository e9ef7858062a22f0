import { createHash } from 'node:crypto';
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

/** A file by the hash of its bytes, which the server computed, and by the hash of its original, which a client claims. */
interface Hashes {
  sha256: Buffer;
  original_sha256?: Buffer | null;
}

/**
 * A claimed hash is stored for the client's own account only: so copies by the same person are found even if the browser compressed them
 * again, and nobody can claim the first publication of a file that they do not have.
 */
const claimed = (hash: Buffer, personId: string) =>
  createHash('sha256').update(personId).update(hash).digest();

/** Whether these bytes were published before by anyone, or their original by this person. */
export async function isPublished(
  db: Kysely<Tables>,
  { sha256, original_sha256: original = null }: Hashes,
  personId: string,
): Promise<boolean> {
  const hashes = [
    sha256,
    ...(original ? [sha256, original] : [sha256]).map((hash) => claimed(hash, personId)),
  ];
  const row = await db
    .selectFrom('published_files')
    .select('creator_id')
    .where(({ eb, and, or }) =>
      or([
        eb('sha256', 'in', hashes),
        ...(original ? [and([eb('sha256', '=', original), eb('creator_id', '=', personId)])] : []),
      ]),
    )
    .executeTakeFirst();
  return row !== undefined;
}

/** Stores the first publication of these bytes, and of their original; false if either was published before. */
export async function insertPublished(
  trx: Transaction<Tables>,
  file: Hashes,
  creatorId: string,
  now: Date,
): Promise<boolean> {
  const isKnown = await isPublished(trx, file, creatorId);
  const { sha256, original_sha256: original } = file;
  // In a fixed order, so that two parallel publications of the same file cannot deadlock.
  const hashes = [sha256, ...(original ? [claimed(original, creatorId)] : [])].toSorted(Buffer.compare);
  const result = await trx
    .insertInto('published_files')
    .values(hashes.map((hash) => ({ sha256: hash, creator_id: creatorId, published_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return !isKnown && result.numInsertedOrUpdatedRows === BigInt(hashes.length);
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
