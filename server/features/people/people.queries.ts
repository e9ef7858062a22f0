import { type Kysely, sql } from 'kysely';
import { embeddedAtMost } from '../../../contract/fields.ts';
import type { Cursor } from '../../platform/cursor.ts';
import type { Tables } from '../../platform/database/tables.ts';

/** People with the newest of their followers and of those they follow. */
function people(db: Kysely<Tables>) {
  return db
    .selectFrom('people')
    .selectAll('people')
    .select([
      sql<string[]>`case when follower_count = 0 then '{}' else array(
        select follower_id from follows where followee_id = people.id
        order by followed_at desc limit ${embeddedAtMost}) end`.as('followers'),
      sql<string[]>`case when following_count = 0 then '{}' else array(
        select followee_id from follows where follower_id = people.id
        order by followed_at desc limit ${embeddedAtMost}) end`.as('following'),
    ])
    .where('suspended_at', 'is', null);
}

export function findPerson(db: Kysely<Tables>, id: string) {
  return people(db).where('id', '=', id).executeTakeFirst();
}

/** Everybody, newest first, after the cursor. */
export function listPeople(db: Kysely<Tables>, limit: number, after: Cursor | undefined) {
  let query = people(db).orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit);
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after.at}, ${after.id})`);
  return query.execute();
}

/**
 * Those whose name or username has `words` in it: 0 are exactly that, 1 begin with it, 2 have it somewhere; newest first
 * within each.
 */
export function searchPeople(db: Kysely<Tables>, words: string, limit: number, after: Cursor | undefined) {
  const wanted = words.toLowerCase();
  const somewhere = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
  const begin = somewhere.slice(1);
  const rank = sql<number>`case
    when username_key = ${wanted} or lower(name) = ${wanted} then 0
    when username_key like ${begin} or lower(name) like ${begin} then 1
    else 2 end`;
  let query = people(db)
    .select(rank.as('rank'))
    .where(sql<boolean>`(lower(name) || ' ' || username_key) like ${somewhere}`)
    .orderBy(rank)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after) {
    query = query.where(
      sql<boolean>`(${rank} > ${after.rank} or (${rank} = ${after.rank} and (created_at, id) < (${after.at}, ${after.id})))`,
    );
  }
  return query.execute();
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
