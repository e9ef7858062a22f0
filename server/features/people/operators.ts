import type { Kysely } from 'kysely';
import { type NeededRole, rolesThatMay } from '#contract/roles.ts';
import type { Tables } from '#server/platform/database/tables.ts';

interface OperatorOfRole {
  id: string;
  username: string;
  /** Whether they may see what shows a child. */
  seesChildren: boolean;
}

/** Operators who may make calls of this role, by username. They are few, so callers choose among them. */
export async function listOperatorsWho(db: Kysely<Tables>, may: NeededRole): Promise<OperatorOfRole[]> {
  return await db
    .selectFrom('people')
    .select(['id', 'username', 'child_safety as seesChildren'])
    .where('role', '=', 'operator')
    .where('operator_role', 'in', rolesThatMay(may))
    .where('suspended_at', 'is', null)
    .orderBy('username_key')
    .execute();
}
