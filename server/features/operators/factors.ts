import { isolated } from '#contract/text-direction.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { logAct } from '../audit-log/audit-log.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { invite, isEnrolled, listOperators, removeFactor } from '../second-factor/second-factor.ts';
import * as queries from './operators.queries.ts';

/** Makes a one-time code for an operator who has no second factor yet. */
export async function inviteOperator(
  { db, clock }: Context<'db' | 'clock'>,
  operator: Operator,
  id: string,
): Promise<string> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const person = await lockOperator(trx, id);
    if (await isEnrolled(trx, id))
      throw new Refusal('has_second_factor', { username: isolated(person.username) });
    await logAct(trx, operator, { act: 'operator.enrol', target: { kind: 'person', id } }, now);
    return await invite(trx, id, now);
  });
}

/** Removes the second factor of an operator who lost it, notifies all operators, and makes a code for a new one. */
export async function resetFactor(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  operator: Operator,
  id: string,
): Promise<string> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const { username } = await lockOperator(trx, id);
    await removeFactor(trx, id);
    await logAct(trx, operator, { act: 'operator.reset-factor', target: { kind: 'person', id } }, now);
    for (const other of await listOperators(trx)) {
      await outbox.sendNotice(trx, other.id, { act: 'factor_reset', values: { username } }, now);
      await notifyFromSite(trx, other.id, 'factor_reset', now);
    }
    return await invite(trx, id, now);
  });
}

async function lockOperator(trx: Parameters<typeof queries.lockPerson>[0], id: string) {
  const person = await queries.lockPerson(trx, id);
  if (person?.role !== 'operator')
    throw new Refusal('not_allowed', { what: 'not_operator', username: isolated(person?.username ?? id) });
  return person;
}
