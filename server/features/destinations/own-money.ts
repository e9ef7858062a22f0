import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import * as queries from './destination.queries.ts';

/*
 * Operators decide neither about their own money nor about money that goes to a destination which they have or had
 * (docs/decisions/0062-batches-and-attempts.md).
 */
type Money = { creator_id: string; fingerprint?: Buffer | null };

/** Finds whether money is an operator's own. Nothing belongs to a command on the server, which has no account. */
export async function ownMoneyOf(
  db: Kysely<Tables>,
  operatorId: string | null,
): Promise<(money: Money) => boolean> {
  const row = operatorId ? await queries.find(db, operatorId) : undefined;
  const own = [...(row?.earlier ?? []), ...(row?.fingerprint ? [row.fingerprint] : [])];
  return ({ creator_id, fingerprint }) =>
    creator_id === operatorId ||
    (fingerprint ? own.some((destination) => destination.equals(fingerprint)) : false);
}

/** Whether what this person earns is an operator's own money. */
export async function isPaidToOperator(
  db: Kysely<Tables>,
  operatorId: string | null,
  creatorId: string,
): Promise<boolean> {
  const isOwn = await ownMoneyOf(db, operatorId);
  const goesTo = await queries.find(db, creatorId);
  return isOwn({ creator_id: creatorId, fingerprint: goesTo?.fingerprint ?? null });
}
