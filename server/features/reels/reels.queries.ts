import { type Insertable, type Kysely, type QueryCreator, sql, type Transaction } from 'kysely';
import { type Embedded, embeddedAlone, embeddedInList } from '#contract/embedded-comments-and-people.ts';
import { type Reason, sentenceOf } from '#contract/sentences.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import { lockName } from '#server/platform/database/locks.ts';
import { notBlocked } from '#server/platform/database/not-blocked.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import { publicOnes, publicPage } from '#server/platform/database/shown-works.ts';
import type { Rendition, Tables, TakenDownAs } from '#server/platform/database/tables.ts';
import { countWaiting, type Waiting } from '#server/platform/database/waiting.ts';
import { unavailable } from '#server/platform/refusal.ts';
import { creatorOf, putWorks, type Work } from '../works/works.ts';

export interface CommentRow {
  id: string;
  person_id: string;
  username: string;
  picture_key: string | null;
  text: string;
  created_at: string;
  thread_id: string | null;
}

/** Those columns of a reel that lists and pages use. */
const columns = [
  ...(['id', 'creator_id', 'media_key', 'thumbnail_key', 'cover_key', 'caption', 'credit'] as const),
  ...(['source_url', 'categories', 'state', 'progress', 'failure', 'failure_reason', 'duplicate'] as const),
  ...(['sound_lost', 'placeholder', 'width', 'height', 'seconds', 'renditions', 'label', 'views'] as const),
  ...(['like_count', 'comment_count', 'share_count', 'uploaded_at', 'published_at', 'edited_at'] as const),
  ...(['taken_down_at', 'taken_down_as', 'taken_down_reason'] as const),
] as const;

/** Reels that are not deleted. */
const reels = (db: QueryCreator<Tables>) =>
  db.selectFrom('reels').select(columns).where('deleted_at', 'is', null);

type Reels = ReturnType<typeof reels>;

interface Showing {
  viewerId: string | undefined;
  embedded: Embedded;
  /** The latest first by this time; without it, in any order. */
  order?: 'published_at' | 'uploaded_at';
}

/**
 * Reels with their creators and the newest likes and comments, without those of people who are suspended, or blocked for the viewer. `choose` adds
 * conditions, order and limit. The first part is of reels alone, which a cluster reads from its nodes; people, and what the functions read for each reel,
 * are the second part.
 */
function show(db: Kysely<Tables>, { viewerId, embedded, order }: Showing, choose: (query: Reels) => Reels) {
  const query = db
    .with(
      (name) => name('shown').materialized(),
      (creator) => choose(reels(creator)),
    )
    .selectFrom('shown')
    .innerJoin('people', 'people.id', 'shown.creator_id')
    .selectAll('shown')
    .select([
      'people.username',
      'people.picture_key',
      sql<string[]>`case when shown.like_count = 0 then '{}' else newest_reel_likes(
        shown.id, shown.creator_id, ${viewerId ?? null}, ${embedded.people}) end`.as('likes'),
      sql<CommentRow[]>`case when shown.comment_count = 0 then '[]' else newest_comments(
        shown.id, shown.creator_id, ${viewerId ?? null}, ${embedded.comments}) end`.as('comments'),
      sql<{ language: string; key: string }[]>`captions_of(shown.id, shown.creator_id)`.as('captions'),
    ])
    .where('people.suspended_at', 'is', null)
    .where(notBlocked(viewerId, 'shown.creator_id'));
  return (order ? query.orderBy(`shown.${order}`, 'desc').orderBy('shown.id', 'desc') : query).execute();
}

export type ReelRow = Awaited<ReturnType<typeof show>>[number];

/** Public reels, newest first, after the cursor. */
export function listPublic(
  db: Kysely<Tables>,
  viewerId: string | undefined,
  limit: number,
  after: Cursor | undefined,
) {
  const page = publicPage('reel', viewerId, limit, after);
  return show(db, { viewerId, embedded: embeddedInList, order: 'published_at' }, (query) =>
    query.where(page),
  );
}

/** Reels of one person, newest upload first; for themselves including those that are not public. */
export function listOfCreator(
  db: Kysely<Tables>,
  { creatorId, viewerId }: { creatorId: string; viewerId: string | undefined },
  limit: number,
  after: Cursor | undefined,
) {
  const choose = (query: Reels) => {
    let page = query.where('creator_id', '=', creatorId);
    if (viewerId !== creatorId) page = page.where('state', '=', 'ready').where('taken_down_at', 'is', null);
    if (after) page = page.where(sql<boolean>`(uploaded_at, id) < (${after.at}, ${after.id})`);
    return page.orderBy('uploaded_at', 'desc').orderBy('id', 'desc').limit(limit);
  };
  return show(db, { viewerId, embedded: embeddedInList, order: 'uploaded_at' }, choose);
}

