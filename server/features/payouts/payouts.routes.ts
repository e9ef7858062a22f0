import * as contract from '#contract/payouts.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { removeDestination, setDestination, showDestination } from './destination.ts';

export function payoutsRoutes(context: Context): Route[] {
  return [
    on(contract.getDestination, ({ caller }) => showDestination(context, caller.id)),
    on(contract.setDestination, async ({ caller, body }) => ({
      data: await setDestination(context, caller.id, body),
    })),
    on(contract.removeDestination, async ({ caller }) => {
      await removeDestination(context, caller.id);
      return {};
    }),
  ];
}
