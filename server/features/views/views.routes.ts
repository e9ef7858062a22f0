import { increaseView } from '#contract/reels.ts';
import type { Clock } from '#server/platform/clock.ts';
import { notFound } from '#server/platform/refusal.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { createViewRecorder } from './recorder.ts';
import { addressOf, isBot, viewerOf } from './viewers.ts';

export function viewsRoutes(
  record: ReturnType<typeof createViewRecorder>,
  secret: Buffer,
  clock: Clock,
): Route[] {
  return [
    on(increaseView, async ({ params, caller, address, userAgent }) => {
      const personId = caller?.id;
      const answer = await record({
        reelId: params.id,
        viewer: viewerOf(secret, { personId, address, userAgent }),
        personId,
        bot: isBot(userAgent),
        at: clock(),
        address: addressOf(secret, address),
      });
      if (!answer) throw notFound('This reel was not found.');
      return answer;
    }),
  ];
}
