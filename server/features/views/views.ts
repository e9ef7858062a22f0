import type { Kysely } from 'kysely';
import { monthOf } from '../../platform/clock.ts';
import type { Tables } from '../../platform/database/tables.ts';
import { newId } from '../../platform/ids.ts';
import { addToMonths } from '../earnings/months.ts';
import * as queries from './views.queries.ts';

export { countedViews } from './views.queries.ts';

export interface SeenReel {
  reelId: string;
  viewer: Buffer;
  /** Undefined for somebody who is not signed in. */
  personId: string | undefined;
  bot: boolean;
  at: Date;
}

/** What became of one view: `views` is the displayed count with it; undefined when there is no such public reel. */
export type ViewAnswer = { views: number; counted: boolean } | undefined;

type Verdict = Tables['view_events']['verdict'];
const hour = 60 * 60 * 1000;

/** A view counts once per viewer and reel in this many hours (decisions §4). */
const windowHours = 24;
/** More counted views than this in 24 hours is not a person looking. */
const viewerLimit = 1000;

/**
 * Records views that arrived together: one transaction writes every event, the reels' counters and the creators'
 * months. The displayed count rises with each; only a `counted` view pays, and each other one is kept with its reason.
 */
export async function recordViews(
  db: Kysely<Tables>,
  seen: readonly SeenReel[],
  timeZone: string,
): Promise<ViewAnswer[]> {
  return await db.transaction().execute(async (trx) => {
    const rows = await queries.lockPublic(trx, [...new Set(seen.map((view) => view.reelId))]);
    const reels = new Map(rows.map((row) => [row.id, row]));
    const known = seen.filter((view) => reels.has(view.reelId));
    if (known.length === 0) return seen.map(() => undefined);

    const verdicts = await judge(trx, known, reels);
    const events = known.map((view): queries.ViewEvent => {
      const creatorId = reels.get(view.reelId)?.creator_id ?? '';
      const month = monthOf(view.at, timeZone);
      const verdict = verdicts.get(view) ?? 'repeated';
      return {
        id: newId(view.at),
        creatorId,
        reelId: view.reelId,
        viewer: view.viewer,
        verdict,
        seenAt: view.at,
        month,
      };
    });
    await queries.writeEvents(trx, events);
    await addToMonths(trx, countedByMonth(events));

    const shown = new Map(rows.map((row) => [row.id, row.views]));
    return seen.map((view) => {
      const before = shown.get(view.reelId);
      if (before === undefined) return undefined;
      shown.set(view.reelId, before + 1);
      return { views: before + 1, counted: verdicts.get(view) === 'counted' };
    });
  });
}

interface Reel {
  creator_id: string;
  duplicate: boolean;
}

/** Why each view counts or not, the first reason that applies; of equal views in one batch the first counts. */
async function judge(db: Kysely<Tables>, seen: readonly SeenReel[], reels: Map<string, Reel>) {
  const verdicts = new Map<SeenReel, Verdict>();
  const candidates = new Map<string, SeenReel>();
  for (const view of seen) {
    const reel = reels.get(view.reelId);
    const pair = `${view.reelId} ${view.viewer.toString('hex')}`;
    if (view.personId !== undefined && view.personId === reel?.creator_id) verdicts.set(view, 'own');
    else if (view.bot) verdicts.set(view, 'bot');
    else if (reel?.duplicate) verdicts.set(view, 'copy');
    else if (candidates.has(pair)) verdicts.set(view, 'repeated');
    else candidates.set(pair, view);
  }
  const within = await withinLimit(db, [...candidates.values()], verdicts);
  const opened = await queries.openWindows(db, within, windowHours);
  for (const view of within) {
    verdicts.set(view, opened.has(`${view.reelId} ${view.viewer.toString('hex')}`) ? 'counted' : 'repeated');
  }
  return verdicts;
}

/** Sets aside views of viewers who have had their day's share. */
async function withinLimit(db: Kysely<Tables>, views: SeenReel[], verdicts: Map<SeenReel, Verdict>) {
  const latest = views.at(-1)?.at;
  if (!latest) return [];
  const since = new Date(latest.getTime() - windowHours * hour);
  const counts = await queries.countOfViewers(db, [...new Set(views.map((view) => view.viewer))], since);
  return views.filter((view) => {
    const key = view.viewer.toString('hex');
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (count > viewerLimit) verdicts.set(view, 'over_limit');
    return count <= viewerLimit;
  });
}

function countedByMonth(events: readonly queries.ViewEvent[]) {
  const months = new Map<string, { creatorId: string; month: string; views: number }>();
  for (const { creatorId, month, verdict } of events) {
    if (verdict !== 'counted') continue;
    const entry = months.get(`${creatorId} ${month}`) ?? { creatorId, month, views: 0 };
    entry.views += 1;
    months.set(`${creatorId} ${month}`, entry);
  }
  return [...months.values()];
}
