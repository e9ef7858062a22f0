import { type Insertable, type Kysely, type NotNull, sql } from 'kysely';
import type { ThreadCursor } from '#server/platform/cursor.ts';
import { fillPage } from '#server/platform/database/fill-page.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { creatorOf, type Work } from '../works/works.ts';

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
 * Inserts a comment and returns whether it is new. `sent_as` is an id from the client by which retries are recognized. A cluster has no foreign key to
 * people, so the insert itself locks the person; of one who was deleted it stores nothing.
 */
export async function insertComment(
  db: Kysely<Tables>,
  comment: Required<Insertable<Tables['reel_comments']>>,
): Promise<boolean> {
  const { id, reel_id, creator_id, person_id, text, sent_as, created_at, thread_id } = comment;
  const { rows } = await sql`
    insert into reel_comments (id, reel_id, creator_id, person_id, text, sent_as, created_at, thread_id)
    select ${id}::uuid, ${reel_id}::uuid, ${creator_id}::uuid, id, ${text}, ${sent_as}::uuid, ${created_at}::timestamptz, ${thread_id}::uuid
    from people where id = ${person_id} for key share
    on conflict on constraint reel_comments_sent do nothing returning 1`.execute(db);
  return rows.length === 1;
}

/** Comments of a reel. */
const commentsOf = (db: Kysely<Tables>, { id, creator_id }: Work) =>
  db
    .selectFrom('reel_comments')
    .select(['id', 'person_id', 'text', 'created_at', 'thread_id'])
    .where('creator_id', '=', creator_id)
    .where('reel_id', '=', id);

/**
 * These comments with their authors, and whether the viewer sees them. The comments are read first, by themselves: on a cluster they are on one node, and
 * the people are elsewhere.
 */
function withAuthors(
  db: Kysely<Tables>,
  chosen: ReturnType<typeof commentsOf>,
  viewerId: string | undefined,
) {
  return db
    .with(
      (name) => name('c').materialized(),
      () => chosen,
    )
    .selectFrom('c')
    .leftJoin('people as p', 'p.id', 'c.person_id')
    .select(['c.id', 'c.person_id', 'p.username', 'p.picture_key', 'c.text', 'c.created_at', 'c.thread_id'])
    .select(
      sql<boolean>`p.id is not null and p.suspended_at is null and ${notBlocked(viewerId, 'c.person_id')}`.as(
        'is_shown',
      ),
    )
    .$narrowType<{ username: NotNull }>();
}

/** The author's comment on this reel with this id of the client; undefined if the id was used for another reel. */
export async function findComment(db: Kysely<Tables>, reel: Work, personId: string, sentAs: string) {
  const own = commentsOf(db, reel).where('person_id', '=', personId).where('sent_as', '=', sentAs);
  const row = await withAuthors(db, own, undefined).executeTakeFirst();
  return row?.is_shown ? row : undefined;
}

/** The creator of a reel, whether it is public, and how many comments it has. */
export async function findCommented(db: Kysely<Tables>, reelId: string, viewerId: string | undefined) {
  return await db
    .selectFrom('reels')
    .innerJoin('people', 'people.id', 'reels.creator_id')
    .select(['reels.id', 'reels.creator_id', 'reels.state', 'reels.taken_down_at', 'reels.comment_count'])
    .where('reels.creator_id', '=', (await creatorOf(db, reelId)) ?? null)
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
  reel: Work,
  personId: string,
  id: string,
): Promise<string | undefined> {
  const row = await withAuthors(db, commentsOf(db, reel).where('id', '=', id), personId).executeTakeFirst();
  return row?.is_shown ? (row.thread_id ?? row.id) : undefined;
}

/** Comments on a reel after the cursor, newest first, and after each its answers, oldest first. Ids grow with time. */
export async function listComments(
  db: Kysely<Tables>,
  { reel, viewerId }: { reel: Work; viewerId: string | undefined },
  limit: number,
  after: ThreadCursor | undefined,
) {
  const thread = sql<string>`coalesce(thread_id, id)`;
  let all = commentsOf(db, reel).orderBy(thread, 'desc').orderBy('id');
  if (after)
    all = all.where(
      sql<boolean>`${thread} <= ${after.thread} and (${thread} < ${after.thread} or id > ${after.id})`,
    );
  const { rows } = await fillPage(limit, async (most) => {
    const read = await withAuthors(db, all.limit(most), viewerId)
      .orderBy(sql`coalesce(c.thread_id, c.id)`, 'desc')
      .orderBy('c.id')
      .execute();
    return { rows: read.filter((row) => row.is_shown).slice(0, limit), read: read.length };
  });
  return rows;
}

/** The author of a comment, its reel and the reel's creator. Only the id is known, so a cluster asks all its nodes. */
export function whoseComment(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('reel_comments')
    .select(['id', 'person_id', 'reel_id', 'creator_id'])
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function deleteComment(
  db: Kysely<Tables>,
  { id, creator_id }: { id: string; creator_id: string },
): Promise<boolean> {
  const result = await db
    .deleteFrom('reel_comments')
    .where('creator_id', '=', creator_id)
    .where('id', '=', id)
    .executeTakeFirst();
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
  { id, creator_id }: Work,
  column: 'like_count' | 'comment_count' | 'share_count',
  by: 1 | -1,
) {
  await db
    .updateTable('reels')
    .set((eb) => ({ [column]: eb(column, '+', by) }))
    .where('creator_id', '=', creator_id)
    .where('id', '=', id)
    .execute();
}
