import { type Insertable, type Kysely, sql, type Transaction } from 'kysely';
import type { CaseReason } from '#contract/cases.ts';
import type { ReportKind } from '#contract/reports.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { creatorOf } from '../works/works.ts';
import { noteChild } from './cases.queries.ts';

export interface ReportedThing {
  owner_id: string;
  owner: string;
  words: string;
  more: string;
  media_key: string | null;
  cover_key: string | null;
  reel_id: string | null;
}

/** The thing to report or to decide about; undefined if there is none, or if it is hidden from everybody, unless `hiddenToo`. */
export async function findThing(
  db: Kysely<Tables>,
  kind: ReportKind,
  id: string,
  hiddenToo = false,
): Promise<ReportedThing | undefined> {
  const isShown = (column: 'taken_down_at' | 'owner.suspended_at') =>
    hiddenToo ? sql`true` : sql`${sql.ref(column)} is null`;
  const creatorId = kind === 'reel' || kind === 'post' ? ((await creatorOf(db, id)) ?? null) : null;
  // Of a comment only the id is known, so a cluster asks all its nodes.
  const { rows } = await sql<ReportedThing>`
    select owner.id as owner_id, owner.username as owner, thing.* from (
      select creator_id, caption as words, '' as more, media_key, cover_key, null::uuid as reel_id from reels
      where ${kind} = 'reel' and creator_id = ${creatorId} and id = ${id} and deleted_at is null and ${isShown('taken_down_at')}
      union all
      select creator_id, caption, description, media_key, null, null from posts
      where ${kind} = 'post' and creator_id = ${creatorId} and id = ${id} and deleted_at is null and ${isShown('taken_down_at')}
      union all
      select creator_id, status_text, '', media_key, null, null from stories
      where ${kind} = 'story' and id = ${id} and deleted_at is null and ${isShown('taken_down_at')}
      ${kind === 'comment' ? sql`union all select person_id, text, '', null, null, reel_id from reel_comments where id = ${id}` : sql``}
      union all
      select id, name, '', picture_key, null, null from people where ${kind} = 'person' and id = ${id}
    ) thing (owner_id, words, more, media_key, cover_key, reel_id)
    join people owner on owner.id = thing.owner_id and ${isShown('owner.suspended_at')}`.execute(db);
  return rows[0];
}

/** The open case about a thing, made if there is none; locks its row. */
export async function openCase(
  trx: Transaction<Tables>,
  about: Omit<Insertable<Tables['cases']>, 'reasons' | 'report_count'>,
): Promise<string> {
  const { id } = await trx
    .insertInto('cases')
    .values({ ...about, reasons: [], report_count: 0 })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'target_id'])
        .where('closed_at', 'is', null)
        .doUpdateSet({ kind: about.kind }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Opens the case of an appeal. */
export async function openAppealCase(
  trx: Transaction<Tables>,
  row: Insertable<Tables['cases']>,
): Promise<void> {
  await trx.insertInto('cases').values(row).execute();
}

/** Stores a report, unless one has its number, or one of the same case is by the same person; returns whether it did. */
export async function insertReport(
  trx: Transaction<Tables>,
  report: Insertable<Tables['reports']>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: stored } = await trx
    .insertInto('reports')
    .values(report)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return stored === 1n;
}

/** Whether the reports of a person are muted at this time. */
export async function isMuted(db: Kysely<Tables>, personId: string, now: Date): Promise<boolean> {
  const { rows } =
    await sql`select from people where id = ${personId} and reports_muted_until > ${now}`.execute(db);
  return rows.length > 0;
}

/** Brings undecided cases that only this person has reported back to the queue, and those with which they are decided. */
export async function unmuteCases(trx: Transaction<Tables>, personId: string): Promise<void> {
  await sql`update cases set is_muted = false
    where is_muted and closed_at is null and id in (
      select coalesce(merged_into, id) from cases where id in (
        select case_id from reports where reporter_id = ${personId})
      union select case_id from reports where reporter_id = ${personId})`.execute(trx);
}

/**
 * Notes a report in its case, and counts it if it is a new one. Its reason, and unless it is muted its deadline, are also those of the case
 * with which that is decided. Without effect on what is decided.
 */
export async function noteReport(
  trx: Transaction<Tables>,
  caseId: string,
  { reason, dueAt, muted, isNew }: { reason: CaseReason; dueAt: Date; muted: boolean; isNew: boolean },
): Promise<void> {
  const seen = muted ? sql`is_muted = is_muted` : sql`due_at = least(due_at, ${dueAt}), is_muted = false`;
  const noted = sql`${seen}, reasons = case when ${reason} = any(reasons) then reasons else reasons || ${reason}::text end`;
  const { rows } = await sql<{ merged_into: string | null }>`
    update cases set report_count = report_count + ${isNew ? 1 : 0}, ${noted}
    where id = ${caseId} and closed_at is null returning merged_into`.execute(trx);
  const [row] = rows;
  if (!row) return;
  await sql`update cases set ${noted} where id = ${row.merged_into} and closed_at is null`.execute(trx);
  if (reason === 'child_safety') await noteChild(trx, row.merged_into ?? caseId);
}

/** A stored report of a thing: with this number, or an undecided one by the same person. */
export function findStored(
  db: Kysely<Tables>,
  about: { kind: ReportKind; target_id: string; reporter_id: string | null; number: string },
) {
  return db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'case_id')
    .select(['number', 'case_id', 'reasons'])
    .where('kind', '=', about.kind)
    .where('target_id', '=', about.target_id)
    .where((is) =>
      is.or([
        is('number', '=', about.number),
        is.and([is('reporter_id', '=', about.reporter_id), is('closed_at', 'is', null)]),
      ]),
    )
    .executeTakeFirst();
}

export function findByNumber(db: Kysely<Tables>, number: string) {
  return db
    .selectFrom('reports')
    .innerJoin('cases', 'cases.id', 'case_id')
    .leftJoin('cases as stays', 'stays.id', 'cases.merged_into')
    .select(['case_id', 'cases.reasons', 'cases.closed_at', 'cases.outcome'])
    .select(({ fn }) => fn.coalesce('cases.taken_up_at', 'stays.taken_up_at').as('taken_up_at'))
    .where('number', '=', number)
    .executeTakeFirst();
}

/** Deletes what was reported before, and cases without a later report. */
export async function deleteReports(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('reports').where('created_at', '<', before).execute();
  await db
    .deleteFrom('cases')
    .where('opened_at', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('reports').select('id').whereRef('case_id', '=', 'cases.id'))),
    )
    .execute();
}
