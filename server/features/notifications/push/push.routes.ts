import * as contract from '#contract/push.ts';
import { pushGroups } from '#contract/push-groups.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { subscribe, unregisterDevice } from '../devices.ts';
import * as queries from './push.queries.ts';

/** The settings for subscribing. */
export interface PushWays {
  /** The key for browsers to subscribe; null on a site that sends nothing to them. */
  publicKey: string | null;
  isAppReached: boolean;
}

export function pushRoutes(context: Context, { publicKey, isAppReached }: PushWays): Route[] {
  const { db } = context;
  return [
    on(contract.getPush, async ({ caller }) => {
      const off = await queries.findOff(db, caller.id);
      return { publicKey, app: isAppReached, off: pushGroups.filter((group) => off.includes(group)) };
    }),
    on(contract.setPush, async ({ caller, body }) => {
      const off = pushGroups.filter((group) => body.off.includes(group));
      await queries.putOff(db, caller.id, off);
      return { off };
    }),
    on(contract.subscribePush, async ({ caller, body }) => {
      await subscribe(context, caller, body);
      return {};
    }),
    on(contract.unsubscribePush, async ({ caller, body }) => {
      await unregisterDevice(context, caller.id, body.endpoint);
      return {};
    }),
  ];
}
