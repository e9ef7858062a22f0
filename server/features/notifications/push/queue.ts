import type { Transaction } from 'kysely';
import type { NotificationKind } from '#contract/notifications.ts';
import { groupOf, type PushGroup } from '#contract/push-groups.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { dropAll, queue } from './push.queries.ts';

/** Many likes leave room for what is about the account. */
const waitingAtMost = (group: PushGroup | 'account') => (group === 'account' ? 40 : 20);

/** Has notifications of one kind pushed to the devices of those who get them, in the transaction that stores them. */
export async function queuePushes(
  trx: Transaction<Tables>,
  { stored, kind }: { stored: readonly { id: string; person_id: string }[]; kind: NotificationKind },
  now: Date,
): Promise<void> {
  if (stored.length === 0) return;
  const notificationIds = stored.map(({ id }) => id);
  const personIds = [...new Set(stored.map(({ person_id }) => person_id))];
  const group = groupOf(kind);
  await queue(trx, { notificationIds, personIds, group, waitingAtMost: waitingAtMost(group) }, now);
}

/** Drops all that wait. */
export const dropPushes = dropAll;
