import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import type { Tables, WorkKind } from '#server/platform/database/tables.ts';

/** The number of the newest print. */
export async function lastNumber(db: Kysely<Tables>): Promise<number> {
  const row = await db
    .selectFrom('prints')
    .select((eb) => eb.fn.max('number').as('last'))
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** Serializes transactions until they end. */
export async function lockPrints(trx: Transaction<Tables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('prints', 0))`.execute(trx);
}

export interface Candidate {
  creator_id: string;
  work_id: string;
  kind: WorkKind;
  print: Buffer;
}

/** Maximum number of works found by one key: the earliest ones, if a song or a template is used by many. */
const worksOfKey = 64;

/**
 * Works that share a key of a search: this many for each search, those with the most keys first. One query, so that a print, which is
 * large, is read only once for all searches.
 */
export async function findCandidates(
  db: Kysely<Tables>,
  searches: readonly (readonly number[])[],
  limit: number,
): Promise<Candidate[]> {
  const places = searches.flatMap((keys, place) => keys.map(() => place));
  const { rows } = await sql<Candidate>`
    with shared as (
      select place, number, count(*) as keys
      from unnest(${searches.flat()}::bigint[], ${places}::int[]) wanted (key, place) cross join lateral (
        select number from print_keys where key = wanted.key order by number limit ${worksOfKey}
      ) one group by place, number
    ), ranked as (
      select number, place, row_number() over (partition by place order by keys desc, number) as rank from shared
    ), found as (
      select distinct on (number) number, place, rank from ranked where rank <= ${limit} order by number, place
    )
    select creator_id, work_id, kind, print from found join prints using (number) order by place, rank`.execute(
    db,
  );
  return rows;
}

/** Whether a work after this number shares a key. */
export async function hasNewer(
  trx: Transaction<Tables>,
  keys: readonly number[],
  after: number,
): Promise<boolean> {
  const { rows } = await sql<{ newer: boolean }>`
    select exists (select from print_keys where number > ${after} and key = any(${keys}::bigint[])) as newer`.execute(
    trx,
  );
  return rows[0]?.newer ?? false;
}

export async function insertPrint(
  trx: Transaction<Tables>,
  print: Insertable<Tables['prints']>,
  keys: readonly number[],
): Promise<void> {
  await trx.insertInto('prints').values(print).execute();
  await sql`
    insert into print_keys (key, number) select key, ${print.number}::bigint from unnest(${keys}::bigint[]) key`.execute(
    trx,
  );
}

const columns = sql`creator_id, media_key, sha256, duplicate, published_at, deleted_at, taken_down_at`;
const works = sql`(
  select id, 'reel' as kind, ${columns} from reels
  union all select id, 'post', ${columns} from posts
  union all select id, 'story', ${columns} from stories)`;

/**
 * Whether an operator took down a work `w`. A copy `c` that the server hid at its publication, and that no operator has decided about, is
 * recognized by its original.
 */
const byOperator = sql`(w.taken_down_at is not null
  and (c.decided_at is not null or c.asked_at is distinct from w.taken_down_at))`;

/** Whether an operator took down the work of a print. */
const isTakenDown = sql<boolean>`exists (
  select from ${works} w left join copies c on c.creator_id = w.creator_id and c.work_id = w.id
  where w.creator_id = prints.creator_id and w.id = prints.work_id and ${byOperator})`;

/** Stores that the owner deleted a work, whose row is locked. The print of a work that is taken down then stays. */
export async function markDeleted(
  trx: Transaction<Tables>,
  { creatorId, workId }: { creatorId: string; workId: string },
  now: Date,
): Promise<void> {
  await trx
    .updateTable('prints')
    .set({ deleted_at: now })
    .where('creator_id', '=', creatorId)
    .where('work_id', '=', workId)
    .where(sql<boolean>`not ${isTakenDown}`)
    .execute();
}

export interface StoredPrint {
  number: number;
  print: Buffer;
}

/** Prints of one creator's works that are not taken down, or of works that were deleted before a month, YYYY-MM. */
export function listPrints(
  trx: Transaction<Tables>,
  which: { creatorId: string } | { deletedBefore: string; timeZone: string },
  limit: number,
): Promise<StoredPrint[]> {
  const prints = trx.selectFrom('prints').select(['number', 'print']).limit(limit);
  return 'creatorId' in which
    ? prints.where('creator_id', '=', which.creatorId).where(sql<boolean>`not ${isTakenDown}`).execute()
    : prints
        .where(
          sql<boolean>`deleted_at < (${which.deletedBefore} || '-01')::timestamp at time zone ${which.timeZone}`,
        )
        .execute();
}

export async function deletePrint(
  trx: Transaction<Tables>,
  number: number,
  keys: readonly number[],
): Promise<void> {
  await sql`delete from print_keys where key = any(${keys}::bigint[]) and number = ${number}`.execute(trx);
  await trx.deleteFrom('prints').where('number', '=', number).execute();
}

export async function insertCopy(
  trx: Transaction<Tables>,
  copy: Insertable<Tables['copies']>,
): Promise<void> {
  await trx.insertInto('copies').values(copy).execute();
}

/**
 * Deletes what was found about a person's works. Of those that are taken down it stays, without what anybody wrote: it says whether they
 * are copies, and of whose work.
 */
export async function deleteCopiesOf(trx: Transaction<Tables>, creatorId: string): Promise<void> {
  await sql`
    delete from copies c where creator_id = ${creatorId} and not exists (
      select from ${works} w where w.creator_id = c.creator_id and w.id = c.work_id and w.taken_down_at is not null)`.execute(
    trx,
  );
  await trx
    .updateTable('copies')
    .set({ words: '', reason: null })
    .where('creator_id', '=', creatorId)
    .execute();
}

/** Deletes what was found about a work whose account is deleted. */
export async function deleteCopyOfDeleted(
  trx: Transaction<Tables>,
  { creatorId, workId }: Which,
): Promise<void> {
  await sql`
    delete from copies where creator_id = ${creatorId} and work_id = ${workId}
      and not exists (select from people where id = ${creatorId})`.execute(trx);
}

export interface CopyRow {
  creator_id: string;
  username: string;
  work_id: string;
  kind: WorkKind;
  media_key: string;
  /** Whether it counts as a copy: false once an operator has decided that it is none. */
  duplicate: boolean;
  taken_down_at: Date | null;
  deleted_at: Date | null;
  asked_at: Date | null;
  words: string;
  decided_at: Date | null;
  verdict: 'copy' | 'own' | null;
  reason: string | null;
  /** The earlier work, if it still exists or is taken down; the latter also without its creator. */
  original_id: string | null;
  original_kind: WorkKind | null;
  original_creator_id: string | null;
  original_username: string | null;
  original_media_key: string | null;
  original_is_public: boolean | null;
  original_taken_down_at: Date | null;
}

/** Joins the earlier work `o` of a copy `c`. One that is taken down stays the original after its deletion. */
const isOriginal = sql`o.id = c.original_id and o.kind = c.original_kind
  and (o.deleted_at is null or o.taken_down_at is not null)`;

const copies = (now: Date) => sql`
  select c.creator_id, p.username, c.work_id, c.kind, w.media_key, w.duplicate, w.taken_down_at, w.deleted_at, c.asked_at, c.words,
    c.decided_at, c.verdict, c.reason,
    o.id as original_id, o.kind as original_kind, o.creator_id as original_creator_id, op.username as original_username,
    o.media_key as original_media_key, o.taken_down_at as original_taken_down_at,
    o.taken_down_at is null and op.suspended_at is null
      and (o.kind <> 'story' or o.published_at > ${now}::timestamptz - ${`${limits.storyHours} hours`}::interval)
      as original_is_public
  from copies c
  join people p on p.id = c.creator_id
  join ${works} w on w.id = c.work_id and w.kind = c.kind
  left join ${works} o on ${isOriginal}
  left join people op on op.id = o.creator_id`;

/** Which of these works of a creator were found to be copies. */
export async function listCopies(
  db: Kysely<Tables>,
  { creatorId, ids }: { creatorId: string; ids: readonly string[] },
  now: Date,
): Promise<CopyRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<CopyRow>`
    ${copies(now)} where c.creator_id = ${creatorId} and c.work_id = any(${ids}::uuid[])`.execute(db);
  return rows;
}

/** Works for which a review was requested, newest first, including decided ones unless only `open` ones are requested. */
export async function listReviewRequests(
  db: Kysely<Tables>,
  { which, now }: { which: 'open' | 'all'; now: Date },
  limit: number,
  after: Cursor | undefined,
): Promise<(CopyRow & { asked_at: Date })[]> {
  const { rows } = await sql<CopyRow & { asked_at: Date }>`
    ${copies(now)}
    where c.asked_at is not null and w.deleted_at is null and (${which} = 'all' or c.decided_at is null)
      and (${after?.at ?? null}::timestamptz is null
        or (c.asked_at, c.work_id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
    order by c.asked_at desc, c.work_id desc limit ${limit}`.execute(db);
  return rows;
}

/** The creator of this work; undefined if it does not exist, or was never taken for a copy. */
export async function creatorOf(db: Kysely<Tables>, workId: string): Promise<string | undefined> {
  const { rows } = await sql<{ creator_id: string }>`
    select w.creator_id from ${works} w join copies c on c.creator_id = w.creator_id and c.work_id = w.id
    where w.id = ${workId}`.execute(db);
  return rows[0]?.creator_id;
}

interface Which {
  creatorId: string;
  workId: string;
}

export function lockCopy(trx: Transaction<Tables>, { creatorId, workId }: Which) {
  return trx
    .selectFrom('copies')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .where('work_id', '=', workId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function setReviewRequest(
  trx: Transaction<Tables>,
  { creatorId, workId }: Which,
  words: string,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('copies')
    .set({ asked_at: now, words })
    .where('creator_id', '=', creatorId)
    .where('work_id', '=', workId)
    .execute();
}

export interface Decision {
  verdict: 'copy' | 'own';
  reason: string;
  /** Null for a command on the server. */
  operatorId: string | null;
}

export async function setDecision(
  trx: Transaction<Tables>,
  { creatorId, workId }: Which,
  { verdict, reason, operatorId }: Decision,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('copies')
    .set({ verdict, reason, decided_by: operatorId, decided_at: now })
    .where('creator_id', '=', creatorId)
    .where('work_id', '=', workId)
    .execute();
}

export interface Root {
  kind: WorkKind;
  id: string;
  creator_id: string;
  /** Whether an operator took down this work, or the one of which it is the original. */
  withheld: boolean;
}

/**
 * Whether copies of `w` wait for an operator if this person publishes them: its original was taken down, or `w` itself was, and not as
 * another person's copy of this person's public work.
 */
const isWithheldFrom = (publisherId: string) => sql`(o.taken_down_at is not null or (${byOperator}
  and (o.creator_id is distinct from ${publisherId} or w.creator_id = ${publisherId})))`;

/** Works `w`, each with the earlier work of which it was found to be a copy, or with itself. */
const roots = (publisherId: string) => sql`
  select coalesce(o.kind, w.kind) as kind, coalesce(o.id, w.id) as id, coalesce(o.creator_id, w.creator_id) as creator_id,
    ${isWithheldFrom(publisherId)} as withheld
  from ${works} w
  left join copies c on c.creator_id = w.creator_id and c.work_id = w.id and c.verdict is distinct from 'own'
  left join ${works} o on ${isOriginal}`;

/** The earlier work of which a work was found to be a copy, or the work itself. `withheld` is for this publisher. */
export async function rootOf(
  trx: Transaction<Tables>,
  { creatorId, workId }: Which,
  publisherId: string,
): Promise<Root | undefined> {
  const { rows } = await sql<Root>`
    ${roots(publisherId)} where w.creator_id = ${creatorId} and w.id = ${workId}`.execute(trx);
  return rows[0];
}

/** The same for the first work with these bytes that an operator took down. */
export async function takenDownRootOf(
  db: Kysely<Tables>,
  sha256: Buffer,
  publisherId: string,
): Promise<Root | undefined> {
  const { rows } = await sql<Root>`
    ${roots(publisherId)} where w.sha256 = ${sha256} and w.taken_down_at is not null and ${isWithheldFrom(publisherId)}
    order by w.id limit 1`.execute(db);
  return rows[0];
}
