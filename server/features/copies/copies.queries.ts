import { type Insertable, type Kysely, type RawBuilder, sql, type Transaction } from 'kysely';
import { limits } from '#contract/limits.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import { isAmong } from '#server/platform/database/among-works.ts';
import { fillPage } from '#server/platform/database/fill-page.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Compared, Tables, TakenDownAs, WorkKind } from '#server/platform/database/tables.ts';
import { countWaiting, type Waiting } from '#server/platform/database/waiting.ts';
import { findCompared, listPrints, listWorksWithPrint, type PrintRow } from '../prints/prints.ts';
import { groupOf } from '../works/works.ts';

const columns = sql`creator_id, media_key, duplicate, published_at, deleted_at, taken_down_at, taken_down_as`;
/** The works that meet a condition, which a cluster only applies to each table by itself. */
const works = (chosen: RawBuilder<unknown>) => sql`(
  select id, 'reel' as kind, ${columns} from reels where ${chosen}
  union all select id, 'post', ${columns} from posts where ${chosen}
  union all select id, 'story', ${columns} from stories where ${chosen})`;
/** The condition of works of the creators and ids that these queries select. */
const amongWorks = (creatorIds: RawBuilder<unknown>, ids: RawBuilder<unknown>) =>
  sql`creator_id = any(array(${creatorIds})) and id = any(array(${ids}))`;

const tables = { reel: 'reels', post: 'posts', story: 'stories' } as const;

interface WorkOf {
  kind: WorkKind;
  id: string;
  creatorId: string;
}

/** Locks a work against its deletion and other decisions, and reads it as it then is. Watched views and likes that are being recorded are waited for. */
export async function lockWork(
  trx: Transaction<Tables>,
  { kind, id, creatorId }: WorkOf,
): Promise<{ deleted_at: Date | null; taken_down_as: TakenDownAs | null } | undefined> {
  await keepTablesInPlace(trx);
  return await trx
    .selectFrom(tables[kind])
    .select(['deleted_at', 'taken_down_as'])
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
}

/** Stores that a work is no copy. */
export async function setOwn(trx: Transaction<Tables>, { kind, id, creatorId }: WorkOf): Promise<void> {
  await trx
    .updateTable(tables[kind])
    .set({ duplicate: false })
    .where('creator_id', '=', creatorId)
    .where('id', '=', id)
    .execute();
}

/** What decides with which later works a work is compared. */
export interface Facts extends PrintRow {
  duplicate: boolean;
  published_at: Date;
  deleted_at: Date | null;
  taken_down_as: TakenDownAs | null;
  has_account: boolean;
}

