import type { Kysely } from 'kysely';
import { rolesThatMay } from '#contract/roles.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';

const moderators = (db: Kysely<Tables>) =>
  db
    .selectFrom('people')
    .where('role', '=', 'operator')
    .where('operator_role', 'in', rolesThatMay('moderator'));

const whoMay = (db: Kysely<Tables>) => moderators(db).select('username').where('child_safety', '=', true);

/** Everybody who decides cases. */
export const listModerators = (db: Kysely<Tables>) =>
  moderators(db).select(['id', 'child_safety as seesChildren']).orderBy('id').execute();

/** Whether an operator may see what shows a child. A command on the server may: who runs it can read the database. */
export async function seesChildren(db: Kysely<Tables>, operatorId: string | null): Promise<boolean> {
  if (operatorId === null) return true;
  return (await whoMay(db).where('id', '=', operatorId).executeTakeFirst()) !== undefined;
}

/** Throws unless the operator may see what shows a child; the sentence names those who may. */
export async function mustSeeChildren(db: Kysely<Tables>, operatorId: string | null): Promise<void> {
  if (await seesChildren(db, operatorId)) return;
  const others = await whoMay(db).orderBy('username_key').limit(24).execute();
  if (others.length === 0) throw new Refusal('not_allowed', { what: 'child_safety_nobody' });
  const usernames = others.map(({ username }) => username).join(', ');
  throw new Refusal('not_allowed', { what: 'child_safety', usernames });
}
