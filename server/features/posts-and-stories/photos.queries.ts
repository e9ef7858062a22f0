import { type Kysely, sql, type Transaction } from 'kysely';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables, TakenDownAs } from '#server/platform/database/tables.ts';
import { creatorOf, putWorks, type Work } from '../works/works.ts';

/** What a published photo is. */
export type Kind = 'post' | 'story';

const tables = { post: 'posts', story: 'stories' } as const;

export function findByMediaKey(trx: Transaction<Tables>, kind: Kind, mediaKey: string, creatorId: string) {
  return trx
    .selectFrom(tables[kind])
    .select('id')
    .where('media_key', '=', mediaKey)
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** A photo in any state, of which only the id is known. */
async function onePhoto(db: Kysely<Tables>, kind: Kind, id: string) {
  const query = db.selectFrom(tables[kind]).where('id', '=', id);
  return kind === 'story' ? query : query.where('creator_id', '=', (await creatorOf(db, id)) ?? null);
}

const changedPhoto = (db: Kysely<Tables>, kind: Kind, { id, creator_id }: Work) =>
  db.updateTable(tables[kind]).where('creator_id', '=', creator_id).where('id', '=', id);

/** Reads a photo in any state and locks the row. */
export async function lockPhoto(trx: Transaction<Tables>, kind: Kind, id: string) {
  await keepTablesInPlace(trx);
  return await (await onePhoto(trx, kind, id))
    .select([
      'id',
      'creator_id',
      'duplicate',
      'media_key',
      'extra_key',
      'published_at',
      'deleted_at',
      'taken_down_at',
      'taken_down_as',
    ])
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function markDeleted(trx: Transaction<Tables>, kind: Kind, photo: Work, now: Date) {
  await changedPhoto(trx, kind, photo).set({ deleted_at: now }).execute();
  if (kind === 'post') await putWorks(trx, kind, [photo]);
}

/** Takes a photo down or restores it. */
export async function setTakenDown(
  trx: Transaction<Tables>,
  kind: Kind,
  photo: Work,
  why: { at: Date; as: TakenDownAs; reason: string | null } | null,
) {
  await changedPhoto(trx, kind, photo)
    .set({
      taken_down_at: why?.at ?? null,
      taken_down_as: why?.as ?? null,
      taken_down_reason: why?.reason ?? null,
    })
    .execute();
  if (kind === 'post') await putWorks(trx, kind, [photo]);
}

/** Prevents the deletion of a public photo during this transaction. Returns false if it is not public. */
export async function lockAgainstDeletion(db: Kysely<Tables>, kind: Kind, id: string): Promise<boolean> {
  const row = await (await onePhoto(db, kind, id))
    .select('id')
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks a person's photos of a kind that are not deleted, in the order of their ids. */
export function lockAllOf(trx: Transaction<Tables>, kind: Kind, creatorId: string) {
  return trx
    .selectFrom(tables[kind])
    .select(['id', 'duplicate', 'published_at'])
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Deletes all photos of a kind of a creator, and erases the texts of those deleted before. */
export async function eraseAllOf(
  trx: Transaction<Tables>,
  kind: Kind,
  creatorId: string,
  now: Date,
): Promise<void> {
  const texts = kind === 'post' ? sql`caption = '', description = ''` : sql`status_text = ''`;
  const { rows } = await sql<Work>`
    update ${sql.table(tables[kind])} set deleted_at = coalesce(deleted_at, ${now}), placeholder = '', ${texts}
    where creator_id = ${creatorId} returning id, creator_id`.execute(trx);
  if (kind === 'post') await putWorks(trx, kind, rows);
}
