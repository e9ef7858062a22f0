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

/** What a person has uploaded and not published yet, copies of fetched videos and files still on their way included. */
export async function unpublishedOf(
  db: Kysely<Tables>,
  ownerId: string,
): Promise<{ files: number; bytes: number }> {
  const { rows } = await sql<{ files: number; bytes: number }>`
    select count(*)::int as files, coalesce(sum(bytes), 0)::float8 as bytes from (
      select bytes from uploads where owner_id = ${ownerId} and used_at is null
      union all
      select bytes from uploads join imports on imports.upload_key = uploads.key
        where owner_id = ${ownerId} and used_at is null
      union all
      select bytes from resumable_uploads where owner_id = ${ownerId} and answer is null
        and not exists (select from uploads where uploads.key = resumable_uploads.key)
    ) as waiting`.execute(db);
  return rows[0] ?? { files: 0, bytes: 0 };
}

export function findUpload(db: Kysely<Tables>, key: string) {
  return db
    .selectFrom('uploads')
    .select(['kind', 'sha256', 'original_sha256', 'facts', 'used_at'])
    .where('key', '=', key)
    .executeTakeFirst();
}

/** Takes an upload for publishing: once, by its owner. */
export function takeUpload(
  trx: Transaction<Tables>,
  { key, ownerId, kind }: { key: string; ownerId: string; kind: Tables['uploads']['kind'] },
  now: Date,
) {
  return trx
    .updateTable('uploads')
    .set({ used_at: now })
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .returning(['key', 'sha256', 'original_sha256', 'facts'])
    .executeTakeFirst();
}

