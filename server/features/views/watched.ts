import type { Transaction } from 'kysely';
import { rules } from '#contract/earning-rules.ts';
import { dayOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { addToHeldMonths, holdMonths } from '../month-counts/months.ts';
import { addSignedInViews } from './established.ts';
import { findFromOwnBrowsers } from './own-browsers.queries.ts';
import { addToNetworkDays, beyondSingleViews } from './single-views.ts';
import * as queries from './views.queries.ts';

/** A showing that its player reports as watched. */
export interface WatchedReel {
  reelId: string;
  /** Hashes of the viewer, by `viewerOf`, and of the network of the showing. */
  viewer: Buffer;
  address: Buffer;
  /** The id of the viewer, if signed in. */
  signedIn: boolean;
  personId?: string | undefined;
  /** Hash of the browser's random id. */
  browser?: Buffer | undefined;
  /** The times of the showing and of the report, by the server's clock. */
  issuedAt: Date;
  at: Date;
  /** Milliseconds that must pass between the two. */
  neededMs: number;
}

const monthOfDay = (day: string) => day.slice(0, 7);

/** Milliseconds that must pass on the server's clock until a reel can have been watched. */
export const neededFor = (toWatchMs: number) => toWatchMs * rules.watch.shareOnServer;

/** `gone`: the reel is not public any more. `too_late`: the month of the showing is closed. */
type Outcome = 'counted' | 'copy' | 'own' | 'repeated' | 'over_limit' | 'too_late' | 'gone';

/**
 * Records a batch of watched views in one transaction: the views, the days of their reels, and the months of their creators. A viewer counts
 * once for a reel on a day of the business time zone, the day of the showing, whenever it is reported (docs/decisions/0053-watched-views.md);
of views without a login beyond the number that have rows, only their clock says so (`beyondSingleViews`).
 * Returns which views count.
 */
export async function recordWatched(
  { db, config }: Context<'db' | 'config'>,
  reports: readonly WatchedReel[],
): Promise<boolean[]> {
  const days = reports.map(({ issuedAt }) => dayOf(issuedAt, config.timeZone));
  const months = new Set(days.map(monthOfDay));
  return await inTransaction(db, async (trx) => {
    const closed = await holdMonths(trx, months);
    const reels = await queries.lockPublic(trx, [...new Set(reports.map(({ reelId }) => reelId))]);
    const views = reports.map((report, index): View => {
      const day = days[index] ?? '';
      const reel = reels.get(report.reelId);
      return {
        ...report,
        day,
        creatorId: reel?.creator_id ?? '',
        verdict: reel?.duplicate ? 'copy' : 'counted',
        viewer: report.viewer.toString('hex'),
        network: report.address.toString('hex'),
        browser: report.browser?.toString('hex'),
        dayReported: dayOf(report.at, config.timeZone),
        isTooLate: closed.has(monthOfDay(day)),
      };
    });
    const { outcomes, beyond } = await outcomesOf(trx, views);
    const counted = views.filter((view) => outcomes.get(view) === 'counted');
    const copies = views.filter((view) => outcomes.get(view) === 'copy');
    const rows = [...counted, ...copies].filter((view) => !beyond.has(view));

    const signedIn = counted.flatMap(({ personId, ...view }) =>
      personId === undefined ? [] : [{ ...view, personId }],
    );
    await addSignedInViews(trx, signedIn);
    const counters = views.flatMap((view) => {
      const verdict = outcomes.get(view);
      if (verdict === undefined || verdict === 'gone') return [];
      const withoutRow = beyond.has(view) && verdict === view.verdict ? 1 : 0;
      return [{ ...view, verdict, views: 1, withoutRow }];
    });
    await queries.addToReelDays(trx, counters);
    await addToNetworkDays(
      trx,
      rows.filter(({ signedIn }) => !signedIn),
    );
    await addToHeldMonths(trx, countsByMonth(counted, rows));
    return views.map((view) => outcomes.get(view) === 'counted');
  });
}

type View = queries.WatchedView &
  queries.SpentTime &
  Pick<WatchedReel, 'personId'> & { browser: string | undefined; isTooLate: boolean };

/**
 * The outcome of each report, by the first reason that applies. Of equal reports in one batch the first one counts. Whether one was recorded
 * before is known by inserting it, which costs less than to look for it. `beyond`: those that are only counted.
 */
async function outcomesOf(
  trx: Transaction<Tables>,
  views: readonly View[],
): Promise<{ outcomes: Map<View, Outcome>; beyond: Set<View> }> {
  const outcomes = new Map<View, Outcome>();
  const undecided = (among: readonly View[]) => among.filter((view) => !outcomes.has(view));
  const first = new Map<string, View>();
  for (const view of views) {
    const key = queries.keyOf(view);
    if (view.creatorId === '') outcomes.set(view, 'gone');
    else if (view.creatorId === view.personId) outcomes.set(view, 'own');
    else if (view.isTooLate) outcomes.set(view, 'too_late');
    else if (first.has(key)) outcomes.set(view, 'repeated');
    else first.set(key, view);
  }
  for (const view of await findFromOwnBrowsers(trx, [...first.values()])) outcomes.set(view, 'own');
  const possible = undecided([...first.values()]);
  const beyond = await beyondSingleViews(trx, possible);
  const single = possible.filter((view) => !beyond.has(view));
  const recorded = await queries.insertViews(trx, single);
  for (const view of single) if (!recorded.has(queries.keyOf(view))) outcomes.set(view, 'repeated');

  // Each round has at most one view of a viewer, the earliest showing first.
  let left = undecided(views).sort((view, other) => view.issuedAt.getTime() - other.issuedAt.getTime());
  while (left.length > 0) {
    const round = [...new Map(left.toReversed().map((view) => [view.viewer, view])).values()];
    const accepted = await queries.advanceClocks(trx, round);
    for (const view of round) outcomes.set(view, accepted.has(view.viewer) ? view.verdict : 'over_limit');
    left = undecided(left);
  }
  await queries.deleteViews(
    trx,
    single.filter((view) => outcomes.get(view) === 'over_limit'),
  );
  return { outcomes, beyond };
}

/** The counted views of each creator's month, and the rows that were stored for it. */
function countsByMonth(counted: readonly View[], rows: readonly View[]) {
  const keyOf = ({ creatorId, day }: View) => `${creatorId} ${monthOfDay(day)}`;
  const [views, stored] = [Map.groupBy(counted, keyOf), Map.groupBy(rows, keyOf)];
  return [...new Set([...views.keys(), ...stored.keys()])].map((key) => {
    const [creatorId = '', month = ''] = key.split(' ');
    return { creatorId, month, views: views.get(key)?.length ?? 0, viewRows: stored.get(key)?.length ?? 0 };
  });
}
