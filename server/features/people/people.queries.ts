import { type Kysely, sql } from 'kysely';
import { type Embedded, embeddedAlone, embeddedInList } from '#contract/embedded-comments-and-people.ts';
import { uuid } from '#contract/fields.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import { isUniqueViolation } from '#server/platform/database/conflicts.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { nameKey, type storedName, type storedUsername } from './name-keys.ts';

/** People with their newest followers and the newest people they follow; these lists leave out who is blocked for the viewer. */
export function people(db: Kysely<Tables>, embedded: Embedded, viewerId: string | undefined) {
  return db
    .selectFrom('people')
    .selectAll('people')
    .select([
      sql<string[]>`case when follower_count = 0 then '{}' else array(
        select follower_id from follows where followee_id = people.id and ${notBlocked(viewerId, 'follower_id')}
        order by followed_at desc, follower_id desc limit ${embedded.people}) end`.as('followers'),
      sql<string[]>`case when following_count = 0 then '{}' else array(
        select followee_id from follows where follower_id = people.id and ${notBlocked(viewerId, 'followee_id')}
        order by followed_at desc, followee_id desc limit ${embedded.people}) end`.as('following'),
    ])
    .where('suspended_at', 'is', null);
}

const shownPeople = (db: Kysely<Tables>, embedded: Embedded, viewerId: string | undefined) =>
  people(db, embedded, viewerId).where(notBlocked(viewerId, 'people.id'));

export function findPerson(db: Kysely<Tables>, id: string, viewerId: string | undefined) {
  return shownPeople(db, embeddedAlone, viewerId).where('id', '=', id).executeTakeFirst();
}

/** Those of these people who are shown, in any order. */
export function listByIds(db: Kysely<Tables>, viewerId: string | undefined, ids: readonly string[]) {
  return shownPeople(db, embeddedInList, viewerId).where('id', 'in', ids).execute();
}

/** Ids of the people with these usernames that all of these viewers may see; the viewers themselves are left out. */
export async function listByUsernames(
  db: Kysely<Tables>,
  usernameKeys: readonly string[],
  viewerIds: readonly string[],
): Promise<string[]> {
  let query = db
    .selectFrom('people')
    .select('id')
    .where('username_key', 'in', usernameKeys)
    .where('id', 'not in', viewerIds)
    .where('suspended_at', 'is', null);
  for (const id of viewerIds) query = query.where(notBlocked(id, 'people.id'));
  return (await query.execute()).map(({ id }) => id);
}

/** Whether anybody has an account. */
export async function hasPeople(db: Kysely<Tables>): Promise<boolean> {
  return (await db.selectFrom('people').select('id').limit(1).executeTakeFirst()) !== undefined;
}

interface Search {
  viewerId: string | undefined;
  words: string;
}

