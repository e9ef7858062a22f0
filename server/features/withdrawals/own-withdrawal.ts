import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { isPaidToOperator, ownMoneyOf } from '../destinations/own-money.ts';
import { attemptsOf } from './attempts.ts';

/** Throws if a withdrawal is the operator's own, or if it was paid, or would be paid, to a destination of theirs. */
export async function mustNotBeOwn(
  db: Kysely<Tables>,
  withdrawal: { id: string; creator_id: string },
  operatorId: string | null,
): Promise<void> {
  if (operatorId === null) return;
  const isOwn = await ownMoneyOf(db, operatorId);
  const attempts = (await attemptsOf(db, [withdrawal])).get(withdrawal.id) ?? [];
  if ((await isPaidToOperator(db, operatorId, withdrawal.creator_id)) || attempts.some(isOwn))
    throw ownWithdrawal();
}

export const ownWithdrawal = () => new Refusal('own_withdrawal', { what: 'withdrawal' });
