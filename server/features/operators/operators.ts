import type { Kysely } from 'kysely';
import { isolated } from '#contract/text-direction.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Caller } from '#server/platform/route.ts';
import type { Operator, OperatorAccount } from '../audit-log/audit-log.ts';
import { foldCase } from '../people/fold-case.ts';
import * as queries from './operators.queries.ts';

/** The operator who sends a request. */
export async function operatorOf(db: Kysely<Tables>, { id }: Caller): Promise<OperatorAccount> {
  const row = await queries.findPerson(db, { id });
  if (row?.role !== 'operator') throw new Refusal('not_allowed', { what: 'operators' });
  return { id, name: row.username };
}

/** Payments are made by operators with an account. */
export function accountOf({ id, name }: Operator): OperatorAccount {
  if (id === null) throw new Refusal('not_allowed', { what: 'operators' });
  return { id, name };
}

export const hasOperators = queries.hasOperators;

export const isOperator = async (db: Kysely<Tables>, id: string): Promise<boolean> =>
  (await queries.findPerson(db, { id }))?.role === 'operator';

/** The operator with this username. */
export async function operatorNamed(db: Kysely<Tables>, username: string): Promise<OperatorAccount> {
  const row = await queries.findPerson(db, { usernameKey: foldCase(username.replace(/^@/, '')) });
  if (row?.role !== 'operator' || row.suspended_at)
    throw new Refusal('not_allowed', { what: 'not_operator', username: isolated(username) });
  return { id: row.id, name: row.username };
}