/** All works of a creator by which something is recognized, the earliest first. */
export async function listWorksOf(trx: Transaction<Tables>, creatorId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${works(sql`creator_id = ${creatorId} and id = any(${await listWorksWithPrint(trx, creatorId)}::uuid[])`)} w
    order by published_at, id`.execute(trx);
  return rows.map(({ id }) => id);
}

/** Facts of these works, the earliest first. They contain the prints, which are large. */
export async function listFacts(trx: Transaction<Tables>, workIds: readonly string[]): Promise<Facts[]> {
  const prints = new Map((await listPrints(trx, workIds)).map((print) => [print.work_id, print]));
  const printed = [...prints].map(([id, { creator_id }]) => ({ id, creator_id }));
  const { rows } = await sql<Omit<Facts, keyof PrintRow> & { id: string }>`
    select id, duplicate, published_at, deleted_at, taken_down_as,
      exists (select from people where people.id = w.creator_id) as has_account
    from ${works(isAmong(groupOf(printed)))} w
    order by published_at, id`.execute(trx);
  return rows.flatMap(({ id, ...work }) => {
    const print = prints.get(id);
    return print ? [{ ...print, ...work }] : [];
  });
}

export async function insertCopy(
  trx: Transaction<Tables>,
  copy: Insertable<Tables['copies']>,
): Promise<void> {
  await trx.insertInto('copies').values(copy).execute();
}

export interface CopyRow {
  creator_id: string;
  username: string;
  work_id: string;
  kind: WorkKind;
  media_key: string;
  taken_down_as: TakenDownAs | null;
  deleted_at: Date | null;
  asked_at: Date | null;
  words: string;
  decided_at: Date | null;
  verdict: 'copy' | 'own' | null;
  reason: string | null;
  /** The earlier work, also if it is deleted. */
  original_id: string;
  original_kind: WorkKind;
  original_creator_id: string;
  /** Null if its account is deleted. */
  original_username: string | null;
  original_media_key: string;
  original_published_at: Date;
  original_deleted_at: Date | null;
  original_is_public: boolean;
}

/** These rows of `copies` with the copy, the original and their creators. */
const copies = (chosen: RawBuilder<unknown>, now: Date) => sql`
  with c as materialized (${chosen}),
  w as materialized (select * from ${works(amongWorks(sql`select creator_id from c`, sql`select work_id from c`))} w),
  o as materialized (select * from ${works(sql`id = any(array(select original_id from c))`)} o)
  select c.creator_id, p.username, c.work_id, c.kind, w.media_key, w.taken_down_as, w.deleted_at, c.asked_at, c.words,
    c.decided_at, c.verdict, c.reason,
    c.original_id, c.original_kind, o.creator_id as original_creator_id, op.username as original_username,
    o.media_key as original_media_key, o.published_at as original_published_at, o.deleted_at as original_deleted_at,
    o.deleted_at is null and o.taken_down_at is null and op.suspended_at is null
      and (o.kind <> 'story' or o.published_at > ${now}::timestamptz - ${`${limits.storyHours} hours`}::interval)
      as original_is_public
  from c
  join people p on p.id = c.creator_id
  join w on w.id = c.work_id
  join o on o.id = c.original_id
  left join people op on op.id = o.creator_id`;

/** Which of these works of a creator were taken for copies. */
export async function listCopies(
  db: Kysely<Tables>,
  { creatorId, ids }: { creatorId: string; ids: readonly string[] },
  now: Date,
): Promise<CopyRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<CopyRow>`
    ${copies(sql`select * from copies where creator_id = ${creatorId} and work_id = any(${ids}::uuid[])`, now)}`.execute(
    db,
  );
  return rows;
}

/** A work that was taken for a copy and is not deleted. */
export async function findCopy(db: Kysely<Tables>, workId: string, now: Date): Promise<CopyRow | undefined> {
  const { rows } = await sql<CopyRow>`
    ${copies(sql`select * from copies where work_id = ${workId}`, now)} where w.deleted_at is null`.execute(
    db,
  );
  return rows[0];
}

/** Works for which a review was requested, newest first, including decided ones unless only `open` ones are requested. */
export async function listReviewRequests(
  db: Kysely<Tables>,
  { which, now }: { which: 'open' | 'all'; now: Date },
  limit: number,
  after: Cursor | undefined,
): Promise<(CopyRow & { asked_at: Date })[]> {
  const { rows } = await fillPage(limit, async (newest) => {
    const asked = sql`
      select * from copies where asked_at is not null and (${which} = 'all' or decided_at is null)
        and (${after?.at ?? null}::timestamptz is null
          or (asked_at, work_id) < (${after?.at ?? null}::timestamptz, ${after?.id ?? null}::uuid))
      order by asked_at desc, work_id desc limit ${newest}`;
    const { rows: read } = await sql<CopyRow & { asked_at: Date }>`
      ${copies(asked, now)} order by c.asked_at desc, c.work_id desc`.execute(db);
    return { rows: read.filter((row) => !row.deleted_at).slice(0, limit), read: read.length };
  });
  return rows;
}

export async function setReviewRequest(
  trx: Transaction<Tables>,
  workId: string,
  words: string,
  now: Date,
): Promise<void> {
  await trx.updateTable('copies').set({ asked_at: now, words }).where('work_id', '=', workId).execute();
}

export interface Decision {
  verdict: 'copy' | 'own';
  reason: string;
  /** Null for a command on the server. */
  operatorId: string | null;
}

export async function setDecision(
  trx: Transaction<Tables>,
  workId: string,
  { verdict, reason, operatorId }: Decision,
  now: Date,
): Promise<void> {
  await trx
    .updateTable('copies')
    .set({ verdict, reason, decided_by: operatorId, decided_at: now })
    .where('work_id', '=', workId)
    .execute();
}

interface Original {
  work_id: string;
  creator_id: string;
  kind: WorkKind;
  compared: Compared | null;
}

/** Of what a work is a copy; undefined if it is none, or its account is deleted. */
export async function findOriginal(trx: Transaction<Tables>, workId: string): Promise<Original | undefined> {
  const { rows } = await sql<Omit<Original, 'compared'>>`
    with c as materialized (select original_id from copies where work_id = ${workId} and verdict is distinct from 'own')
    select id as work_id, creator_id, kind from ${works(sql`id = any(array(select original_id from c))`)} w`.execute(
    trx,
  );
  const [original] = rows;
  return original && { ...original, compared: await findCompared(trx, original.work_id) };
}

/** Makes the undecided copies of a work copies of another one. */
export async function moveCopies(
  trx: Transaction<Tables>,
  of: string,
  to: { work_id: string; kind: WorkKind },
): Promise<void> {
  await trx
    .updateTable('copies')
    .set({ original_id: to.work_id, original_kind: to.kind })
    .where('original_id', '=', of)
    .where('verdict', 'is', null)
    .execute();
}

/** The earliest public copy of a work by somebody else about which nobody has decided. */
export async function findEarliestCopy(
  trx: Transaction<Tables>,
  of: { work_id: string; creator_id: string },
): Promise<{ work_id: string; creator_id: string; kind: WorkKind } | undefined> {
  const { rows } = await sql<{ work_id: string; creator_id: string; kind: WorkKind }>`
    with c as materialized (
      select c.work_id, c.creator_id from copies c join people p on p.id = c.creator_id
      where p.suspended_at is null and c.original_id = ${of.work_id} and c.creator_id <> ${of.creator_id} and c.verdict is null)
    select id as work_id, creator_id, kind
    from ${works(amongWorks(sql`select creator_id from c`, sql`select work_id from c`))} w
    where deleted_at is null and taken_down_at is null order by published_at, id limit 1`.execute(trx);
  return rows[0];
}

/** Makes a copy an original: the undecided copies of other people are now copies of it. */
export async function replaceOriginal(
  trx: Transaction<Tables>,
  of: { work_id: string; creator_id: string },
  by: { work_id: string; kind: WorkKind },
): Promise<void> {
  await trx.deleteFrom('copies').where('work_id', '=', by.work_id).execute();
  await trx
    .updateTable('copies')
    .set({ original_id: by.work_id, original_kind: by.kind })
    .where('original_id', '=', of.work_id)
    .where('creator_id', '<>', of.creator_id)
    .where('verdict', 'is', null)
    .execute();
}

/** Copies of a work that wait for an operator. */
export async function listWaiting(trx: Transaction<Tables>, originalId: string): Promise<WorkOf[]> {
  const { rows } = await sql<WorkOf>`
    with c as materialized (select creator_id, work_id from copies where original_id = ${originalId})
    select kind, id, creator_id as "creatorId" from ${works(sql`
      ${amongWorks(sql`select creator_id from c`, sql`select work_id from c`)} and taken_down_as = 'waiting' and deleted_at is null`)} w
    order by id`.execute(trx);
  return rows;
}

export async function deleteCopiesOf(trx: Transaction<Tables>, creatorId: string): Promise<void> {
  await trx.deleteFrom('copies').where('creator_id', '=', creatorId).execute();
}

/** Undecided requests for a review: of works that are hidden until the decision, and of all others. */
export async function countReviewRequests(db: Kysely<Tables>): Promise<{ held: Waiting; copies: Waiting }> {
  const those = (isHeld: boolean) =>
    countWaiting(
      db,
      sql`
    with c as materialized (
      select creator_id, work_id, asked_at from copies where asked_at is not null and decided_at is null),
    w as materialized (select id from ${works(sql`
      ${amongWorks(sql`select creator_id from c`, sql`select work_id from c`)} and deleted_at is null
      and (taken_down_as is not distinct from 'waiting') = ${isHeld}`)} w)
    select asked_at as at from c join w on w.id = c.work_id`,
    );
  const [held, copies] = await Promise.all([those(true), those(false)]);
  return { held, copies };
}
