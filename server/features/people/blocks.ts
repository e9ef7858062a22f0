import type { Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import * as queries from './relations.queries.ts';

/** Refuses who is blocked by the owner of a thing; part of the transaction of the deed. An owner who is not here is not found. */
export async function refuseBlocked(
  trx: Transaction<Tables>,
  ownerId: string,
  personId: string,
): Promise<void> {
  const { here, blocked } = await queries.standing(trx, ownerId, personId);
  if (!here) throw notFound('This was not found.');
  if (blocked) throw new Refusal('blocked', 'You cannot do this: this person has blocked you.');
}

/** Blocks somebody: neither follows the other any longer. Twice is once. */
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

/** Blocks somebody no more. Twice is once. */
export const unblock = queries.deleteBlock;
