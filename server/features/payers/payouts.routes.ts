import type { FastifyBaseLogger } from 'fastify';
import { razorpayxWebhook } from '#contract/payout-webhook.ts';
import * as contract from '#contract/payouts.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { setDestination, showDestination } from '../destinations/destination.ts';
import { removeDestination } from '../withdrawals/removal.ts';
import { receiveWebhook } from './webhook.ts';

export function payoutsRoutes(context: Context, logger: FastifyBaseLogger): Route[] {
  const warn = (error: unknown, which: object) =>
    logger.warn({ err: error, ...which }, 'the payer told what does not fit');
  return [
    on(contract.getDestination, ({ caller }) => showDestination(context, caller.id)),
    on(contract.setDestination, async ({ caller, body }) => ({
      data: await setDestination(context, caller.id, body),
    })),
    on(contract.removeDestination, async ({ caller }) => {
      await removeDestination(context, caller.id);
      return {};
    }),
    on(razorpayxWebhook, async ({ signed }) => {
      await receiveWebhook(context, signed, warn);
      return {};
    }),
  ];
}
