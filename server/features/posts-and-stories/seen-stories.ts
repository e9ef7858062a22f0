import type { Page } from '#contract/fields.ts';
import { limits } from '#contract/limits.ts';
import type { StoryPerson } from '#contract/stories.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import { notFound } from '#server/platform/refusal.ts';
import { pictureUrl } from '../stored-files/urls.ts';
import * as queries from './seen-stories.queries.ts';
import { startOf } from './stories.ts';

type Showing = Context<'db' | 'clock' | 'config'>;

/** People with stories of the last 24 hours, by their newest one. */
export async function listStoryPeople(
  { db, clock, config }: Showing,
  { limit, cursor }: Page,
  viewerId?: string,
): Promise<{ data: StoryPerson[]; nextCursor: string | null }> {
  const which = { since: startOf(clock()), viewerId };
  const rows = await queries.listPeople(db, which, limit + 1, readCursor(cursor));
  const position = (row: queries.PersonRow) => ({ at: row.published_at, id: row.story_id });
  return pageOf(rows, limit, position, (row) => asStoryPerson(row, config.mediaOrigin));
}

/** What differs for one person: whom they follow comes first, and what they saw is marked. */
export async function showStoryRow({ db, clock, config }: Showing, callerId: string) {
  const since = startOf(clock());
  const followed = await queries.listFollowed(db, callerId, since);
  const seen = await queries.listSeen(db, callerId, since);
  return {
    followed: followed.map((row) => asStoryPerson(row, config.mediaOrigin)),
    seen: seen.map(({ creator_id, story_id }) => ({ userId: creator_id, storyId: story_id })),
  };
}

/** Counts a person once for a story of somebody else. */
export async function markStorySeen(
  { db, clock }: Context<'db' | 'clock'>,
  id: string,
  callerId: string,
): Promise<object> {
  const story = await queries.findRunning(db, id, { since: startOf(clock()), viewerId: callerId });
  if (!story) throw notFound('story');
  const endsAt = new Date(story.published_at.getTime() + limits.storyHours * 3_600_000);
  if (story.creator_id !== callerId) await queries.insertSeen(db, { personId: callerId, id, endsAt });
  return {};
}

/** Forgets who saw the stories whose 24 hours are over. */
export const deleteSeenStories = async ({ db, clock }: Context<'db' | 'clock'>): Promise<void> =>
  queries.deleteEnded(db, clock());

function asStoryPerson(row: queries.PersonRow, mediaOrigin: string): StoryPerson {
  return {
    userId: row.creator_id,
    username: row.username,
    profilePic: pictureUrl(row.picture_key, mediaOrigin),
    storyId: row.story_id,
    createdAt: row.published_at.toISOString(),
  };
}
