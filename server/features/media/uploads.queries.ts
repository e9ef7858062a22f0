import type { Insertable, Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';

export async function insertUpload(db: Kysely<Tables>, upload: Insertable<Tables['uploads']>) {
  await db.insertInto('uploads').values(upload).execute();
}

/** Takes an upload for publishing: once, by its owner. */
export function takeUpload(
  db: Kysely<Tables>,
  key: string,
  ownerId: string,
  kind: Tables['uploads']['kind'],
  now: Date,
) {
  return db
    .updateTable('uploads')
    .set({ used_at: now })
    .where('key', '=', key)
    .where('owner_id', '=', ownerId)
    .where('kind', '=', kind)
    .where('used_at', 'is', null)
    .returning(['key', 'sha256', 'facts'])
    .executeTakeFirst();
}

export async function isPublished(db: Kysely<Tables>, sha256: Buffer): Promise<boolean> {
  const row = await db
    .selectFrom('published_files')
    .select('creator_id')
    .where('sha256', '=', sha256)
    .executeTakeFirst();
  return row !== undefined;
}

/** Notes the first publication of these bytes; false when they were published before. */
export async function insertPublished(
  db: Kysely<Tables>,
  sha256: Buffer,
  creatorId: string,
  now: Date,
): Promise<boolean> {
  const result = await db
    .insertInto('published_files')
    .values({ sha256, creator_id: creatorId, published_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Forgets uploads that nobody published; their files go next. */
export async function deleteUnused(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('uploads').where('used_at', 'is', null).where('created_at', '<', before).execute();
}

/** Of these keys, those of which something lives: an upload, a reel, a post or a story. */
export async function liveKeys(db: Kysely<Tables>, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('uploads')
    .select('key')
    .where('key', 'in', keys)
    .where('used_at', 'is', null)
    .union(
      db
        .selectFrom('reels')
        .select('media_key as key')
        .where('media_key', 'in', keys)
        .where('deleted_at', 'is', null),
    )
    .union(
      db
        .selectFrom('reels')
        .select((eb) => eb.ref('thumbnail_key').$castTo<string>().as('key'))
        .where('thumbnail_key', 'in', keys)
        .where('deleted_at', 'is', null),
    )
    .union(
      db
        .selectFrom('people')
        .select((eb) => eb.ref('picture_key').$castTo<string>().as('key'))
        .where('picture_key', 'in', keys),
    )
    .union(
      db
        .selectFrom('posts')
        .select('media_key as key')
        .where('media_key', 'in', keys)
        .where('deleted_at', 'is', null),
    )
    .union(
      db
        .selectFrom('stories')
        .select('media_key as key')
        .where('media_key', 'in', keys)
        .where('deleted_at', 'is', null),
    )
    .execute();
  return new Set(rows.map((row) => row.key));
}

/** Of these keys, those that processing still needs in the inbox. */
export async function awaitedKeys(db: Kysely<Tables>, keys: string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('uploads')
    .select('key')
    .where('key', 'in', keys)
    .where('used_at', 'is', null)
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
