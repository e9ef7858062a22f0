import { logAct, type Operator } from '../audit-log/audit-log.ts';
import type { ReleaseListener, WaitingDecision } from './releases.ts';

/** Logs decisions about the views of a month, in their transaction. */
export function logMonths(operator: Operator): ReleaseListener {
  const target = (id: string) => ({ kind: 'person', id });
  return {
    async released(trx, { creator_id: id, month, views, coins, reason, at }) {
      const details = { reason, month, views, coins };
      await logAct(trx, operator, { act: 'month.release', target: target(id), details }, at);
    },
    async voided(trx, { creator_id: id, month, kind, views, coins, reason, at }) {
      const what = kind === 'void_paid' ? 'paid' : 'waiting';
      const details = { reason, month, what, views, coins: Math.abs(coins) };
      await logAct(trx, operator, { act: 'month.void', target: target(id), details }, at);
    },
  };
}

/** What is decided about waiting views together with a withdrawal, and logged; undefined for nothing. */
export function withWaiting(
  operator: Operator,
  { waiting, reason }: { waiting?: WaitingDecision['waiting'] | undefined; reason?: string | undefined },
): WaitingDecision | undefined {
  return waiting && reason !== undefined ? { waiting, reason, listener: logMonths(operator) } : undefined;
}
