import { type Kysely, sql } from 'kysely';
import { storyRowAtMost } from '#contract/stories.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';

interface StoryScope {
  /** Stories published later are public. */
  since: Date;
  viewerId: string | undefined;
}

/** Public stories with their creator, for the viewer. */
function running(db: Kysely<Tables>, { since, viewerId }: StoryScope) {
  return db
    .selectFrom('stories')
    .innerJoin('people', 'people.id', 'stories.creator_id')
    .select(['stories.id as story_id', 'stories.creator_id', 'stories.published_at'])
    .select(['people.username', 'people.picture_key'])
    .where('stories.published_at', '>', since)
    .where('stories.deleted_at', 'is', null)
    .where('stories.taken_down_at', 'is', null)
    .where('people.suspended_at', 'is', null)
    .where(notBlocked(viewerId, 'stories.creator_id'));
}

export type PersonRow = Awaited<ReturnType<typeof listPeople>>[number];

/** The newest story of each person, newest first, after the cursor. */
export function listPeople(db: Kysely<Tables>, which: StoryScope, limit: number, after: Cursor | undefined) {
  let query = running(db, which)
    .where(
      sql<boolean>`not exists (
        select from stories newer where newer.creator_id = stories.creator_id
          and (newer.published_at, newer.id) > (stories.published_at, stories.id)
          and newer.deleted_at is null and newer.taken_down_at is null)`,
    )
    .orderBy('stories.published_at', 'desc')
    .orderBy('stories.id', 'desc')
    .limit(limit);
  if (after)
    query = query.where(sql<boolean>`(stories.published_at, stories.id) < (${after.at}, ${after.id})`);
  return query.execute();
}

/** Of how many people whom somebody follows stories are looked for: those followed last. */
const followsAtMost = 1000;

/** The newest story of each person whom somebody follows, newest first. A block ends follows, so none is left. */
export function listFollowed(db: Kysely<Tables>, followerId: string, since: Date) {
  const followed = db
    .selectFrom('follows')
    .select('followee_id')
    .where('follower_id', '=', followerId)
    .orderBy('followed_at', 'desc')
    .limit(followsAtMost);
  return db
    .selectFrom(followed.as('followed'))
    .innerJoinLateral(
      (eb) =>
        running(db, { since, viewerId: undefined })
          .where('stories.creator_id', '=', eb.ref('followed.followee_id'))
          .orderBy('stories.published_at', 'desc')
          .orderBy('stories.id', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .selectAll('newest')
    .orderBy('newest.published_at', 'desc')
    .limit(storyRowAtMost.followed)
    .execute();
}

/** Of how many stories that somebody saw it is told: the newest ones. */
const seenAtMost = 1000;

/** Up to which running story somebody saw each person's. */
export async function listSeen(db: Kysely<Tables>, personId: string, since: Date) {
  const seen = db
    .selectFrom('seen_stories')
    .select('story_id')
    .where('person_id', '=', personId)
    // Ids begin with their time.
    .orderBy('story_id', 'desc')
    .limit(seenAtMost);
  const newest = running(db, { since, viewerId: personId })
    .innerJoin(seen.as('seen'), 'seen.story_id', 'stories.id')
    .distinctOn('stories.creator_id')
    .orderBy('stories.creator_id')
    .orderBy('stories.published_at', 'desc')
    .orderBy('stories.id', 'desc');
  return await db
    .selectFrom(newest.as('newest'))
    .select(['creator_id', 'story_id'])
    .orderBy('published_at', 'desc')
    .limit(storyRowAtMost.seen)
    .execute();
}

export function findRunning(db: Kysely<Tables>, id: string, which: StoryScope) {
  return running(db, which).where('stories.id', '=', id).executeTakeFirst();
}

/** One statement, so that the number is that of the rows. */
export async function insertSeen(
  db: Kysely<Tables>,
  { personId, id, endsAt }: { personId: string; id: string; endsAt: Date },
): Promise<void> {
  await sql`
    with seen as (
      insert into seen_stories (person_id, story_id, ends_at) values (${personId}, ${id}, ${endsAt})
      on conflict do nothing returning story_id
    )
    update stories set seen_by = seen_by + 1 from seen where stories.id = seen.story_id`.execute(db);
}

export async function deleteEnded(db: Kysely<Tables>, now: Date): Promise<void> {
  await db.deleteFrom('seen_stories').where('ends_at', '<=', now).execute();
}
