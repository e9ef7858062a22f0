import type { Transaction } from 'kysely';
import type { NotificationKind } from '#contract/notifications.ts';
import { groupOf, type PushGroup } from '#contract/push-groups.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { dropAll, queue } from './push.queries.ts';

/** Limits messages about likes, so that there is room for account news. */
const waitingAtMost = (group: PushGroup | 'account') => (group === 'account' ? 40 : 20);

/** Queues push messages for notifications of one kind, in the transaction that stores them. */
export async function queuePushes(
  trx: Transaction<Tables>,
  { stored, kind }: { stored: readonly { id: string; person_id: string }[]; kind: NotificationKind },
  now: Date,
): Promise<void> {
  if (stored.length === 0) return;
  const group = groupOf(kind);
  await queue(trx, { notifications: stored, group, waitingAtMost: waitingAtMost(group) }, now);
}

/** Drops all waiting messages. */
export const dropPushes = dropAll;
