import { type Insertable, type Kysely, sql } from 'kysely';
import type { Cursor } from '#server/platform/cursor.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insertStory(db: Kysely<Tables>, story: Insertable<Tables['stories']>) {
  await db.insertInto('stories').values(story).execute();
}

/** Stories with their creator, without those of people who are blocked for the viewer. */
function stories(db: Kysely<Tables>, viewerId: string | undefined) {
  return db
    .selectFrom('stories')
    .innerJoin('people', 'people.id', 'stories.creator_id')
    .selectAll('stories')
    .select(['people.username', 'people.picture_key'])
    .where('stories.deleted_at', 'is', null)
    .where('people.suspended_at', 'is', null)
    .where(notBlocked(viewerId, 'stories.creator_id'));
}

export type StoryRow = Awaited<ReturnType<typeof listStories>>[number];

export function findStory(db: Kysely<Tables>, id: string) {
  return stories(db, undefined).where('stories.id', '=', id).executeTakeFirst();
}

/** Stories, newest first, after the cursor; optionally of one creator, and only those published after `since`. */
export function listStories(
  db: Kysely<Tables>,
  which: { creatorId?: string; since?: Date; viewerId: string | undefined },
  limit: number,
  after: Cursor | undefined,
) {
  let query = stories(db, which.viewerId)
    .orderBy('published_at', 'desc')
    .orderBy('stories.id', 'desc')
    .limit(limit);
  if (which.creatorId) query = query.where('creator_id', '=', which.creatorId);
  if (which.since) query = query.where('published_at', '>', which.since).where('taken_down_at', 'is', null);
  if (after) query = query.where(sql<boolean>`(published_at, stories.id) < (${after.at}, ${after.id})`);
  return query.execute();
}
