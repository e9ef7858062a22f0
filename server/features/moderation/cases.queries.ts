import {
  type Kysely,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import {
  type CaseKind,
  type CaseLanguage,
  type CaseReason,
  type CaseState,
  caseKinds,
  caseLanguages,
  type ListedCase,
  neverMuted,
} from '#contract/cases.ts';
import { mayShowChild } from '#contract/child-safety.ts';
import type { ReportKind, ReportOutcome } from '#contract/reports.ts';
import type { WorkLabel } from '#contract/site-rules.ts';
import type { Cursor } from '#server/platform/cursor.ts';
import { lockName } from '#server/platform/database/locks.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { countWaiting, type Waiting } from '#server/platform/database/waiting.ts';
import { creatorOf, type Work } from '../works/works.ts';

export type CaseRow = Selectable<Tables['cases']> & {
  claimed_name: string | null;
  /** What it is about: of an appeal what was decided about. */
  about_kind: ReportKind;
  about_id: string;
  /** Null if that was deleted. */
  state: ListedCase['state'] | null;
  label: WorkLabel | null;
};

/** Which cases: all of them by default, of a kind, in a language. `mine` are those that this operator has claimed at this time. */
export interface CaseFilters {
  state: CaseState;
  kind?: CaseKind | undefined;
  language?: CaseLanguage | undefined;
  operatorId: string | null;
  now: Date;
}

/** Undecided cases that wait for a decision of their own. */
const waits = sql`closed_at is null and merged_into is null`;
const queue = sql`${waits} and not is_muted`;

function inState({ state, operatorId, now }: Pick<CaseFilters, 'state' | 'operatorId' | 'now'>) {
  return {
    open: queue,
    mine: sql`closed_at is null and claimed_by = ${operatorId} and claimed_until > ${now}`,
    muted: sql`${waits} and is_muted`,
    decided: sql`closed_at is not null`,
  }[state];
}

/** A page of cases after the cursor: undecided ones by their deadline, decided ones the last first. */
export async function listCases(
  db: Kysely<Tables>,
  { state, kind, language, operatorId, now }: CaseFilters,
  limit: number,
  after: Cursor | undefined,
): Promise<CaseRow[]> {
  const isDecided = state === 'decided';
  const order = isDecided ? sql`closed_at desc, id desc` : sql`due_at, id`;
  const filters = [
    inState({ state, operatorId, now }),
    ...(kind ? [sql`kind = ${kind}`] : []),
    ...(language ? [sql`language = ${language}`] : []),
    ...(after && isDecided ? [sql`(closed_at, id) < (${after.at}, ${after.id})`] : []),
    ...(after && !isDecided ? [sql`(due_at, id) > (${after.at}, ${after.id})`] : []),
  ];
  const { rows } = await sql<CaseRow>`
    ${shown(sql`select * from cases where ${sql.join(filters, sql` and `)} order by ${order} limit ${limit}`)}
    order by ${sql.raw(isDecided ? 'c.closed_at desc, c.id desc' : 'c.due_at, c.id')}`.execute(db);
  return rows;
}

export async function findCase(db: Kysely<Tables>, id: string): Promise<CaseRow | undefined> {
  const { rows } = await sql<CaseRow>`${shown(sql`select * from cases where id = ${id}`)}`.execute(db);
  return rows[0];
}

/** Cases with the name of who has claimed them, and the state of what they are about. */
const shown = (chosen: ReturnType<typeof sql>) => {
  const these = (kind: ReportKind) =>
    sql`id = any(array(select about_id from c where about_kind = ${sql.lit(kind)}))`;
  return sql`
    with c as materialized (
      select chosen.*, claimer.username as claimed_name, coalesce(decisions.kind, chosen.kind) as about_kind,
        coalesce(decisions.target_id, chosen.target_id) as about_id
      from (${chosen}) chosen
      left join decisions on chosen.kind = 'appeal' and decisions.id = chosen.target_id
      left join people claimer on claimer.id = chosen.claimed_by
    ),
    about as materialized (
      select 'reel' as kind, id, creator_id as owner_id, state = 'ready' as is_ready, taken_down_at, label from reels
      where ${these('reel')} and deleted_at is null
      union all
      select 'post', id, creator_id, true, taken_down_at, label from posts where ${these('post')} and deleted_at is null
      union all
      select 'story', id, creator_id, true, taken_down_at, null from stories where ${these('story')} and deleted_at is null
      union all
      select 'person', id, id, true, null, null from people where ${these('person')}
    )
    select c.*, about.label, case
      when c.about_kind = 'comment' then
        case when text_of_comment(c.about_id, creator_of((c.evidence ->> 'reelId')::uuid)) is not null then 'public' end
      when owner.id is null then null
      when not about.is_ready then 'hidden'
      when about.taken_down_at is not null then 'taken_down'
      when owner.suspended_at is not null then 'hidden' else 'public' end as state
    from c left join about on about.kind = c.about_kind and about.id = c.about_id
    left join people owner on owner.id = about.owner_id`;
};

/** An operator who reads the cases of a person. */
export interface Reader {
  operatorId: string | null;
  seesChildren: boolean;
}

/** The newest cases about a person, their works and their comments. */
export async function listCasesAbout(
  db: Kysely<Tables>,
  personId: string,
  reader: Reader,
  limit: number,
): Promise<CaseRow[]> {
  const { rows } = await sql<CaseRow>`
    ${shown(sql`select * from cases where ${isAbout(personId)} and ${isFor(reader)} order by opened_at desc, id desc limit ${limit}`)}
    order by c.opened_at desc, c.id desc`.execute(db);
  return rows;
}

/** The newest cases that a person has reported, without those about the operator who reads them. */
export async function listCasesBy(
  db: Kysely<Tables>,
  personId: string,
  reader: Reader,
  limit: number,
): Promise<CaseRow[]> {
  const { rows } = await sql<CaseRow>`
    ${shown(sql`select cases.* from (${reportsBy(personId)} order by created_at desc, id desc limit ${limit}) r
      join cases on cases.id = case_id where (${isAbout(reader.operatorId)}) is not true and ${isFor(reader)}`)}
    order by c.opened_at desc, c.id desc`.execute(db);
  return rows;
}

const isAbout = (personId: string | null) => sql<boolean>`evidence ->> 'ownerId' = ${personId}`;
/** What may show a child is not listed beside its owner for operators who may not see that. */
const isFor = ({ seesChildren }: Reader) =>
  seesChildren ? sql`true` : sql`not 'child_safety' = any(reasons)`;
const reportsBy = (personId: string) =>
  sql`select case_id, created_at, id from reports where reporter_id = ${personId}`;

/** How many cases are about a person, and how many others they have reported, each counted up to this number. */
export async function countCasesOf(
  db: Kysely<Tables>,
  personId: string,
  reader: Reader,
  most: number,
): Promise<{ about: number; reported: number }> {
  const { rows } = await sql<{ about: number; reported: number }>`select
    (select count(*)::int from (select from cases where ${isAbout(personId)} and ${isFor(reader)} limit ${most}) a) as about,
    (select count(*)::int from (select from (${reportsBy(personId)}) r
      join cases on cases.id = case_id
      where (${isAbout(reader.operatorId)}) is not true and ${isFor(reader)} limit ${most}) b) as reported`.execute(
    db,
  );
  return rows[0] ?? { about: 0, reported: 0 };
}

/**
 * Ids of the open cases that only this person has reported and that this operator may dismiss, oldest first. Excluded are cases with a legal
 * deadline, cases about the operator, cases claimed by another operator, and merged cases.
 */
export async function listDismissible(
  db: Kysely<Tables>,
  personId: string,
  { operatorId, now }: { operatorId: string | null; now: Date },
  most: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select cases.id from (${reportsBy(personId)}) r join cases on cases.id = case_id
    where closed_at is null and kind <> 'appeal' and report_count = 1 and not reasons && ${neverMuted}::text[]
      and (${isAbout(operatorId)}) is not true
      and (claimed_until is null or claimed_until <= ${now} or claimed_by is not distinct from ${operatorId})
      and merged_into is null and not exists (select from cases merged where merged.merged_into = cases.id)
    order by cases.id limit ${most}`.execute(db);
  return rows.map(({ id }) => id);
}

/** Locks those of these cases that no other transaction has locked; returns them. */
export async function lockFree(trx: Transaction<Tables>, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from cases where id = any(${ids}::uuid[])
    order by id for no key update skip locked`.execute(trx);
  return rows.map(({ id }) => id);
}

/** The newest reports of a case. */
export function listReportsOf(db: Kysely<Tables>, caseId: string, limit: number) {
  return db
    .selectFrom('reports')
    .leftJoin('people', 'people.id', 'reporter_id')
    .select(['reports.id', 'reason', 'text', 'contact', 'reports.created_at', 'username', 'reporter_id'])
    .where('case_id', '=', caseId)
    .orderBy('reports.created_at', 'desc')
    .orderBy('reports.id', 'desc')
    .limit(limit)
    .execute();
}

/** What a case is about: by its id, or by that of one of its reports. */
export function findTarget(db: Kysely<Tables>, id: string) {
  return db
    .selectFrom('cases')
    .select(['cases.id', 'kind', 'target_id', 'closed_at', 'closed_by'])
    .where((is) =>
      is.or([
        is('cases.id', '=', id),
        is('cases.id', '=', is.selectFrom('reports').select('case_id').where('reports.id', '=', id)),
      ]),
    )
    .executeTakeFirst();
}

const locked = [
  'id',
  'kind',
  'target_id',
  'evidence',
  'reasons',
  'taken_up_at',
  'claimed_by',
  'claimed_until',
  'closed_at',
  'closed_by',
  'report_count',
  'due_at',
  'merged_into',
  'is_muted',
] as const;

/**
 * The case with this id, or the open one about a thing; locks its row, after those that are merged into it: a report of one of them locks
 * in this order too.
 */
export async function lockCase(
  trx: Transaction<Tables>,
  which: { id: string } | { kind: ReportKind; targetId: string },
) {
  const query = trx.selectFrom('cases');
  const chosen =
    'id' in which
      ? query.where('id', '=', which.id)
      : query
          .where('kind', '=', which.kind)
          .where('target_id', '=', which.targetId)
          .where('closed_at', 'is', null);
  await query
    .select('id')
    .where('merged_into', 'in', chosen.select('id'))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return await chosen.select(locked).forNoKeyUpdate().executeTakeFirst();
}
export type LockedCase = NonNullable<Awaited<ReturnType<typeof lockCase>>>;

export function listOpenAbout(db: Kysely<Tables>, personIds: readonly string[]) {
  return db
    .selectFrom('cases')
    .select(['id', 'target_id'])
    .where('kind', '=', 'person')
    .where(sql<boolean>`target_id = any(${personIds}::uuid[])`)
    .where('closed_at', 'is', null)
    .execute();
}

export async function update(
  trx: Transaction<Tables>,
  id: string,
  values: Updateable<Tables['cases']>,
): Promise<void> {
  await trx.updateTable('cases').set(values).where('id', '=', id).execute();
}

/** Decides a case by itself, and the undecided ones that are merged into it. */
export async function decide(
  trx: Transaction<Tables>,
  id: string,
  values: Updateable<Tables['cases']>,
): Promise<void> {
  await trx
    .updateTable('cases')
    .set(values)
    .where('merged_into', '=', id)
    .where('closed_at', 'is', null)
    .execute();
  await update(trx, id, { ...values, merged_into: null });
}

/** Sets what the reporters of a decided case read, and those of the cases that were decided with it. */
export async function setOutcome(
  trx: Transaction<Tables>,
  id: string,
  outcome: ReportOutcome,
): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ outcome })
    .where((is) => is.or([is('id', '=', id), is('merged_into', '=', id)]))
    .execute();
}

