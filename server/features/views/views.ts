import type { Transaction } from 'kysely';
import { retention } from '#contract/retention.ts';
import { dayOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { keepTablesInPlace } from '#server/platform/database/places.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { deleteBrowsers } from './own-browsers.queries.ts';
import { deleteNetworkDays } from './single-views.ts';
import * as queries from './views.queries.ts';

export { countedViews, deleteViewsUntil } from './views.queries.ts';

export interface SeenReel {
  reelId: string;
  /** Undefined for a visitor without a login. */
  personId: string | undefined;
  bot: boolean;
  at: Date;
}

/** Result of a showing: undefined if there is no such public reel. */
export type ViewAnswer =
  | {
      /** The displayed count including this showing. */
      views: number;
      /** Duration of the reel, if this showing can count once it is watched. */
      watchable: number | undefined;
    }
  | undefined;

const hour = 60 * 60 * 1000;

/** Deletes expired clocks, browsers and counters of networks: views are no longer compared with them. */
export async function deleteOldWatching({
  db,
  clock,
  config,
}: Context<'db' | 'clock' | 'config'>): Promise<void> {
  await queries.deleteClocks(db, new Date(clock().getTime() - retention.viewMarkHours * hour));
  const kept = new Date(clock().getTime() - retention.ownViewDays * 24 * hour);
  const firstKept = dayOf(kept, config.timeZone);
  await deleteBrowsers(db, firstKept);
  await deleteNetworkDays(db, firstKept);
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
    await keepTablesInPlace(trx);
    const rows = await queries.increaseShown(
      trx,
      tally(incoming, (view) => view.reelId),
    );
    const reels = new Map(rows.map((row) => [row.id, row]));
    const counters = incoming.flatMap((view) => {
      const reel = reels.get(view.reelId);
      if (!reel) return [];
      const day = dayOf(view.at, config.timeZone);
      const counter = { reelId: reel.id, creatorId: reel.creator_id, day, views: 1 };
      const reason = neverCounts(view, reel);
      const shown = { ...counter, verdict: 'shown' };
      return reason ? [shown, { ...counter, verdict: reason }] : [shown];
    });
    await queries.addToReelDays(trx, counters);
    return answersOf(incoming, reels);
  });
}

/** The responses: every view raises the count by one, up to the count that the row has now. */
function answersOf(
  incoming: readonly SeenReel[],
  reels: ReadonlyMap<string, queries.ShownReel>,
): ViewAnswer[] {
  const yetToCome = tally(incoming, (view) => view.reelId);
  return incoming.map((view) => {
    const reel = reels.get(view.reelId);
    if (!reel) return undefined;
    const left = (yetToCome.get(view.reelId) ?? 1) - 1;
    yetToCome.set(view.reelId, left);
    return { views: reel.views - left, watchable: neverCounts(view, reel) ? undefined : reel.seconds };
  });
}

/** Those of these showings whose reel exists for the viewer: no block is between them and its creator. */
export async function withoutHidden(
  { db }: Context<'db'>,
  seen: readonly SeenReel[],
): Promise<readonly SeenReel[]> {
  const known = seen.flatMap(({ reelId, personId }) => (personId ? [{ reelId, personId }] : []));
  const hidden = await queries.listHidden(db, known);
  if (hidden.length === 0) return seen;
  const pairs = new Set(hidden.map(({ reel_id, person_id }) => `${reel_id} ${person_id}`));
  return seen.filter(({ reelId, personId }) => !pairs.has(`${reelId} ${personId}`));
}

/** Number of elements for each key. */
function tally<T>(all: readonly T[], keyFor: (element: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const element of all) {
    const key = keyFor(element);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/**
 * Counts what was watched in these months of a reel that was wrongly taken for a copy. Part of the transaction of the decision, in which the
 * reel is locked.
 */
export async function countViewsOfCopy(
  trx: Transaction<Tables>,
  which: { creatorId: string; reelId: string },
  months: readonly string[],
): Promise<void> {
  const days = await queries.countCopyViews(trx, which, months);
  await queries.addToReelDays(
    trx,
    days.flatMap(({ views, withoutRow, ...day }) => [
      { ...which, ...day, verdict: 'counted', views, withoutRow },
      { ...which, ...day, verdict: 'copy', views: -views, withoutRow: -withoutRow },
    ]),
  );
}
