import { type Kysely, sql } from 'kysely';
import { embeddedInList } from '#contract/embedded-comments-and-people.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { people } from './people.queries.ts';

/**
 * Locks the rows of two people and returns the ids of those who exist and are not suspended. Rows are locked in the
 * order of their ids, to avoid deadlocks. The lock does not block inserts that refer to these people.
 */
export async function lockPair(db: Kysely<Tables>, id: string, otherId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom('people')
    .select('id')
    .where('id', 'in', [id, otherId])
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

/** Those of these people whom a person follows; not those who are suspended. */
export async function followedOf(db: Kysely<Tables>, followerId: string, ids: string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('follows')
    .innerJoin('people', 'people.id', 'followee_id')
    .select('followee_id')
    .where('follower_id', '=', followerId)
    .where('people.suspended_at', 'is', null)
    .where(sql<boolean>`followee_id = any(${ids}::uuid[])`)
    .execute();
  return rows.map((row) => row.followee_id);
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

export interface Follows {
  list: 'followers' | 'following';
  personId: string;
  viewerId: string | undefined;
}

/** A person's followers or the people they follow, newest first, after the cursor. */
export function listFollows(
  db: Kysely<Tables>,
  { list, personId, viewerId }: Follows,
  limit: number,
  after: Cursor | undefined,
) {
  const [self, other] =
    list === 'followers'
      ? (['followee_id', 'follower_id'] as const)
      : (['follower_id', 'followee_id'] as const);
  const related = db
    .selectFrom('follows')
    .select([`${other} as other_id`, 'followed_at as since'])
    .where(self, '=', personId);
  let query = people(db, embeddedInList, viewerId)
    .where(notBlocked(viewerId, 'people.id'))
    .innerJoin(related.as('related'), 'related.other_id', 'people.id')
    .select('related.since')
    .orderBy('related.since', 'desc')
    .orderBy('people.id', 'desc')
    .limit(limit);
  if (after) query = query.where(sql<boolean>`(related.since, people.id) < (${after.at}, ${after.id})`);
  return query.execute();
}

/**
 * The rows of `blocks` that their person knows of. Somebody who was blocked first can block back, but gets the answer of an unknown id: that
 * row takes effect, and is shown, once the other one is gone.
 */
const isKnownBlock = sql<boolean>`not exists (
  select from blocks first where first.blocker_id = blocks.blocked_id and first.blocked_id = blocks.blocker_id
    and first.blocked_at < blocks.blocked_at
)`;

/** The people whom a person knows to block, also those who block that person, newest first, after the cursor. */
export function listBlocked(db: Kysely<Tables>, blockerId: string, limit: number, after: Cursor | undefined) {
  let query = people(db, embeddedInList, blockerId)
    .innerJoin('blocks', 'blocks.blocked_id', 'people.id')
    .select('blocks.blocked_at')
    .where('blocks.blocker_id', '=', blockerId)
    .where(isKnownBlock)
    .orderBy('blocks.blocked_at', 'desc')
    .orderBy('blocks.blocked_id', 'desc')
    .limit(limit);
  if (after)
    query = query.where(sql<boolean>`(blocks.blocked_at, blocks.blocked_id) < (${after.at}, ${after.id})`);
  return query.execute();
}

/** The same by their ids, after an id, for the person's own data. */
export function listBlockedById(
  db: Kysely<Tables>,
  { blockerId, after }: { blockerId: string; after: string },
  limit: number,
) {
  return db
    .selectFrom('blocks')
    .innerJoin('people', 'people.id', 'blocked_id')
    .select(['blocked_id as userId', 'people.username', 'blocked_at as blockedAt'])
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '>', after)
    .where(isKnownBlock)
    .orderBy('blocked_id')
    .limit(limit)
    .execute();
}

export async function insertBlock(db: Kysely<Tables>, blockerId: string, blockedId: string, now: Date) {
  await db
    .insertInto('blocks')
    .values({ blocker_id: blockerId, blocked_id: blockedId, blocked_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/**
 * Inserts a block in return for one of the other person, as the later one of the two whatever the clock says. Without one it has no effect.
 */
export async function insertBlockInReturn(
  db: Kysely<Tables>,
  blockerId: string,
  blockedId: string,
  now: Date,
) {
  await sql`
    insert into blocks (blocker_id, blocked_id, blocked_at)
    select blocked_id, blocker_id, greatest(${now}::timestamptz, blocked_at + interval '1 millisecond') from blocks
    where blocker_id = ${blockedId} and blocked_id = ${blockerId}
    on conflict do nothing`.execute(db);
}

export async function deleteBlock(db: Kysely<Tables>, blockerId: string, blockedId: string) {
  await db
    .deleteFrom('blocks')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .execute();
}

/** Whether a person knows to block another. */
export async function isBlocking(db: Kysely<Tables>, blockerId: string, blockedId: string): Promise<boolean> {
  const row = await db
    .selectFrom('blocks')
    .select('blocked_id')
    .where('blocker_id', '=', blockerId)
    .where('blocked_id', '=', blockedId)
    .where(isKnownBlock)
    .executeTakeFirst();
  return row !== undefined;
}

export async function countBlocks(db: Kysely<Tables>, blockerId: string): Promise<number> {
  const { blocks } = await db
    .selectFrom('blocks')
    .select((eb) => eb.fn.countAll<number>().as('blocks'))
    .where('blocker_id', '=', blockerId)
    .where(isKnownBlock)
    .executeTakeFirstOrThrow();
  return blocks;
}

/** Whether somebody blocks this person, or is blocked by them. */
export async function hasBlocks(db: Kysely<Tables>, personId: string): Promise<boolean> {
  const { rows } = await sql<{ has: boolean }>`
    select exists (select from blocks where blocker_id = ${personId})
      or exists (select from blocks where blocked_id = ${personId}) as has`.execute(db);
  return rows[0]?.has ?? false;
}

/** Whether an account is active, and not blocked for the viewer. */
export async function isShown(
  db: Kysely<Tables>,
  personId: string,
  viewerId: string | undefined,
): Promise<boolean> {
  const row = await db
    .selectFrom('people')
    .select('id')
    .where('id', '=', personId)
    .where('suspended_at', 'is', null)
    .where(notBlocked(viewerId, 'people.id'))
    .executeTakeFirst();
  return row !== undefined;
}