/** Merges wait for each other until the end of the transaction: two at once could each merge the case of the other one that stays. */
export async function lockMerges(trx: Transaction<Tables>): Promise<void> {
  await lockName(trx, 'merges of cases');
}

/** Whether an undecided case about a person, their works or their comments is merged into this one. */
export async function hasMergedAbout(
  db: Kysely<Tables>,
  id: string,
  personId: string | null,
): Promise<boolean> {
  const { rows } = await sql`select from cases
    where merged_into = ${id} and closed_at is null and ${isAbout(personId)} limit 1`.execute(db);
  return rows.length > 0;
}

/**
 * Merges a case, with those that are merged into it, into another one, which has the earliest of their deadlines, and all of their reasons.
 * If one of them may show a child, that is noted on all.
 */
export async function merge(trx: Transaction<Tables>, id: string, into: string): Promise<void> {
  await trx
    .updateTable('cases')
    .set({ merged_into: into })
    .where((is) => is.or([is('id', '=', id), is('merged_into', '=', id)]))
    .where('closed_at', 'is', null)
    .execute();
  await update(trx, id, { claimed_by: null, claimed_until: null });
  await sql`update cases set due_at = least(cases.due_at, merged.due_at),
    is_muted = cases.is_muted and merged.is_muted,
    reasons = cases.reasons || array(select reason from unnest(merged.reasons) reason where reason <> all(cases.reasons))
    from cases merged
    where cases.id = ${into} and merged.id = ${id}`.execute(trx);
  const { reasons } = await trx
    .selectFrom('cases')
    .select('reasons')
    .where('id', '=', into)
    .executeTakeFirstOrThrow();
  if (mayShowChild({ reasons })) await noteChild(trx, into);
}

