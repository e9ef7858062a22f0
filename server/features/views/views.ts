import type { Transaction } from 'kysely';
import { retention } from '#contract/retention.ts';
import { dayOf, monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { addToMonths } from '../earnings/months.ts';
import { deletePresence } from './presence.queries.ts';
import { hasherFor } from './viewers.ts';
import * as queries from './views.queries.ts';

export { countedViews, countedViewsOf, countsFormerCopies, viewsOfFormerCopies } from './views.queries.ts';

export interface SeenReel {
  reelId: string;
  /** Hash of the viewer, by `viewerOf`. It is stored hashed with the key of the month. */
  viewer: Buffer;
  /** Undefined for a visitor without a login. */
  personId: string | undefined;
  bot: boolean;
  at: Date;
  /** Hash of the client's network. */
  address?: Buffer;
}

/** Result of a showing: undefined if there is no such public reel. */
export type ViewAnswer =
  | {
      /** The displayed count including this showing. */
      views: number;
      counted: boolean;
      /** Duration of the reel, if this showing can count once it is watched. */
      watchable: number | undefined;
    }
  | undefined;

type Verdict = Tables['view_events']['verdict'];
const hour = 60 * 60 * 1000;

/** A view counts once per viewer and reel in this many hours (decisions §4). */
const windowHours = retention.viewMarkHours;
/** More counted views than this in 24 hours are not by a person. */
const viewerLimit = 1000;

/** Deletes expired windows, clocks and presence. Views are no longer compared with them, and earnings are stored elsewhere. */
export async function deleteOldWindows({
  db,
  clock,
  config,
}: Context<'db' | 'clock' | 'config'>): Promise<void> {
  const before = new Date(clock().getTime() - windowHours * hour);
  await queries.deleteWindows(db, before);
  await queries.deleteClocks(db, before);
  const kept = new Date(clock().getTime() - retention.ownViewDays * 24 * hour);
  const firstKept = dayOf(kept, config.timeZone);
  await deletePresence(db, firstKept);
  await queries.deleteCopyViews(db, firstKept);
}

/**
 * Records a batch of showings by the rules from before leases: each is a view. One transaction holds every event, the
 * counts of the reels, and the months of the creators. The displayed count rises with each view. Only views with the
 * verdict `counted` earn coins; the others are stored with their reason.
 */
export async function recordViews(
  { db, config, keyring }: Context<'db' | 'config' | 'keyring'>,
  seen: readonly SeenReel[],
): Promise<ViewAnswer[]> {
  const incoming = await withStoredHashes({ config, keyring }, seen);
  return await inTransaction(db, async (trx) => {
    const rows = await queries.increaseShown(
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
        viewer: view.hashes[0],
        address: view.network,
        verdict: verdicts.get(view) ?? 'repeated',
        at: view.at,
        month: view.month,
      }),
    );
    await queries.writeEvents(trx, events);
    await addToMonths(trx, countedByMonth(events));
    return answersOf(incoming, reels, verdicts);
  });
}

/** A view with its viewer in hex, and the stored hashes of viewer and network. */
interface ViewToStore extends Omit<SeenReel, 'viewer' | 'address'> {
  viewer: string;
  month: string;
  /** Stored hashes of the viewer: of the month of the view, and of the month before if the viewer's window may have begun there. */
  hashes: [string, ...string[]];
  network: string | null;
}

/** Views of one batch are of one month or two, so each key is loaded once. */
async function withStoredHashes(
  { config, keyring }: Context<'config' | 'keyring'>,
  seen: readonly SeenReel[],
): Promise<ViewToStore[]> {
  const monthsOf = seen.map(({ at }): [string, string] => [
    monthOf(at, config.timeZone),
    monthOf(new Date(at.getTime() - windowHours * hour), config.timeZone),
  ]);
  const storedHashOf = await hasherFor(keyring, monthsOf.flat());
  return seen.map(({ address, ...view }, index) => {
    const [month, before] = monthsOf[index] ?? ['', ''];
    const hash = storedHashOf(month, view.viewer);
    return {
      ...view,
      viewer: view.viewer.toString('hex'),
      month,
      hashes: before === month ? [hash] : [hash, storedHashOf(before, view.viewer)],
      network: address ? storedHashOf(month, address) : null,
    };
  });
}

/** The responses: every view raises the count by one, up to the count that the row has now. */
function answersOf<T extends Pick<SeenReel, 'reelId' | 'personId' | 'bot'>>(
  incoming: readonly T[],
  reels: ReadonlyMap<string, queries.ShownReel>,
  verdicts: ReadonlyMap<T, Verdict>,
): ViewAnswer[] {
  const yetToCome = tally(incoming, (view) => view.reelId);
  return incoming.map((view) => {
    const reel = reels.get(view.reelId);
    if (!reel) return undefined;
    const left = (yetToCome.get(view.reelId) ?? 1) - 1;
    yetToCome.set(view.reelId, left);
    return {
      views: reel.views - left,
      counted: verdicts.get(view) === 'counted',
      watchable: neverCounts(view, reel) ? undefined : reel.seconds,
    };
  });
}

