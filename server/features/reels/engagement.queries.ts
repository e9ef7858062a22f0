import { type Insertable, type Kysely, sql } from 'kysely';
import type { ThreadCursor } from '#server/platform/cursor.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** The reel of a like or share, and the reel's creator, by whom these rows are distributed over a cluster. */
interface Work {
  id: string;
  creator_id: string;
}

/** Inserts a like and returns whether it is new. */
export async function insertLike(
  db: Kysely<Tables>,
  { id, creator_id }: Work,
  personId: string,
  now: Date,
): Promise<boolean> {
  const result = await db
    .insertInto('reel_likes')
    .values({ reel_id: id, person_id: personId, liked_at: now, creator_id })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function deleteLike(
  db: Kysely<Tables>,
  { id, creator_id }: Work,
  personId: string,
): Promise<boolean> {
  const result = await db
    .deleteFrom('reel_likes')
    .where('creator_id', '=', creator_id)
    .where('reel_id', '=', id)
    .where('person_id', '=', personId)
    .executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/** Those of these reels that a person likes and can see. */
export async function likedOf(db: Kysely<Tables>, personId: string, reelIds: string[]): Promise<string[]> {
  const { rows } = await sql<{ reel_id: string }>`
    with liked as materialized (
      select reel_id, creator_id from reel_likes
      where person_id = ${personId} and reel_id = any(${reelIds}::uuid[]))
    select reel_id from liked where ${notBlocked(personId, 'liked.creator_id')}`.execute(db);
  return rows.map((row) => row.reel_id);
}

/**
 * Inserts a comment and returns whether it is new. `sent_as` is an id from the client by which retries are
 * recognized.
 */
export async function insertComment(
  db: Kysely<Tables>,
  comment: Insertable<Tables['reel_comments']>,
): Promise<boolean> {
  const result = await db
    .insertInto('reel_comments')
    .values(comment)
    .onConflict((conflict) => conflict.columns(['person_id', 'sent_as']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** Comments with their authors. */
function comments(db: Kysely<Tables>) {
  return db
    .selectFrom('reel_comments as c')
    .innerJoin('people as p', 'p.id', 'c.person_id')
    .select(['c.id', 'c.person_id', 'p.username', 'p.picture_key', 'c.text', 'c.created_at', 'c.thread_id'])
    .where('p.suspended_at', 'is', null);
}

/** The author's comment on this reel with this id of the client; undefined if the id was used for another reel. */
export function findComment(db: Kysely<Tables>, reelId: string, personId: string, sentAs: string) {
  return comments(db)
    .where('c.reel_id', '=', reelId)
    .where('c.person_id', '=', personId)
    .where('c.sent_as', '=', sentAs)
    .executeTakeFirst();
}

/** Whether a reel is public, and how many comments it has. */
export function findCommented(db: Kysely<Tables>, reelId: string, viewerId: string | undefined) {
  return db
    .selectFrom('reels')
    .innerJoin('people', 'people.id', 'reels.creator_id')
    .select(['reels.state', 'reels.taken_down_at', 'reels.comment_count'])
    .where('reels.id', '=', reelId)
    .where('reels.deleted_at', 'is', null)
    .where('people.suspended_at', 'is', null)
    .where(notBlocked(viewerId, 'reels.creator_id'))
    .executeTakeFirst();
}

/**
 * The thread to which an answer of this person to this comment belongs. Undefined if the person does not see the comment: the response is then
 * the same as for an unknown one, and does not reveal a block. The person need not see the first comment of the thread, as in the list.
 */
export async function findThread(
  db: Kysely<Tables>,
  reelId: string,
  personId: string,
  id: string,
): Promise<string | undefined> {
  const row = await comments(db)
    .where('c.id', '=', id)
    .where('c.reel_id', '=', reelId)
    .where(notBlocked(personId, 'c.person_id'))
    .executeTakeFirst();
  return row && (row.thread_id ?? row.id);
}

/** Comments on a reel after the cursor, newest first, and after each its answers, oldest first. Ids grow with time. */
export function listComments(
  db: Kysely<Tables>,
  { reelId, viewerId }: { reelId: string; viewerId: string | undefined },
  limit: number,
  after: ThreadCursor | undefined,
) {
  const thread = sql<string>`coalesce(c.thread_id, c.id)`;
  let query = comments(db)
    .where('c.reel_id', '=', reelId)
    .where(notBlocked(viewerId, 'c.person_id'))
    .orderBy(thread, 'desc')
    .orderBy('c.id')
    .limit(limit);
  if (after)
    query = query.where(
      sql<boolean>`${thread} <= ${after.thread} and (${thread} < ${after.thread} or c.id > ${after.id})`,
    );
  return query.execute();
}

/** The author of a comment and the creator of its reel. */
export function whoseComment(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('reel_comments as c')
    .innerJoin('reels as r', 'r.id', 'c.reel_id')
    .select(['c.person_id', 'c.reel_id', 'r.creator_id'])
    .where('c.id', '=', id)
    .executeTakeFirst();
}

export async function deleteComment(db: Kysely<Tables>, id: string): Promise<boolean> {
  const result = await db.deleteFrom('reel_comments').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows === 1n;
}

/**
 * Inserts a share and returns whether it is the person's first share of the reel. A cluster has no foreign key to people, so the insert itself
 * locks the person; of one who was deleted it stores nothing.
 */
export async function insertShare(
  db: Kysely<Tables>,
  { id, creator_id }: Work,
  personId: string,
  now: Date,
): Promise<boolean> {
  const { rows } = await sql`
    insert into reel_shares (reel_id, person_id, shared_at, creator_id)
    select ${id}::uuid, id, ${now}::timestamptz, ${creator_id}::uuid from people where id = ${personId} for key share
    on conflict do nothing returning 1`.execute(db);
  return rows.length === 1;
}

export async function addToReel(
  db: Kysely<Tables>,
  id: string,
  column: 'like_count' | 'comment_count' | 'share_count',
  by: 1 | -1,
) {
  await db
    .updateTable('reels')
    .set((eb) => ({ [column]: eb(column, '+', by) }))
    .where('id', '=', id)
    .execute();
}
