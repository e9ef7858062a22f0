import * as contract from '#contract/taste.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { listFollowedReels } from './following.ts';
import { rankFor, reelsInOrder } from './rank.ts';
import * as taste from './taste.ts';

export function tasteRoutes(
  context: Context<'db' | 'config' | 'clock' | 'outbox'>,
  { fairShare }: { fairShare: number },
): Route[] {
  const { db } = context;
  return [
    on(contract.rankReels, ({ body, caller }) =>
      rankFor(context, caller?.id, body, { fairShare, random: Math.random }),
    ),
    on(contract.getReelsById, async ({ body, caller }) => ({
      data: await reelsInOrder(context, body.ids, caller?.id),
    })),
    on(contract.getFollowedReels, ({ query, caller }) => listFollowedReels(context, query, caller.id)),
    on(contract.getTaste, ({ caller }) => taste.showTaste(context, caller.id)),
    on(contract.switchTaste, async ({ body, caller }) => {
      await taste.switchTaste(context, caller.id, body);
      return {};
    }),
    on(contract.forgetWatched, async ({ query, caller }) => {
      await taste.forgetWatched(db, caller.id, query.reel);
      return {};
    }),
    on(contract.saveWatched, async ({ body, caller }) => ({
      kept: await taste.saveWatched(context, caller.id, body.watched),
    })),
  ];
}
