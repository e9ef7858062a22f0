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
  /** Undefined for a visitor without a login. */
  personId: string | undefined;
  bot: boolean;
  at: Date;
  /** Hash of the client's network. */
  address?: Buffer;
}

/** Result of a view: the displayed count including it, or undefined if there is no such public reel. */
export type ViewAnswer = { views: number; counted: boolean } | undefined;

type Verdict = Tables['view_events']['verdict'];
const hour = 60 * 60 * 1000;

/** A view counts once per viewer and reel in this many hours (decisions §4). */
const windowHours = retention.viewMarkHours;
/** More counted views than this in 24 hours is not a person looking. */
const viewerLimit = 1000;

/** Deletes windows that are over. Views are no longer compared with them, and what was earned stays recorded. */
export function deleteOldWindows({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  return queries.deleteWindows(db, new Date(clock().getTime() - windowHours * hour));
}

/**
 * Records a batch of views in one transaction: every event, the counts of the reels, and the months of the creators.
 * The displayed count rises with each view. Only views with the verdict `counted` earn coins; the others are stored
 * with their reason.
 */
export async function recordViews(
  { db, config }: Context<'db' | 'config'>,
  seen: readonly SeenReel[],
): Promise<ViewAnswer[]> {
  const incoming = seen.map((view) => ({ ...view, viewer: view.viewer.toString('hex') }));
  return await inTransaction(db, async (trx) => {
    const rows = await queries.raiseShown(
      trx,
      tally(incoming, (view) => view.reelId),
    );
    const reels = new Map(rows.map((row) => [row.id, row]));
    const known = incoming.filter((view) => reels.has(view.reelId));
    if (known.length === 0) return incoming.map(() => undefined);

    const verdicts = await verdictsOf(trx, known, reels);
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
    return answersOf(incoming, reels, verdicts);
  });
}

/** A view with its viewer in hex. */
type ViewToStore = Omit<SeenReel, 'viewer'> & { viewer: string };

/** The answers: every view raises the count by one, up to the count that the row has now. */
function answersOf(
  incoming: readonly ViewToStore[],
  reels: ReadonlyMap<string, queries.ShownReel>,
  verdicts: ReadonlyMap<ViewToStore, Verdict>,
): ViewAnswer[] {
  const yetToCome = tally(incoming, (view) => view.reelId);
  return incoming.map((view) => {
    const reel = reels.get(view.reelId);
    if (!reel) return undefined;
    const left = (yetToCome.get(view.reelId) ?? 1) - 1;
    yetToCome.set(view.reelId, left);
    return { views: reel.views - left, counted: verdicts.get(view) === 'counted' };
  });
}

/** Number of elements for each key. */
function tally<T>(all: readonly T[], keyFor: (one: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const one of all) {
    const key = keyFor(one);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** The verdict of each view, by the first reason that applies. Of equal views in one batch the first one counts. */
async function verdictsOf(
  trx: Transaction<Tables>,
  seen: readonly ViewToStore[],
  reels: ReadonlyMap<string, queries.ShownReel>,
): Promise<Map<ViewToStore, Verdict>> {
  const verdicts = new Map<ViewToStore, Verdict>();
  const candidates = new Map<string, ViewToStore>();
  for (const view of seen) {
    const reel = reels.get(view.reelId);
    const pair = queries.pairOf(view);
    if (view.personId !== undefined && view.personId === reel?.creator_id) verdicts.set(view, 'own');
    else if (view.bot) verdicts.set(view, 'bot');
    else if (reel?.duplicate) verdicts.set(view, 'copy');
    else if (candidates.has(pair)) verdicts.set(view, 'repeated');
    else candidates.set(pair, view);
  }
  const { far, near, since } = await splitByLimit(trx, [...candidates.values()]);
  const fresh = await withinLimit(trx, near, since);
  for (const view of near) verdicts.set(view, fresh.get(view) ?? 'repeated');
  const counting = [...far, ...near.filter((view) => fresh.get(view) === 'counted')];
  const open = await queries.openWindowsOf(trx, counting, windowHours);
  for (const view of counting) verdicts.set(view, open.has(queries.pairOf(view)) ? 'repeated' : 'counted');
  return verdicts;
}

/**
 * Separates the views of viewers who may come near the limit. The other viewers are not counted exactly: the
 * threshold of a tenth leaves room for what other servers write at the same moment.
 */
async function splitByLimit(trx: Transaction<Tables>, views: readonly ViewToStore[]) {
  const since = new Date((views.at(-1)?.at.getTime() ?? 0) - windowHours * hour);
  if (views.length === 0) return { far: [], near: [], since };
  const asking = tally(views, (view) => view.viewer);
  const before = await queries.countOfViewers(trx, [...asking.keys()], since);
  const { far = [], near = [] } = Object.groupBy(views, ({ viewer }) =>
    (before.get(viewer) ?? 0) + (asking.get(viewer) ?? 0) > viewerLimit / 10 ? 'near' : 'far',
  );
  return { far, near, since };
}

/** Verdicts of those views whose windows are not open: they count as long as their viewers are below the limit. */
async function withinLimit(
  trx: Transaction<Tables>,
  views: readonly ViewToStore[],
  since: Date,
): Promise<Map<ViewToStore, 'counted' | 'over_limit'>> {
  const open = await queries.openWindows(trx, views, windowHours);
  const fresh = views.filter((view) => !open.has(queries.pairOf(view)));
  // The views of these viewers are counted again under a lock that holds for all servers.
  const counts = await queries.lockViewers(trx, [...new Set(fresh.map(({ viewer }) => viewer))], since);
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