/** The newest cases that are merged into one. */
export async function listMerged(db: Kysely<Tables>, id: string, limit: number): Promise<CaseRow[]> {
  const { rows } = await sql<CaseRow>`
    ${shown(sql`select * from cases where merged_into = ${id} order by opened_at desc, id desc limit ${limit}`)}
    order by c.opened_at desc, c.id desc`.execute(db);
  return rows;
}

/** The undecided cases that are merged into one, with the state of what they are about. */
export async function listMergedOpen(trx: Transaction<Tables>, id: string): Promise<CaseRow[]> {
  const { rows } = await sql<CaseRow>`
    ${shown(sql`select * from cases where merged_into = ${id} and closed_at is null`)} order by c.id`.execute(
    trx,
  );
  return rows;
}

/** Cases of the queue whose deadline has passed, which are noted as told; none if some were told after `since`. */
export async function takeLate(trx: Transaction<Tables>, now: Date, since: Date) {
  const { rows } = await sql<Pick<CaseRow, 'id' | 'reasons'>>`
    update cases set told_late_at = ${now}
    where ${queue} and due_at <= ${now} and told_late_at is null
      and not exists (select from cases where told_late_at > ${since})
    returning id, reasons`.execute(trx);
  return rows;
}

/**
 * Notes that a case, and what is merged into it, is about what may show a child. Not on what another transaction has locked, which would lock
 * these rows in another order: it decides or merges that, and cannot without this case, which the caller has locked.
 */
