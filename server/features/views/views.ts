import type { Transaction } from 'kysely';
import { retention } from '#contract/privacy.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { addToMonths } from '../earnings/months.ts';
import * as queries from './views.queries.ts';

export { countedViews, countedViewsOf } from './views.queries.ts';

export interface SeenReel {
  reelId: string;
  viewer: Buffer;
  /** Undefined for somebody who is not signed in. */
  personId: string | undefined;
  bot: boolean;
  at: Date;
  /** Where it came from, hashed. */
  address?: Buffer;
}

/** What became of one view: `views` is the displayed count with it; undefined when there is no such public reel. */
export type ViewAnswer = { views: number; counted: boolean } | undefined;

type Verdict = Tables['view_events']['verdict'];
const hour = 60 * 60 * 1000;

/** A view counts once per viewer and reel in this many hours (decisions §4). */
const windowHours = retention.viewMarkHours;
/** More counted views than this in 24 hours is not a person looking. */
const viewerLimit = 1000;

/** Forgets who saw what too long ago to matter: no view is judged by it any more, and what it paid stays recorded. */
export function forgetOldWindows({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  return queries.deleteWindows(db, new Date(clock().getTime() - windowHours * hour));
}

/**
 * Records views that arrived together: one transaction writes every event, the reels' counters and the creators'
 * months. The displayed count rises with each; only a `counted` view pays, and each other one is kept with its reason.
 */
export async function recordViews(
  { db, config }: Context<'db' | 'config'>,
  seen: readonly SeenReel[],
): Promise<ViewAnswer[]> {
  const asked = seen.map((view) => ({ ...view, viewer: view.viewer.toString('hex') }));
  return await inTransaction(db, async (trx) => {
    const rows = await queries.raiseShown(
      trx,
      tally(asked, (view) => view.reelId),
    );
    const reels = new Map(rows.map((row) => [row.id, row]));
    const known = asked.filter((view) => reels.has(view.reelId));
    if (known.length === 0) return asked.map(() => undefined);

    const verdicts = await judge(trx, known, reels);
    const events = known.map(
      (view): queries.ViewEvent => ({
        id: newId(view.at),
        creatorId: reels.get(view.reelId)?.creator_id ?? '',
        reelId: view.reelId,
        viewer: view.viewer,
        address: view.address?.toString('hex') ?? null,
        verdict: verdicts.get(view) ?? 'repeated',
        at: view.at,
        month: monthOf(view.at, config.timeZone),
      }),
    );
    await queries.writeEvents(trx, events);
    await addToMonths(trx, countedByMonth(events));
    return shownWith(asked, reels, verdicts);
  });
}

/** A view as it is written: its viewer in hex. */
type Asked = Omit<SeenReel, 'viewer'> & { viewer: string };

/** Each view saw the count rise by one: the last of a reel what its row says now. */
function shownWith(
  asked: readonly Asked[],
  reels: ReadonlyMap<string, queries.ShownReel>,
  verdicts: ReadonlyMap<Asked, Verdict>,
): ViewAnswer[] {
  const yetToCome = tally(asked, (view) => view.reelId);
  return asked.map((view) => {
    const reel = reels.get(view.reelId);
    if (!reel) return undefined;
    const left = (yetToCome.get(view.reelId) ?? 1) - 1;
    yetToCome.set(view.reelId, left);
    return { views: reel.views - left, counted: verdicts.get(view) === 'counted' };
  });
}

/** How many there are of each. */
function tally<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) {
    const key = keyOf(one);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Why each view counts or not, the first reason that applies; of equal views in one batch the first counts. */
async function judge(
  trx: Transaction<Tables>,
  seen: readonly Asked[],
  reels: ReadonlyMap<string, queries.ShownReel>,
): Promise<Map<Asked, Verdict>> {
  const verdicts = new Map<Asked, Verdict>();
  const candidates = new Map<string, Asked>();
  for (const view of seen) {
    const reel = reels.get(view.reelId);
    const pair = queries.pairOf(view);
    if (view.personId !== undefined && view.personId === reel?.creator_id) verdicts.set(view, 'own');
    else if (view.bot) verdicts.set(view, 'bot');
    else if (reel?.duplicate) verdicts.set(view, 'copy');
    else if (candidates.has(pair)) verdicts.set(view, 'repeated');
    else candidates.set(pair, view);
  }
  const { far, near, since } = await byNearness(trx, [...candidates.values()]);
  const fresh = await withinLimit(trx, near, since);
  for (const view of near) verdicts.set(view, fresh.get(view) ?? 'repeated');
  const counting = [...far, ...near.filter((view) => fresh.get(view) === 'counted')];
  const open = await queries.beginWindows(trx, counting, windowHours);
  for (const view of counting) verdicts.set(view, open.has(queries.pairOf(view)) ? 'repeated' : 'counted');
  return verdicts;
}

/**
 * Apart from the others those whose viewers may come near the limit. Many viewers are never counted exactly: a tenth of the
 * limit leaves room for all that other servers write at this moment.
 */
async function byNearness(trx: Transaction<Tables>, views: readonly Asked[]) {
  const since = new Date((views.at(-1)?.at.getTime() ?? 0) - windowHours * hour);
  if (views.length === 0) return { far: [], near: [], since };
  const asking = tally(views, (view) => view.viewer);
  const before = await queries.countOfViewers(trx, [...asking.keys()], since);
  const { far = [], near = [] } = Object.groupBy(views, ({ viewer }) =>
    (before.get(viewer) ?? 0) + (asking.get(viewer) ?? 0) > viewerLimit / 10 ? 'near' : 'far',
  );
  return { far, near, since };
}

/** Of these views those whose windows are not open: the first, up to what their viewers have left of their day's share, count. */
async function withinLimit(
  trx: Transaction<Tables>,
  views: readonly Asked[],
  since: Date,
): Promise<Map<Asked, 'counted' | 'over_limit'>> {
  const open = await queries.openWindows(trx, views, windowHours);
  const fresh = views.filter((view) => !open.has(queries.pairOf(view)));
  // Whoever comes near the limit is counted again, alone among all servers.
  const counts = await queries.holdViewers(trx, [...new Set(fresh.map(({ viewer }) => viewer))], since);
  return new Map(
    fresh.map((view) => {
      const count = (counts.get(view.viewer) ?? 0) + 1;
      counts.set(view.viewer, count);
      return [view, count <= viewerLimit ? 'counted' : 'over_limit'];
    }),
  );
}

function countedByMonth(events: readonly queries.ViewEvent[]) {
  const months = new Map<string, { creatorId: string; month: string; views: number }>();
  for (const { creatorId, month, verdict } of events) {
    if (verdict !== 'counted') continue;
    const key = `${creatorId} ${month}`;
    const entry = months.get(key) ?? { creatorId, month, views: 0 };
    entry.views += 1;
    months.set(key, entry);
  }
  return [...months.values()];
}