/** The public ones of these reels, in any order. */
export function listByIds(db: Kysely<Tables>, viewerId: string | undefined, ids: readonly string[]) {
  return show(db, { viewerId, embedded: embeddedInList }, (query) => query.where(publicOnes(ids)));
}

export async function findReel(db: Kysely<Tables>, id: string, viewerId: string | undefined) {
  const creatorId = await creatorOf(db, id);
  if (!creatorId) return undefined;
  const [reel] = await show(db, { viewerId, embedded: embeddedAlone }, (query) =>
    query.where('creator_id', '=', creatorId).where('id', '=', id),
  );
  return reel;
}

/** A reel of this creator. */
export async function findByMediaKey(db: Kysely<Tables>, creatorId: string, mediaKey: string) {
  const [reel] = await show(db, { viewerId: creatorId, embedded: embeddedAlone }, (query) =>
    query.where('creator_id', '=', creatorId).where('media_key', '=', mediaKey),
  );
  return reel;
}

/** A reel in any state, of which only the id is known. */
async function oneReel(db: Kysely<Tables>, id: string) {
  const creatorId = (await creatorOf(db, id)) ?? null;
  return db.selectFrom('reels').where('creator_id', '=', creatorId).where('id', '=', id);
}

const changedReel = (db: Kysely<Tables>, { id, creator_id }: Work) =>
  db.updateTable('reels').where('creator_id', '=', creator_id).where('id', '=', id);

export async function insertReel(trx: Transaction<Tables>, reel: Insertable<Tables['reels']>) {
  await keepTablesInPlace(trx);
  await trx.insertInto('reels').values(reel).execute();
  await putWorks(trx, 'reel', [reel]);
}

/**
 * Reads a reel in any state. Throws the Refusal `unavailable` if its row is missing beside the one in `works`: a node of a cluster failed between the two phases
 * of the commit, and shows it within a minute.
 */
export async function readReel(db: Kysely<Tables>, id: string) {
  const reel = await (await oneReel(db, id)).selectAll().executeTakeFirst();
  if (!reel && (await creatorOf(db, id))) throw unavailable('now');
  return reel;
}

/** Reads a reel in any state and locks the row. */
export async function lockReel(trx: Transaction<Tables>, id: string) {
  await keepTablesInPlace(trx);
  return await (await oneReel(trx, id)).selectAll().forNoKeyUpdate().executeTakeFirst();
}

/** The same, before deleting it: waits for watched views that are being recorded. */
export async function lockReelAndViews(trx: Transaction<Tables>, id: string) {
  await keepTablesInPlace(trx);
  return await (await oneReel(trx, id)).selectAll().forUpdate().executeTakeFirst();
}

