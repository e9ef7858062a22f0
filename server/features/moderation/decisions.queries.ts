import {
  type Insertable,
  type Kysely,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely';
import type { CaseReason } from '#contract/cases.ts';
import type { SiteRule } from '#contract/site-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';

export async function insert(trx: Transaction<Tables>, row: Insertable<Tables['decisions']>): Promise<void> {
  await trx.insertInto('decisions').values(row).execute();
}

/** The decision with this key or id; locks its row. */
export function lock(trx: Transaction<Tables>, which: { key: string } | { id: string }) {
  const query = trx.selectFrom('decisions').selectAll();
  return ('key' in which ? query.where('key', '=', which.key) : query.where('id', '=', which.id))
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function update(
  trx: Transaction<Tables>,
  id: string,
  values: Updateable<Tables['decisions']>,
): Promise<void> {
  await trx.updateTable('decisions').set(values).where('id', '=', id).execute();
}

export function findByAppeal(db: Kysely<Tables>, caseId: string) {
  return db.selectFrom('decisions').selectAll().where('appeal_id', '=', caseId).executeTakeFirst();
}

/** The decision of a case, or against which the case is an appeal, with the name of the operator. */
export function findOfCase(db: Kysely<Tables>, caseId: string) {
  return db
    .selectFrom('decisions')
    .leftJoin('people', 'people.id', 'decided_by')
    .selectAll('decisions')
    .select('people.username as operator')
    .where((is) => is.or([is('case_id', '=', caseId), is('appeal_id', '=', caseId)]))
    .orderBy('decided_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** What says who has decided. */
export type Decided = Pick<
  Selectable<Tables['decisions']>,
  'id' | 'act' | 'until' | 'person_id' | 'decided_by' | 'decided_at'
>;

export function findByKey(db: Kysely<Tables>, key: string) {
  return db.selectFrom('decisions').selectAll().where('key', '=', key).executeTakeFirst();
}

/** What was decided about, by the decisions against a person, the newest first. */
export function listOfPerson(db: Kysely<Tables>, personId: string, limit: number) {
  return db
    .selectFrom('decisions')
    .select(['kind', 'target_id as id'])
    .where('person_id', '=', personId)
    .orderBy('decided_at', 'desc')
    .limit(limit)
    .execute();
}

/** A decision by the rule about children, or in a case about what may show one. */
const isOfChild = sql<boolean>`(rule = ${'child_safety' satisfies SiteRule} or exists (
  select from cases where cases.id = case_id and ${'child_safety' satisfies CaseReason} = any(reasons)))`;

/** Whether a decision is about what may show a child. */
export async function isDecidedOfChild(db: Kysely<Tables>, id: string): Promise<boolean> {
  const query = db.selectFrom('decisions').select('id').where('id', '=', id).where(isOfChild);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Whether such a decision is in force against a work or an account. */
export async function isHeldOfChild(db: Kysely<Tables>, targetId: string): Promise<boolean> {
  const row = await db
    .selectFrom('decisions')
    .select('id')
    .where('target_id', '=', targetId)
    .where('ended_at', 'is', null)
    .where(isOfChild)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether an undecided case about a work is about what may show a child. */
export async function isReportedOfChild(db: Kysely<Tables>, workId: string): Promise<boolean> {
  const { rows } = await sql`select from cases
    where kind in ('reel', 'post') and target_id = ${workId} and closed_at is null
      and ${'child_safety' satisfies CaseReason} = any(reasons) limit 1`.execute(db);
  return rows.length > 0;
}

/** Ends the decisions that are in force against a work or an account, but for labels. */
export async function end(trx: Transaction<Tables>, targetId: string, now: Date): Promise<void> {
  await trx
    .updateTable('decisions')
    .set({ ended_at: now })
    .where('target_id', '=', targetId)
    .where('ended_at', 'is', null)
    .where('act', '<>', 'label')
    .execute();
}

/** Ends the decision that has labelled a work. */
export async function endLabels(trx: Transaction<Tables>, targetId: string, now: Date): Promise<void> {
  await trx
    .updateTable('decisions')
    .set({ ended_at: now })
    .where('target_id', '=', targetId)
    .where('ended_at', 'is', null)
    .where('act', '=', 'label')
    .execute();
}

/** Ids of people whose suspension is over. */
export async function listOverdue(db: Kysely<Tables>, now: Date, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('decisions')
    .select('person_id')
    .where('until', '<=', now)
    .where('ended_at', 'is', null)
    .orderBy('until')
    .limit(limit)
    .execute();
  return rows.map(({ person_id: id }) => id);
}

/** Whether a suspension that is in force has passed its end. */
export async function isOverdue(db: Kysely<Tables>, personId: string, now: Date): Promise<boolean> {
  const { rows } = await sql`select from decisions
    where person_id = ${personId} and until <= ${now} and ended_at is null limit 1`.execute(db);
  return rows.length > 0;
}

/** When the suspension that is in force against a person ends by itself; null if it does not. */
export async function endOfSuspension(db: Kysely<Tables>, personId: string): Promise<Date | null> {
  const row = await db
    .selectFrom('decisions')
    .select('until')
    .where('target_id', '=', personId)
    .where('act', '=', 'suspend')
    .where('ended_at', 'is', null)
    .orderBy('decided_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.until ?? null;
}

export async function deleteOld(db: Kysely<Tables>, before: Date): Promise<void> {
  await db.deleteFrom('decisions').where('decided_at', '<', before).execute();
}
