import { type Kysely, sql } from 'kysely';
import { embeddedAtMost } from '../../../contract/fields.ts';
import type { Tables } from '../../platform/database/tables.ts';

/** A person with the newest of their followers and of those they follow. */
export function findPerson(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('people')
    .selectAll('people')
    .select([
      sql<string[]>`array(
        select follower_id from follows where followee_id = people.id
        order by followed_at desc limit ${embeddedAtMost})`.as('followers'),
      sql<string[]>`array(
        select followee_id from follows where follower_id = people.id
        order by followed_at desc limit ${embeddedAtMost})`.as('following'),
    ])
    .where('id', '=', id)
    .where('suspended_at', 'is', null)
    .executeTakeFirst();
}

/** Follows, and says whether that is new. */
export async function insertFollow(db: Kysely<Tables>, followerId: string, followeeId: string, now: Date) {
  const result = await db
    .insertInto('follows')
    .values({ follower_id: followerId, followee_id: followeeId, followed_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function deleteFollow(db: Kysely<Tables>, followerId: string, followeeId: string) {
  const result = await db
    .deleteFrom('follows')
    .where('follower_id', '=', followerId)
    .where('followee_id', '=', followeeId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/**
 * Moves both people's counts. The rows are taken in the order of their ids, and so that the key they are referred to by
 * stays free: two who follow each other at once do not block each other.
 */
export async function addToFollowCounts(
  db: Kysely<Tables>,
  followerId: string,
  followeeId: string,
  by: 1 | -1,
) {
  await sql`
    with locked as (
      select id from people where id in (${followerId}, ${followeeId}) order by id for no key update
    )
    update people set
      following_count = following_count + case when people.id = ${followerId} then ${sql.lit(by)} else 0 end,
      follower_count = follower_count + case when people.id = ${followeeId} then ${sql.lit(by)} else 0 end
    from locked where people.id = locked.id`.execute(db);
}

export async function setPicture(db: Kysely<Tables>, id: string, key: string) {
  await db.updateTable('people').set({ picture_key: key }).where('id', '=', id).execute();
}
