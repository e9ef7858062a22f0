import type { Kysely, Transaction } from 'kysely';
import type { Act } from '#contract/acts.ts';
import type { Page } from '#contract/fields.ts';
import type { LoggedAct } from '#contract/operators.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
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

/** Lists the actions of operators, newest first. */
export async function listLog(
  db: Kysely<Tables>,
  page: Page,
): Promise<{ data: LoggedAct[]; nextCursor: string | null }> {
  const rows = await queries.listActs(db, page.limit + 1, readCursor(page.cursor));
  const position = (row: queries.ActRow) => ({ at: row.acted_at, id: row.id });
  return pageOf(rows, page.limit, position, asLogged);
}

/** The newest acts on these targets, newest first. */
export async function listActsOn(
  db: Kysely<Tables>,
  targets: readonly Target[],
  limit: number,
): Promise<LoggedAct[]> {
  return (await queries.listActsOn(db, targets, limit)).map(asLogged);
}

const asLogged = (row: queries.ActRow): LoggedAct => ({
  _id: row.id,
  operatorId: row.operator_id,
  operator: row.operator,
  act: row.act,
  targetKind: row.target_kind,
  targetId: row.target_id,
  details: row.details,
  createdAt: row.acted_at.toISOString(),
});

export const lastBackup = queries.lastBackup;