/** Number of the creator's other reels that are not encoded yet. The lock prevents that two publications at once count the same. */
export async function countAhead(trx: Transaction<Tables>, creatorId: string, id: string): Promise<number> {
  await lockName(trx, `reels of ${creatorId}`);
  const { count } = await trx
    .selectFrom('reels')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('creator_id', '=', creatorId)
    .where('id', '!=', id)
    .where('state', '=', 'processing')
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function setProgress(db: Kysely<Tables>, reel: Work, progress: number) {
  await changedReel(db, reel).set({ progress }).where('state', '=', 'processing').execute();
}

export async function markReady(
  trx: Transaction<Tables>,
  reel: Work,
  made: {
    placeholder: string;
    width: number;
    height: number;
    seconds: number;
    renditions: Rendition[];
    duplicate: boolean;
    unpaid: 'too_short' | 'still' | null;
    sound_lost: boolean;
  },
  now: Date,
) {
  await changedReel(trx, reel)
    .set({ ...made, renditions: JSON.stringify(made.renditions), state: 'ready', published_at: now })
    .execute();
  await putWorks(trx, 'reel', [reel]);
}

/**
 * Marks a reel as failed; returns its creator and the key of its files, or undefined if it is no longer in processing.
 */
export function markFailed(db: Kysely<Tables>, reel: Work, reason: Reason) {
  return changedReel(db, reel)
    .set({ state: 'failed', failure: sentenceOf(reason), failure_reason: reason })
    .where('state', '=', 'processing')
    .returning(['creator_id', 'media_key'])
    .executeTakeFirst();
}

/** Puts a failed reel back into processing; returns its creator and the key of its file, or undefined if it has not failed. */
export function markRetried(trx: Transaction<Tables>, reel: Work) {
  return changedReel(trx, reel)
    .set({ state: 'processing', progress: null, failure: null, failure_reason: null })
    .where('state', '=', 'failed')
    .where('deleted_at', 'is', null)
    .returning(['creator_id', 'media_key'])
    .executeTakeFirst();
}

const standing = (db: Kysely<Tables>) =>
  db
    .selectFrom('reels')
    .select(['id', 'state', 'creator_id', 'caption', 'media_key', 'progress'])
    .select(['failure', 'failure_reason', 'uploaded_at'])
    .where('deleted_at', 'is', null);

/** These reels with the names of their creators, oldest first. */
const unfinished = (db: Kysely<Tables>, chosen: ReturnType<typeof standing>) =>
  db
    .with(
      (name) => name('r').materialized(),
      () => chosen,
    )
    .selectFrom('r')
    .innerJoin('people', 'people.id', 'r.creator_id')
    .selectAll('r')
    .select('username')
    .orderBy('uploaded_at')
    .orderBy('r.id');

export type UnfinishedRow = Awaited<ReturnType<typeof listUnfinished>>[number];

/** Reels in this state, oldest first, after the cursor. */
export function listUnfinished(
  db: Kysely<Tables>,
  state: 'failed' | 'processing',
  limit: number,
  after: Cursor | undefined,
) {
  let chosen = standing(db)
    // Said to the planner, which uses an index of this state alone.
    .where(sql<boolean>`state = ${sql.lit(state)}`)
    .orderBy('uploaded_at')
    .orderBy('id')
    .limit(limit);
  if (after) chosen = chosen.where(sql<boolean>`(uploaded_at, id) > (${after.at}, ${after.id})`);
  return unfinished(db, chosen).execute();
}

export async function findUnfinished(db: Kysely<Tables>, id: string) {
  const one = standing(db)
    .where('creator_id', '=', (await creatorOf(db, id)) ?? null)
    .where('id', '=', id)
    .where('state', '<>', 'ready');
  return await unfinished(db, one).executeTakeFirst();
}

export async function markDeleted(trx: Transaction<Tables>, reel: Work, now: Date) {
  await changedReel(trx, reel).set({ deleted_at: now }).execute();
  await putWorks(trx, 'reel', [reel]);
}

/** Changes what its owner can edit. */
export async function setWords(
  trx: Transaction<Tables>,
  reel: Work,
  words: { caption: string; credit: string; categories: string[] },
  now: Date,
) {
  await changedReel(trx, reel)
    .set({ ...words, edited_at: now })
    .execute();
  await putWorks(trx, 'reel', [reel]);
}

export async function setCover(
  db: Kysely<Tables>,
  reel: Work,
  { key, second, placeholder }: { key: string; second: number; placeholder: string },
) {
  await changedReel(db, reel).set({ cover_key: key, cover_second: second, placeholder }).execute();
}

/** Takes a reel down or restores it. */
export async function setTakenDown(
  trx: Transaction<Tables>,
  reel: Work,
  why: { at: Date; as: TakenDownAs; reason: string | null } | null,
) {
  await changedReel(trx, reel)
    .set({
      taken_down_at: why?.at ?? null,
      taken_down_as: why?.as ?? null,
      taken_down_reason: why?.reason ?? null,
    })
    .execute();
  await putWorks(trx, 'reel', [reel]);
}

export async function addToReelCount(db: Kysely<Tables>, creatorId: string, by: 1 | -1) {
  await db
    .updateTable('people')
    .set((eb) => ({ reel_count: eb('reel_count', '+', by) }))
    .where('id', '=', creatorId)
    .execute();
}

/** Prevents the deletion of a public reel during this transaction. Returns false if it is not public. */
export async function lockAgainstDeletion(db: Kysely<Tables>, id: string): Promise<boolean> {
  const row = await (await oneReel(db, id))
    .select('id')
    .where('state', '=', 'ready')
    .where('deleted_at', 'is', null)
    .where('taken_down_at', 'is', null)
    .forShare()
    .executeTakeFirst();
  return row !== undefined;
}

/** Reels that could not be processed, and since when the oldest waits. */
export const countFailedReels = (db: Kysely<Tables>): Promise<Waiting> =>
  countWaiting(db, sql`select uploaded_at as at from reels where state = 'failed' and deleted_at is null`);
