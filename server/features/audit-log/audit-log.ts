import type { Kysely, Transaction } from 'kysely';
import type { Act } from '#contract/acts.ts';
import type { Page } from '#contract/fields.ts';
import type { LoggedAct } from '#contract/operators.ts';
import type { SiteRule } from '#contract/site-rules.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound } from '#server/platform/refusal.ts';
import * as queries from './audit-log.queries.ts';

/** The operator, as named in the audit log. */
export interface Operator {
  /** Null for a command on the server, which needs no account. */
  id: string | null;
  name: string;
}

/** An operator with an account. */
export type OperatorAccount = Operator & { id: string };

export type { Act };

export interface Target {
  kind: string;
  id: string;
}

/** Logs an action of an operator, in the transaction that performs it, and only if something changes. */
export async function logAct(
  trx: Transaction<Tables>,
  operator: Operator,
  { act, target, details = {} }: { act: Act; target: Target; details?: Record<string, unknown> },
  now: Date,
): Promise<void> {
  await queries.insertAct(trx, {
    id: newId(now),
    operator_id: operator.id,
    operator: operator.name,
    act,
    target_kind: target.kind,
    target_id: target.id,
    details: JSON.stringify(details),
    acted_at: now,
  });
}

/** The details of the last time this was done to the target; undefined if it was never done. */
export const lastDetails = queries.lastDetails;

/** When another operator appointed this person; undefined if it was done on the server, without an account. */
export const appointedAt = (db: Kysely<Tables>, personId: string): Promise<Date | undefined> =>
  queries.lastByOperator(db, 'person.make-operator' satisfies Act, { kind: 'person', id: personId });

/** Lists the actions of operators, newest first. What is about a child has its details only for who may see that. */
export async function listLog(
  { db, config }: Context<'db' | 'config'>,
  { limit, cursor, ...filters }: Page & Omit<queries.ActFilters, 'timeZone'>,
  seesChildren: boolean,
): Promise<{ data: LoggedAct[]; nextCursor: string | null }> {
  const which = { ...filters, timeZone: config.timeZone };
  const rows = await queries.listActs(db, which, limit + 1, readCursor(cursor));
  const position = (row: queries.ActRow) => ({ at: row.acted_at, id: row.id });
  return pageOf(rows, limit, position, (row) => asLogged(row, seesChildren));
}

/** How many acts on a target are shown beside one of them, the newest. */
const shownBeside = 100;

/** One act, and the newest ones on the same target. */
export async function showAct(
  db: Kysely<Tables>,
  id: string,
  seesChildren: boolean,
): Promise<LoggedAct & { history: LoggedAct[] }> {
  const row = await queries.findAct(db, id);
  if (!row) throw notFound('act');
  const target = { kind: row.target_kind, id: row.target_id };
  const history = await listActsOn(db, [target], shownBeside, seesChildren);
  return { ...asLogged(row, seesChildren), history };
}

/** The newest acts on these targets, newest first. */
export async function listActsOn(
  db: Kysely<Tables>,
  targets: readonly Target[],
  limit: number,
  seesChildren = false,
): Promise<LoggedAct[]> {
  return (await queries.listActsOn(db, targets, limit)).map((row) => asLogged(row, seesChildren));
}

/** Whether an act is about a case of this kind, or a decision by this rule. */
export const isOfChild = ({ childCase, rule }: queries.ActRow['details']): boolean =>
  childCase === true || rule === ('child_safety' satisfies SiteRule);

const asLogged = (row: queries.ActRow, seesChildren: boolean): LoggedAct => ({
  _id: row.id,
  operatorId: row.operator_id,
  operator: row.operator,
  act: row.act,
  targetKind: row.target_kind,
  targetId: row.target_id,
  details: isOfChild(row.details) && !seesChildren ? {} : row.details,
  createdAt: row.acted_at.toISOString(),
});

export const lastBackup = queries.lastBackup;