/** All people, newest first, after the cursor. */
export function listPeople(
  db: Kysely<Tables>,
  viewerId: string | undefined,
  limit: number,
  after: Cursor | undefined,
) {
  let query = shownPeople(db, embeddedInList, viewerId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after.at}, ${after.id})`);
  return query.execute();
}

const anId = new RegExp(`^${uuid}$`);

/** A name and a username, to be searched for a part of them. */
const bothNames = sql`(name_key || ' ' || username_key)`;

/** Three letters in a row, which the indexes of parts of words need. */
const aPart = /[\p{L}\p{M}\p{N}]{3}/u;

/**
 * Ids of people whose name, username or e-mail address contains `words`, or with that id; fewer than three letters are the beginning of a name
 * or username. Of all without words; newest first, after the cursor. For operators: suspended people are among them.
 */
export async function searchEverybody(
  db: Kysely<Tables>,
  words: string | undefined,
  limit: number,
  after: Cursor | undefined,
): Promise<string[]> {
  const wanted = nameKey(words ?? '');
  const begin = `${wanted.replace(/[\\%_]/g, '\\$&')}%`;
  let query = db
    .selectFrom('people')
    .select('id')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  if (anId.test(wanted)) query = query.where('id', '=', wanted);
  // Each part has an index of its own.
  else if (aPart.test(wanted))
    query = query.where(sql<boolean>`(${bothNames} like ${`%${begin}`} or email_key like ${`%${begin}`})`);
  else if (wanted) query = query.where(sql<boolean>`(username_key like ${begin} or name_key like ${begin})`);
  if (after) query = query.where(sql<boolean>`(created_at, id) < (${after.at}, ${after.id})`);
  return (await query.execute()).map(({ id }) => id);
}

/**
 * People whose name or username contains `words`, in three ranks: 0 equal to it, 1 beginning with it, 2 containing
 * it; newest first within each rank. A rank is queried only if the ranks before do not fill the page, and in display
 * order, so that the cost depends on the page and not on the number of matches.
 */
export async function searchPeople(
  db: Kysely<Tables>,
  { viewerId, words }: Search,
  limit: number,
  after: Cursor | undefined,
) {
  const wanted = nameKey(words);
  const matches: (Awaited<ReturnType<typeof listPeople>>[number] & { rank: number })[] = [];
  for (const rank of [0, 1, 2] as const) {
    if (rank < (after?.rank ?? 0) || matches.length === limit) continue;
    const from = after?.rank === rank ? after : undefined;
    const rows = await peopleFound(db, { viewerId, wanted, rank }, limit - matches.length, from);
    matches.push(...rows.map((row) => ({ ...row, rank })));
  }
  return matches;
}

function peopleFound(
  db: Kysely<Tables>,
  { viewerId, wanted, rank }: { viewerId: string | undefined; wanted: string; rank: 0 | 1 | 2 },
  limit: number,
  after: Cursor | undefined,
) {
  const literally = wanted.replace(/[\\%_]/g, '\\$&');
  const begin = `${literally}%`;
  const exactly = sql<boolean>`(username_key = ${wanted} or name_key = ${wanted})`;
  const beginning = sql<boolean>`(username_key like ${begin} or name_key like ${begin})`;
  const further = after ? sql<boolean>`(created_at, id) < (${after.at}, ${after.id})` : sql<boolean>`true`;
  const which = {
    // Many people may have the same name: the newest of them are read from the index, then the one with that
    // username.
    0: sql<boolean>`id in (
      (select id from people where name_key = ${wanted} and suspended_at is null and ${further}
        and ${notBlocked(viewerId, 'people.id')} order by created_at desc, id desc limit ${limit})
      union all select id from people where username_key = ${wanted} and ${further})`,
    1: sql<boolean>`(${beginning} and not ${exactly})`,
    2: sql<boolean>`${bothNames} like ${`%${begin}`} and not ${beginning}`,
  }[rank];
  return shownPeople(db, embeddedInList, viewerId)
    .where(which)
    .where(further)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Sets the picture and returns the key of the previous one; undefined if the person does not exist. */
export async function setPicture(
  db: Kysely<Tables>,
  id: string,
  key: string | null,
): Promise<string | null | undefined> {
  const { rows } = await sql<{ before: string | null }>`
    update people set picture_key = ${key}
    from (select id, picture_key from people where id = ${id} for no key update) old
    where people.id = old.id returning old.picture_key as before`.execute(db);
  return rows[0]?.before;
}

export function findNames(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('people')
    .select(['name', 'username', 'username_key'])
    .where('id', '=', id)
    .executeTakeFirst();
}

/** Changes name or username. Returns whether they differ from before; undefined if the username is taken. */
export async function rename(
  db: Kysely<Tables>,
  id: string,
  change: Partial<ReturnType<typeof storedName> & ReturnType<typeof storedUsername>>,
): Promise<boolean | undefined> {
  try {
    const result = await db
      .updateTable('people')
      .set(change)
      .where('id', '=', id)
      .where((eb) => eb.not(eb.and(change)))
      .executeTakeFirst();
    return result.numUpdatedRows === 1n;
  } catch (error) {
    if (isUniqueViolation(error, 'people_username_key_key')) return undefined;
    throw error;
  }
}

/** Usernames of others with this key whom at least so many people follow. */
export async function listFollowedLookAlikes(
  db: Kysely<Tables>,
  { key, followers, except }: { key: string; followers: number; except: string | undefined },
): Promise<string[]> {
  let query = db
    .selectFrom('people')
    .select('username')
    .where('look_key', '=', key)
    .where('follower_count', '>=', followers);
  if (except) query = query.where('id', '!=', except);
  return (await query.execute()).map(({ username }) => username);
}

/** Locks all follows of and by a person, always in the same order. */
export async function lockFollows(db: Kysely<Tables>, personId: string): Promise<void> {
  await sql`
    select from follows where follower_id = ${personId} or followee_id = ${personId}
    order by follower_id, followee_id for update`.execute(db);
}

/** Locks the row for deletion: inserts that refer to this person wait, and then fail. */
export function lockForDeletion(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('people')
    .select(['id', 'username', 'picture_key'])
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/**
 * Deletes all follows of and by a person and updates the counts of the others, whose rows are locked in the order of
 * their ids.
 */
export async function deleteFollows(db: Kysely<Tables>, personId: string): Promise<void> {
  await sql`
    with unfollowed as (
      delete from follows where follower_id = ${personId} or followee_id = ${personId}
      returning follower_id, followee_id
    ), others as (
      select case when follower_id = ${personId} then followee_id else follower_id end as id,
        count(*) filter (where follower_id = ${personId}) as followed,
        count(*) filter (where followee_id = ${personId}) as following
      from unfollowed group by 1
    ), locked as (
      select id from people where id in (select id from others) order by id for no key update
    )
    update people set
      follower_count = follower_count - others.followed, following_count = following_count - others.following
    from others join locked using (id) where people.id = others.id`.execute(db);
}

export async function deletePerson(db: Kysely<Tables>, id: string): Promise<void> {
  await db.deleteFrom('people').where('id', '=', id).execute();
}

export async function setLanguage(db: Kysely<Tables>, personId: string, language: string): Promise<void> {
  await db.updateTable('people').set({ language }).where('id', '=', personId).execute();
}