/** Whether these bytes were published before, or those that they were made of. */
export async function isPublished(
  db: Kysely<Tables>,
  sha256: Buffer,
  original: Buffer | null = null,
): Promise<boolean> {
  const row = await db
    .selectFrom('published_files')
    .select('creator_id')
    .where('sha256', 'in', original ? [sha256, original] : [sha256])
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes the first publication of these bytes, and of those that they were made of; false when either was published before. */
export async function insertPublished(
  trx: Transaction<Tables>,
  { sha256, original_sha256: original = null }: { sha256: Buffer; original_sha256?: Buffer | null },
  creatorId: string,
  now: Date,
): Promise<boolean> {
  const isMade = original !== null && !original.equals(sha256);
  // In one order, so that two who publish the same wait for each other and not in a circle.
  const hashes = (isMade ? [sha256, original] : [sha256]).toSorted(Buffer.compare);
  const result = await trx
    .insertInto('published_files')
    .values(hashes.map((hash) => ({ sha256: hash, creator_id: creatorId, published_at: now })))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === BigInt(hashes.length);
}

/** Deletes uploads that nobody published, and what is noted of their arrival; returns what they were. */
export async function deleteUnused(
  trx: Transaction<Tables>,
  before: Date,
): Promise<{ owner_id: string; key: string }[]> {
  const rows = await trx
    .deleteFrom('uploads')
    .where('used_at', 'is', null)
    .where('created_at', '<', before)
    .returning(['owner_id', 'key'])
    .execute();
  const keys = rows.map(({ key }) => key);
  await trx.deleteFrom('resumable_uploads').where(sql<boolean>`key = any(${keys}::text[])`).execute();
  return rows;
}

/** Of these keys, those of which something lives: an upload, a copy of one to watch, a reel, a post or a story. */
export async function liveKeys(db: Kysely<Tables>, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('uploads')
    .select('key')
    .where('key', 'in', keys)
    .where('used_at', 'is', null)
    .union(
      db
        .selectFrom('imports')
        .innerJoin('uploads', 'uploads.key', 'imports.upload_key')
        .select('imports.copy_key as key')
        .where('imports.copy_key', 'in', keys)
        .where('uploads.used_at', 'is', null),
    )
    .union(livingIn(db, 'reels', 'media_key', keys))
    .union(livingIn(db, 'reels', 'extra_key', keys))
    .union(
      db
        .selectFrom('reels')
        .select((eb) => eb.ref('thumbnail_key').$castTo<string>().as('key'))
        .where('thumbnail_key', 'in', keys)
        .where('deleted_at', 'is', null),
    )
    .union(
      db
        .selectFrom('reel_captions')
        .innerJoin('reels', 'reels.id', 'reel_id')
        .select('key')
        .where('key', 'in', keys)
        .where('deleted_at', 'is', null),
    )
    .union(
      db
        .selectFrom('people')
        .select((eb) => eb.ref('picture_key').$castTo<string>().as('key'))
        .where('picture_key', 'in', keys),
    )
    .union(livingIn(db, 'posts', 'media_key', keys))
    .union(livingIn(db, 'posts', 'extra_key', keys))
    .union(livingIn(db, 'stories', 'media_key', keys))
    .union(livingIn(db, 'stories', 'extra_key', keys))
    .execute();
  return new Set(rows.map((row) => row.key));
}

const livingIn = (
  db: Kysely<Tables>,
  table: 'reels' | 'posts' | 'stories',
  column: 'media_key' | 'extra_key',
  keys: string[],
) =>
  db
    .selectFrom(table)
    .select((eb) => eb.ref(column).$castTo<string>().as('key'))
    .where(column, 'in', keys)
    .where('deleted_at', 'is', null);

/** Of these keys, those that processing still needs in the inbox, and those that are still arriving. */
export async function awaitedKeys(db: Kysely<Tables>, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('uploads')
    .select('key')
    .where('key', 'in', keys)
    .where('used_at', 'is', null)
    .union(
      db.selectFrom('resumable_uploads').select('key').where('key', 'in', keys).where('answer', 'is', null),
    )
    .union(
      db
        .selectFrom('reels')
        .select('media_key as key')
        .where('media_key', 'in', keys)
        .where('state', '=', 'processing')
        .where('deleted_at', 'is', null),
    )
    .execute();
  return new Set(rows.map((row) => row.key));
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

/** Takes all that a person has uploaded, in one order, so that nothing is published from it meanwhile. */
export async function lockOf(db: Kysely<Tables>, ownerId: string): Promise<void> {
  await db
    .selectFrom('uploads')
    .select('key')
    .where('owner_id', '=', ownerId)
    .orderBy('key')
    .forUpdate()
    .execute();
}

/** Forgets all that a person has uploaded; returns their keys. */
export async function deleteOf(db: Kysely<Tables>, ownerId: string): Promise<string[]> {
  const copies = await db
    .selectFrom('imports')
    .select(['copy_key', 'thumbnail_key'])
    .where('person_id', '=', ownerId)
    .execute();
  const rows = await db.deleteFrom('uploads').where('owner_id', '=', ownerId).returning('key').execute();
  const arriving = await db
    .deleteFrom('resumable_uploads')
    .where('owner_id', '=', ownerId)
    .returning('key')
    .execute();
  return [...arriving, ...rows]
    .map((row) => row.key)
    .concat(copies.flatMap((row) => [row.copy_key, row.thumbnail_key]));
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

/**
 * Every key that a row refers to: of folders in the media store, as `liveKeys` knows them, and of whole files in the inbox.
 */
export async function referencedKeys(db: Kysely<Tables>): Promise<{ media: string[]; inbox: string[] }> {
  const unused = db.selectFrom('uploads').select('key').where('used_at', 'is', null);
  const media = await unused
    .where('kind', '<>', 'video')
    .union(
      db
        .selectFrom('imports')
        .innerJoin('uploads', 'uploads.key', 'imports.upload_key')
        .select('imports.copy_key as key')
        .where('uploads.used_at', 'is', null),
    )
    .union(
      db
        .selectFrom('reels')
        .select('media_key as key')
        .where('state', '=', 'ready')
        .where('deleted_at', 'is', null),
    )
    .union(
      db
        .selectFrom('reels')
        .select((eb) => eb.ref('thumbnail_key').$castTo<string>().as('key'))
        .where('thumbnail_key', 'is not', null)
        .where('deleted_at', 'is', null),
    )
    .union(
      db
        .selectFrom('reel_captions')
        .innerJoin('reels', 'reels.id', 'reel_id')
        .select('key')
        .where('deleted_at', 'is', null),
    )
    .union(
      db
        .selectFrom('people')
        .select((eb) => eb.ref('picture_key').$castTo<string>().as('key'))
        .where('picture_key', 'is not', null),
    )
    .union(everyKeyIn(db, 'reels', 'extra_key'))
    .union(everyKeyIn(db, 'posts', 'media_key'))
    .union(everyKeyIn(db, 'posts', 'extra_key'))
    .union(everyKeyIn(db, 'stories', 'media_key'))
    .union(everyKeyIn(db, 'stories', 'extra_key'))
    .execute();
  const inbox = await unused
    .where('kind', '=', 'video')
    .union(
      db
        .selectFrom('reels')
        .select('media_key as key')
        .where('state', '=', 'processing')
        .where('deleted_at', 'is', null),
    )
    .execute();
  return { media: media.map(({ key }) => key), inbox: inbox.map(({ key }) => key) };
}

const everyKeyIn = (
  db: Kysely<Tables>,
  table: 'reels' | 'posts' | 'stories',
  column: 'media_key' | 'extra_key',
) =>
  db
    .selectFrom(table)
    .select((eb) => eb.ref(column).$castTo<string>().as('key'))
    .where(column, 'is not', null)
    .where('deleted_at', 'is', null);
