import type { Kysely } from 'kysely';
import * as contract from '#contract/notifications.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { on, type Route } from '#server/platform/route.ts';
import { registerDevice, unregisterDevice } from './devices.ts';
import { listNotifications, markRead } from './notifications.ts';

export function notificationsRoutes(db: Kysely<Tables>, clock: Clock, mediaOrigin: string): Route[] {
  return [
    on(contract.getNotifications, ({ params, query, caller }) =>
      listNotifications(db, params.userId, caller.id, query, mediaOrigin),
    ),
    on(contract.markRead, ({ query, caller }) => markRead(db, caller.id, query.upTo, clock())),
    on(contract.registerDevice, async ({ body, caller }) => {
      await registerDevice(db, caller.id, body, clock());
      return {};
    }),
    on(contract.unregisterDevice, async ({ body, caller }) => {
      await unregisterDevice(db, caller.id, body.device);
      return {};
    }),
  ];
}
