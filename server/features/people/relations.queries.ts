import { type Kysely, sql } from 'kysely';
import { embeddedInList } from '#contract/fields.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { people } from './people.queries.ts';

/**
 * Locks the rows of two people and returns the ids of those who exist and are not suspended. Rows are locked in the
 * order of their ids, to avoid deadlocks. The lock does not block inserts that refer to these people.
 */
export async function lockPair(db: Kysely<Tables>, one: string, other: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('people')
    .select('id')
    .where('id', 'in', [one, other])
    .where('suspended_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return new Set(rows.map(({ id }) => id));
}

/** Inserts a follow and returns whether it is new. */
export async function insertFollow(db: Kysely<Tables>, followerId: string, followeeId: string, now: Date) {
  const result = await db
    .insertInto('follows')
    .values({ follower_id: followerId, followee_id: followeeId, followed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

async function deleteFollow(db: Kysely<Tables>, followerId: string, followeeId: string) {
  const result = await db
    .deleteFrom('follows')
    .where('follower_id', '=', followerId)
    .where('followee_id', '=', followeeId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Changes both people's counts. Their rows must be locked. */
export async function addToFollowCounts(
  db: Kysely<Tables>,
  followerId: string,
  followeeId: string,
  by: 1 | -1,
) {
  await sql`
    update people set
      following_count = following_count + case when people.id = ${followerId} then ${sql.lit(by)} else 0 end,
      follower_count = follower_count + case when people.id = ${followeeId} then ${sql.lit(by)} else 0 end
    where id in (${followerId}, ${followeeId})`.execute(db);
}

/**
 * Deletes a follow and updates both counts. Both people's rows must be locked. Returns false if there was no follow.
 */
export async function endFollow(
  db: Kysely<Tables>,
  followerId: string,
  followeeId: string,
): Promise<boolean> {
  if (!(await deleteFollow(db, followerId, followeeId))) return false;
  await addToFollowCounts(db, followerId, followeeId, -1);
  return true;
}

export async function countFollowers(db: Kysely<Tables>, id: string): Promise<number> {
  const { follower_count } = await db
    .selectFrom('people')
    .select('follower_count')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return follower_count;
}

export type Relation = 'followers' | 'following' | 'blocked';

interface Related {
  relation: Relation;
  personId: string;
}

/** People in this relation to a person, with the time when it began. */
function related(db: Kysely<Tables>, { relation, personId }: Related) {
  if (relation === 'blocked') {
    return db
      .selectFrom('blocks')
      .select(['blocked_id as other_id', 'blocked_at as since'])
      .where('blocker_id', '=', personId);
  }
  const [self, other] =
    relation === 'followers'
      ? (['followee_id', 'follower_id'] as const)
      : (['follower_id', 'followee_id'] as const);
  return db
    .selectFrom('follows')
    .select([`${other} as other_id`, 'followed_at as since'])
    .where(self, '=', personId);
}

/** A person's followers, the people they follow, or the people they block, newest first, after the cursor. */
export function listRelated(db: Kysely<Tables>, which: Related, limit: number, after: Cursor | undefined) {
  let query = people(db, embeddedInList)
    .innerJoin(related(db, which).as('related'), 'related.other_id', 'people.id')
    .select('related.since')
    .orderBy('related.since', 'desc')
    .orderBy('people.id', 'desc')
    .limit(limit);
  if (after) query = query.where(sql<boolean>`(related.since, people.id) < (${after.at}, ${after.id})`);
  return query.execute();
}

export async function insertBlock(db: Kysely<Tables>, blockerId: string, blockedId: string, now: Date) {
  await db
    .insertInto('blocks')
    .values({ blocker_id: blockerId, blocked_id: blockedId, blocked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteBlock(db: Kysely<Tables>, blockerId: string, blockedId: string) {
  await db
    .deleteFrom('blocks')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .execute();
}

export async function isActive(db: Kysely<Tables>, personId: string): Promise<boolean> {
  const row = await db
    .selectFrom('people')
    .select('id')
    .where('id', '=', personId)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether the owner of some content is active, and whether they block this person. */
export async function standing(db: Kysely<Tables>, ownerId: string, personId: string) {
  const { rows } = await sql<{ here: boolean; blocked: boolean }>`
    select
      exists (select from people where id = ${ownerId} and suspended_at is null) as here,
      exists (select from blocks where blocker_id = ${ownerId} and blocked_id = ${personId}) as blocked`.execute(
    db,
  );
  return rows[0] ?? { here: false, blocked: false };
}
