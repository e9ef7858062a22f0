import { increaseView } from '#contract/reels.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/refusal.ts';
import { on, type Route } from '#server/platform/route.ts';
import { createViewRecorder, type WrittenBatch } from './recorder.ts';
import { addressOf, isBot, viewerOf } from './viewers.ts';

export function viewsRoutes(context: Context, secret: Buffer, note: (batch: WrittenBatch) => void): Route[] {
  const record = createViewRecorder(context, note);
  return [
    on(increaseView, async ({ params, caller, address, userAgent }) => {
      const personId = caller?.id;
      const answer = await record({
        reelId: params.id,
        viewer: viewerOf(secret, { personId, address, userAgent }),
        personId,
        bot: isBot(userAgent),
        at: context.clock(),
        address: addressOf(secret, address),
      });
      if (!answer) throw notFound('This reel was not found.');
      return answer;
    }),
  ];
}