/** Why a showing can never count, however long it is watched. One of a copy can, if a person finds that the reel is none. */
function neverCounts(
  { personId, bot }: Pick<SeenReel, 'personId' | 'bot'>,
  reel: queries.ShownReel,
): 'own' | 'bot' | undefined {
  if (personId !== undefined && personId === reel.creator_id) return 'own';
  return bot ? 'bot' : undefined;
}

/**
 * Records a batch of showings by counters only, since most are left at once. A showing that can never count is also counted under its
 * reason.
 */
export async function recordShowings(
  { db, config }: Context<'db' | 'config'>,
  incoming: readonly SeenReel[],
): Promise<ViewAnswer[]> {
  return await inTransaction(db, async (trx) => {
    const rows = await queries.increaseShown(
      trx,
      tally(incoming, (view) => view.reelId),
    );
    const reels = new Map(rows.map((row) => [row.id, row]));
    const counters = incoming.flatMap((view) => {
      const reel = reels.get(view.reelId);
      if (!reel) return [];
      const month = monthOf(view.at, config.timeZone);
      const counter = { reelId: reel.id, creatorId: reel.creator_id, month, views: 1 };
      const reason = neverCounts(view, reel);
      const shown = { ...counter, verdict: 'shown' };
      return reason ? [shown, { ...counter, verdict: reason }] : [shown];
    });
    await queries.addToReelMonths(trx, counters);
    return answersOf(incoming, reels, new Map());
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
    const reason = reel && (neverCounts(view, reel) ?? (reel.duplicate ? 'copy' : undefined));
    if (reason) verdicts.set(view, reason);
    else if (candidates.has(pair)) verdicts.set(view, 'repeated');
    else candidates.set(pair, view);
  }
  const { far, near, since } = await splitByLimit(trx, [...candidates.values()]);
  const fresh = await withinLimit(trx, near, since);
  for (const view of near) verdicts.set(view, fresh.get(view) ?? 'repeated');
  const below = [...far, ...near.filter((view) => fresh.get(view) === 'counted')];
  const openBefore = await withOpenWindow(
    trx,
    below.filter(({ hashes }) => hashes.length > 1),
  );
  for (const view of openBefore) verdicts.set(view, 'repeated');
  const counting = below.filter((view) => !openBefore.has(view));
  const pair = (view: ViewToStore) => ({ reelId: view.reelId, viewer: view.hashes[0], at: view.at });
  const open = await queries.openWindowsOf(trx, counting.map(pair), windowHours);
  for (const view of counting)
    verdicts.set(view, open.has(queries.pairOf(pair(view))) ? 'repeated' : 'counted');
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
  const before = await queries.countOfViewers(trx, hashesOf(views), since);
  const { far = [], near = [] } = Object.groupBy(views, (view) =>
    countOf(before, view) + (asking.get(view.viewer) ?? 0) > viewerLimit / 10 ? 'near' : 'far',
  );
  return { far, near, since };
}

const hashesOf = (views: readonly ViewToStore[]) => [...new Set(views.flatMap(({ hashes }) => hashes))];

/** Counted views of the viewer, under all hashes. */
const countOf = (counts: ReadonlyMap<string, number>, { hashes }: ViewToStore) =>
  hashes.reduce((sum, hash) => sum + (counts.get(hash) ?? 0), 0);

/** Those of these views whose window is open, under any of the viewer's hashes. */
async function withOpenWindow(
  trx: Transaction<Tables>,
  views: readonly ViewToStore[],
): Promise<Set<ViewToStore>> {
  const pairsOf = ({ reelId, hashes, at }: ViewToStore) => hashes.map((viewer) => ({ reelId, viewer, at }));
  const open = await queries.openWindows(trx, views.flatMap(pairsOf), windowHours);
  return new Set(views.filter((view) => pairsOf(view).some((pair) => open.has(queries.pairOf(pair)))));
}

/** Verdicts of those views whose windows are not open: they count as long as their viewers are below the limit. */
async function withinLimit(
  trx: Transaction<Tables>,
  views: readonly ViewToStore[],
  since: Date,
): Promise<Map<ViewToStore, 'counted' | 'over_limit'>> {
  const open = await withOpenWindow(trx, views);
  const fresh = views.filter((view) => !open.has(view));
  // The views of these viewers are counted again under a lock that holds for all servers.
  const before = await queries.lockViewers(trx, hashesOf(fresh), since);
  const counts = new Map<string, number>();
  return new Map(
    fresh.map((view) => {
      const count = (counts.get(view.viewer) ?? countOf(before, view)) + 1;
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

/**
 * Counts the watched views of a reel that was wrongly taken for a copy, in this month; returns their number. Part of the transaction of the
 * decision, in which the reel is locked.
 */
export async function countViewsOfCopy(
  trx: Transaction<Tables>,
  which: { creatorId: string; reelId: string },
  month: string,
): Promise<number> {
  const counted = await queries.countCopyViews(trx, which);
  const views = counted.reduce((sum, one) => sum + one.views, 0);
  if (views === 0) return 0;
  // Those of earlier months stay listed there as views of a copy: past months do not change.
  const ofThisMonth = counted.find((one) => one.month === month)?.views ?? 0;
  await queries.addToReelMonths(trx, [
    { ...which, month, verdict: 'counted', views },
    { ...which, month, verdict: 'copy', views: -ofThisMonth },
  ]);
  return views;
}
