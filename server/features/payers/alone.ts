import type { Kysely, Transaction } from 'kysely';
import { rupeesOf } from '#contract/earning-rules.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { appointedAt } from '../audit-log/audit-log.ts';
import { listOperatorsWho } from '../people/operators.ts';
import { sumAttempts, type WithdrawalKey } from '../withdrawals/attempts.ts';
import { unpaidByHand } from '../withdrawals/unpaid-by-hand.ts';
import * as queries from './alone.queries.ts';

/*
 * What one operator may pay without another one (docs/decisions/0062-batches-and-attempts.md): a sum within a day, over all batches that
 * nobody else approved and all payments by hand; and no further payment of a withdrawal of which the same operator recorded that an earlier
 * one was not made.
 */
const day = 24 * 60 * 60 * 1000;
/**
 * An operator decides about no payment for this long after another operator appointed them: otherwise one could appoint a second account of
 * their own.
 */
const newFor = 3 * day;
/** On a site with one operator, a further payment is possible this long after its operator recorded that the earlier one was not made. */
const againAfter = 3 * day;

export { lockBatches } from './batches.queries.ts';

export async function mustNotBeNew(db: Kysely<Tables>, id: string | null, now: Date): Promise<void> {
  const at = id ? await appointedAt(db, id) : undefined;
  const until = at && new Date(at.getTime() + newFor);
  if (until && now < until) throw new Refusal('new_operator', { until: until.toISOString() });
}

/** What an operator may pay alone. */
export interface Alone {
  /** What is left of the day's sum. */
  paise: number;
  hasAnother: boolean;
  /** Whether operators recorded that an earlier payment of this withdrawal was not made. */
  isAgain(withdrawalId: string): boolean;
  /** Until when only another operator pays it again; undefined if this one did not record that an earlier payment was not made. */
  anotherUntil(withdrawalId: string): Date | undefined;
}

/** What this operator may pay of these withdrawals alone, in a transaction that has locked all batches. */
export async function findAlone(
  trx: Transaction<Tables>,
  { clock, config }: Context<'clock' | 'config'>,
  operatorId: string | null,
  withdrawals: readonly WithdrawalKey[],
): Promise<Alone> {
  const earlier = await unpaidByHand(trx, withdrawals);
  const since = new Date(clock().getTime() - day);
  const used = await sumAttempts(trx, await queries.listUnapproved(trx, since), since);
  return {
    paise: config.payouts.approvalAbove - used,
    hasAnother: (await listOperatorsWho(trx, 'payer')).some(({ id }) => id !== operatorId),
    isAgain: (id) => earlier.has(id),
    anotherUntil(id) {
      const own = (earlier.get(id) ?? []).filter((attempt) => attempt.ended_by === operatorId);
      const last = Math.max(...own.map(({ ended_at }) => ended_at.getTime()));
      return own.length > 0 ? new Date(last + againAfter) : undefined;
    },
  };
}

/** Throws if this operator may not record, alone, that they paid this withdrawal by hand. */
export async function mustBePayableAlone(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'config'>,
  operatorId: string | null,
  withdrawal: WithdrawalKey & { paise: number },
): Promise<Alone> {
  const alone = await findAlone(trx, context, operatorId, [withdrawal]);
  const until = alone.anotherUntil(withdrawal.id);
  if (until && alone.hasAnother) throw new Refusal('second_operator', { what: 'again' });
  if (until && context.clock() < until)
    throw new Refusal('second_operator', { what: 'later', until: until.toISOString() });
  if (withdrawal.paise > alone.paise)
    throw new Refusal('second_operator', {
      what: 'above',
      rupees: rupeesOf(context.config.payouts.approvalAbove),
    });
  return alone;
}
