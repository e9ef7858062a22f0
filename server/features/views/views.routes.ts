import { createSecretKey } from 'node:crypto';
import { rules, secondsToWatch } from '#contract/earning-rules.ts';
import { increaseView, reportWatched, type WatchedShowing } from '#contract/reels.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/refusal.ts';
import { on, type Route } from '#server/platform/route.ts';
import { openLaneFinder } from './lanes.ts';
import { browserOf, openLeases } from './lease.ts';
import type { RecordBrowser } from './own-browsers.ts';
import { watchedByPace } from './pace.ts';
import { createViewRecorder, createWatchRecorder, type WrittenBatch } from './recorder.ts';
import { readReports } from './reports.ts';
import { addressOf, isBot, isCrawler, viewerOf, viewerOfPerson } from './viewers.ts';
import { neededFor } from './watched.ts';

interface ViewServices {
  secrets: { viewers: Buffer; showings: Buffer };
  recordBrowser: RecordBrowser;
}

export function viewsRoutes(
  context: Context,
  { secrets, recordBrowser }: ViewServices,
  note: (batch: WrittenBatch) => void,
): Route[] {
  const laneOf = openLaneFinder(context);
  const record = createViewRecorder(context, note, laneOf);
  const recordWatched = createWatchRecorder(context, note, laneOf);
  const leases = openLeases(secrets.showings);
  const [viewersKey, showingsKey] = [createSecretKey(secrets.viewers), createSecretKey(secrets.showings)];

  /** Records the valid reports, and returns how many count. */
  async function report(watched: readonly WatchedShowing[], at: Date): Promise<number> {
    let counted = 0;
    for (const reel of readReports({ leases, secret: viewersKey }, watched, at))
      if (await recordWatched(reel)) counted += 1;
    return counted;
  }

  return [
    on(increaseView, async ({ params, body, caller, address, userAgent }) => {
      const [personId, at] = [caller?.id, context.clock()];
      const who = { personId, address };
      const from = addressOf(viewersKey, address);
      const browser = body.viewer === undefined ? undefined : browserOf(showingsKey, body.viewer);
      if (personId !== undefined && browser) await recordBrowser(personId, browser);
      const [answer] = await Promise.all([
        record({
          reelId: params.id,
          personId,
          bot: personId === undefined ? isBot(userAgent) : isCrawler(userAgent),
          at,
        }),
        report(body.watched ?? [], at),
      ]);
      if (!answer) throw notFound('reel');
      const { views, watchable } = answer;
      const showing = { reelId: params.id, address: from };
      const toWatchMs = watchable === undefined ? undefined : secondsToWatch(watchable, rules.watch) * 1000;
      if (personId !== undefined && body.viewer === undefined && body.watched === undefined) {
        const reel =
          toWatchMs === undefined ? undefined : { reelId: params.id, neededMs: neededFor(toWatchMs) };
        const before = await watchedByPace(context, { personId, at, reel });
        const viewer = viewerOfPerson(viewersKey, personId);
        if (before)
          await recordWatched({
            ...before,
            viewer,
            address: from,
            signedIn: true,
            personId,
            issuedAt: before.at,
            at,
          });
      }
      if (toWatchMs === undefined) return { views, counted: false as const, lease: null };
      const viewer = viewerOf(viewersKey, { ...who, userAgent: body.viewer ?? userAgent });
      return {
        views,
        counted: false as const,
        lease: leases.issue({ ...showing, viewer, personId, browser, issuedAt: at, toWatchMs }),
      };
    }),
    on(reportWatched, async ({ body }) => ({ counted: await report(body.watched, context.clock()) })),
  ];
}
