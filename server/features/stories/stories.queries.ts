import { type Insertable, type Kysely, sql } from 'kysely';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertStory(db: Kysely<Tables>, story: Insertable<Tables['stories']>) {
  await db.insertInto('stories').values(story).execute();
}

export function findByMediaKey(db: Kysely<Tables>, mediaKey: string, creatorId: string) {
  return db
    .selectFrom('stories')
    .select('id')
    .where('media_key', '=', mediaKey)
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}

/** Reads a story in any state and locks the row. */
export function lockStory(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('stories')
    .select([
      'id',
      'creator_id',
      'duplicate',
      'media_key',
      'extra_key',
      'published_at',
      'deleted_at',
      'taken_down_at',
    ])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function markDeleted(db: Kysely<Tables>, id: string, now: Date) {
  await db.updateTable('stories').set({ deleted_at: now }).where('id', '=', id).execute();
}

/** Takes a story down or restores it. */
export async function setTakenDown(db: Kysely<Tables>, id: string, why: { at: Date; reason: string } | null) {
  await db
    .updateTable('stories')
    .set({ taken_down_at: why?.at ?? null, taken_down_reason: why?.reason ?? null })
    .where('id', '=', id)
    .execute();
}

/** Stories with their creator. */
function stories(db: Kysely<Tables>) {
  return db
    .selectFrom('stories')
    .innerJoin('people', 'people.id', 'stories.creator_id')
    .selectAll('stories')
    .select(['people.username', 'people.picture_key'])
    .where('stories.deleted_at', 'is', null)
    .where('people.suspended_at', 'is', null);
}

export type StoryRow = Awaited<ReturnType<typeof listStories>>[number];

export function findStory(db: Kysely<Tables>, id: string) {
  return stories(db).where('stories.id', '=', id).executeTakeFirst();
}

/** Stories, newest first, after the cursor; optionally of one creator, and only those published after `since`. */
export function listStories(
  db: Kysely<Tables>,
  which: { creatorId?: string; since?: Date },
  limit: number,
  after: Cursor | undefined,
) {
  let query = stories(db).orderBy('published_at', 'desc').orderBy('stories.id', 'desc').limit(limit);
  if (which.creatorId) query = query.where('creator_id', '=', which.creatorId);
  if (which.since) query = query.where('published_at', '>', which.since).where('taken_down_at', 'is', null);
  if (after) query = query.where(sql<boolean>`(published_at, stories.id) < (${after.at}, ${after.id})`);
  return query.execute();
}

/** Prevents the deletion of a public story during this transaction. Returns false if it is not public. */
export async function lockAgainstDeletion(db: Kysely<Tables>, id: string): Promise<boolean> {
  const row = await db
    .selectFrom('stories')
    .select('id')
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Locks a person's stories that are not deleted, in the order of their ids. */
export function lockStanding(db: Kysely<Tables>, creatorId: string) {
  return db
    .selectFrom('stories')
    .select(['id', 'duplicate', 'published_at'])
    .where('creator_id', '=', creatorId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Deletes all of a creator's stories, and erases the content of stories deleted before. */
export async function emptyStories(db: Kysely<Tables>, creatorId: string, now: Date): Promise<void> {
  await db
    .updateTable('stories')
    .set((eb) => ({
      deleted_at: eb.fn.coalesce('deleted_at', eb.val(now)),
      status_text: '',
      placeholder: '',
    }))
    .where('creator_id', '=', creatorId)
    .execute();
}
