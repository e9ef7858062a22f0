import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { listOperatorsWho } from './operators.ts';

const listWhoSee = async (db: Kysely<Tables>) =>
  (await listOperatorsWho(db, 'moderator')).filter(({ seesChildren }) => seesChildren);

/** Whether an operator may see what shows a child. A command on the server may: who runs it can read the database. */
export async function seesChildren(db: Kysely<Tables>, operatorId: string | null): Promise<boolean> {
  return operatorId === null || (await listWhoSee(db)).some(({ id }) => id === operatorId);
}

/** Throws unless the operator may see what shows a child; the sentence names those who may. */
export async function mustSeeChildren(db: Kysely<Tables>, operatorId: string | null): Promise<void> {
  const all = await listWhoSee(db);
  if (operatorId === null || all.some(({ id }) => id === operatorId)) return;
  if (all.length === 0) throw new Refusal('not_allowed', { what: 'child_safety_nobody' });
  const usernames = all
    .slice(0, 24)
    .map(({ username }) => username)
    .join(', ');
  throw new Refusal('not_allowed', { what: 'child_safety', usernames });
}
