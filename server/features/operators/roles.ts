import type { Transaction } from 'kysely';
import type { OperatorRole } from '#contract/roles.ts';
import type { Context } from '#server/platform/context.ts';
import { lockName } from '#server/platform/database/locks.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { notifyFromSite } from '../notifications/notifications.ts';
import { listOperators } from '../second-factor/second-factor.ts';

type Listed = Awaited<ReturnType<typeof listOperators>>;

/**
 * Lists all operators; nobody becomes or stops being one until this transaction ends. Before the row of a person is locked, so that two who
 * remove each other wait for one another in the same order.
 */
export async function lockOperators(trx: Transaction<Tables>): Promise<Listed> {
  await lockName(trx, 'operators');
  return await listOperators(trx);
}

/** Throws if this is the last administrator: without one nobody makes operators. */
export function mustNotBeLast(operators: Listed, id: string): void {
  if (operators.every((operator) => operator.id === id || operator.role !== 'administrator'))
    throw new Refusal('last_operator');
}

/** Tells these operators who became an operator or is no longer one, and by whom. */
export async function notifyOperators(
  trx: Transaction<Tables>,
  { clock, outbox }: Context<'clock' | 'outbox'>,
  ids: readonly string[],
  change:
    | { act: 'operator_appointed'; role: OperatorRole; username: string; by: Operator }
    | { act: 'operator_removed'; username: string; by: Operator },
): Promise<void> {
  const now = clock();
  const { act, username, by } = change;
  const role = 'role' in change ? { role: change.role } : {};
  for (const id of ids) {
    await outbox.sendNotice(trx, id, { act, values: { username, by: by.name, ...role } }, now);
    await notifyFromSite(trx, id, act, now);
  }
}
