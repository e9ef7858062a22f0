import * as contract from '#contract/notifications.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { registerDevice, unregisterDevice } from './devices.ts';
import { listNotifications, markRead } from './notifications.ts';

export function notificationsRoutes(context: Context): Route[] {
  return [
    on(contract.getNotifications, ({ params, query, caller }) =>
      listNotifications(context, params.userId, caller.id, query),
    ),
    on(contract.markRead, ({ query, caller }) => markRead(context, caller.id, query.upTo)),
    on(contract.registerDevice, async ({ body, caller }) => {
      await registerDevice(context, caller, body);
      return {};
    }),
    on(contract.unregisterDevice, async ({ body, caller }) => {
      await unregisterDevice(context, caller.id, body.device);
      return {};
    }),
  ];
}
