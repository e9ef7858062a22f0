import { type Kysely, sql } from 'kysely';
import type { Cursor } from '../../platform/cursor.ts';
import type { Tables } from '../../platform/database/tables.ts';

export type StoryRow = Awaited<ReturnType<typeof listStories>>[number];

/** Stories, newest first, after the cursor: of one creator, or published after a moment, or both. */
export function listStories(
  db: Kysely<Tables>,
  which: { creatorId?: string; since?: Date },
  limit: number,
  after: Cursor | undefined,
) {
  let query = db
    .selectFrom('stories')
    .innerJoin('people', 'people.id', 'stories.creator_id')
    .selectAll('stories')
    .select(['people.username', 'people.picture_key'])
    .where('stories.deleted_at', 'is', null)
    .where('people.suspended_at', 'is', null)
    .orderBy('published_at', 'desc')
    .orderBy('stories.id', 'desc')
    .limit(limit);
  if (which.creatorId) query = query.where('creator_id', '=', which.creatorId);
  if (which.since) query = query.where('published_at', '>', which.since);
  if (after) query = query.where(sql<boolean>`(published_at, stories.id) < (${after.at}, ${after.id})`);
  return query.execute();
}