export async function noteChild(trx: Transaction<Tables>, id: string): Promise<void> {
  const reason: CaseReason = 'child_safety';
  await sql`update cases set reasons = reasons || ${reason}::text
    where id in (
      select id from cases where (id = ${id} or merged_into = ${id}) and not ${reason} = any(reasons)
      order by id for no key update skip locked)`.execute(trx);
}

export async function findUsername(db: Kysely<Tables>, id: string): Promise<string> {
  const row = await db.selectFrom('people').select('username').where('id', '=', id).executeTakeFirst();
  return row?.username ?? '';
}

const tables = { reel: 'reels', post: 'posts', story: 'stories' } as const;

export async function findTakeDown(db: Kysely<Tables>, kind: keyof typeof tables, id: string) {
  const query = db
    .selectFrom(tables[kind])
    .select(['creator_id', 'taken_down_as', 'taken_down_reason'])
    .where('id', '=', id);
  const chosen = kind === 'story' ? query : query.where('creator_id', '=', (await creatorOf(db, id)) ?? null);
  return await chosen.executeTakeFirstOrThrow();
}

/** Sets the label of a work; false if that is its label already. */
export async function setLabel(
  trx: Transaction<Tables>,
  kind: 'reel' | 'post',
  { id, creator_id }: Work,
  label: WorkLabel | null,
): Promise<boolean> {
  await keepTablesInPlace(trx);
  const { numUpdatedRows: changed } = await trx
    .updateTable(tables[kind])
    .set({ label })
    .where('creator_id', '=', creator_id)
    .where('id', '=', id)
    .where('label', 'is distinct from', label)
    .executeTakeFirstOrThrow();
  return changed === 1n;
}

/** The cases of the queue, and the first deadline. */
export const countOpenCases = (db: Kysely<Tables>): Promise<Waiting> =>
  countWaiting(db, sql`select due_at as at from cases where ${queue}`);

/** How many undecided cases each filter has beside the other ones, each counted up to `most`. */
export async function countByFilter(
  db: Kysely<Tables>,
  { kind, language, operatorId, now }: Omit<CaseFilters, 'state'>,
  most: number,
): Promise<{ filter: string; value: string; count: number }[]> {
  const ofKind = kind ? [sql`kind = ${kind}`] : [];
  const inLanguage = language ? [sql`language = ${language}`] : [];
  const counted = (filter: string, value: string, conditions: RawBuilder<unknown>[], order: string) =>
    // By the order of an index: without one, a rare kind would be sought in all rows.
    sql`select ${filter} as filter, ${value} as value, (select count(*)::int from (
      select from cases where ${sql.join(conditions, sql` and `)} order by ${sql.raw(order)} limit ${most}) c) as count`;
  const states = (['open', 'mine', 'muted'] as const).map((state) =>
    counted(
      'state',
      state,
      [inState({ state, operatorId, now }), ...ofKind, ...inLanguage],
      orderBy(kind, language),
    ),
  );
  const kinds = caseKinds.map((value) =>
    counted('kind', value, [queue, sql`kind = ${value}`, ...inLanguage], 'kind, language, due_at'),
  );
  const languages = caseLanguages.map((value) =>
    counted('language', value, [queue, sql`language = ${value}`, ...ofKind], orderBy(kind, value)),
  );
  const all = sql.join([...states, ...kinds, ...languages], sql` union all `);
  return (await sql<{ filter: string; value: string; count: number }>`${all}`.execute(db)).rows;
}

/** The order of the index that has cases of this kind in this language. */
const orderBy = (kind: CaseKind | undefined, language: CaseLanguage | undefined): string =>
  kind ? 'kind, language, due_at' : language ? 'language, due_at' : 'due_at';
