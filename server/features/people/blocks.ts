import type { Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import * as queries from './relations.queries.ts';

/**
 * Refuses a person whom the owner of some content has blocked, in the transaction of the action. A suspended or
 * deleted owner is answered as not found.
 */
export async function refuseBlocked(
  trx: Transaction<Tables>,
  ownerId: string,
  personId: string,
): Promise<void> {
  const { here, blocked } = await queries.standing(trx, ownerId, personId);
  if (!here) throw notFound('This was not found.');
  if (blocked) throw new Refusal('blocked', 'You cannot do this: this person has blocked you.');
}

/** Blocks a person and ends follows in both directions. Blocking twice has no further effect. */
export async function block(
  { db, clock }: Context<'db' | 'clock'>,
  blockerId: string,
  blockedId: string,
): Promise<void> {
  if (blockerId === blockedId) throw new Refusal('invalid_input', 'You cannot block yourself.');
  await inTransaction(db, async (trx) => {
    if (!(await queries.lockPair(trx, blockerId, blockedId)).has(blockedId)) throw notFound('User not found');
    await queries.insertBlock(trx, blockerId, blockedId, clock());
    await queries.endFollow(trx, blockerId, blockedId);
    await queries.endFollow(trx, blockedId, blockerId);
  });
}

/** Ends a block. Unblocking twice has no further effect. */
export const unblock = queries.deleteBlock;
