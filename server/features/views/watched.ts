import type { Transaction } from 'kysely';
import { rules } from '#contract/rates.ts';
import { dayOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { mustBeOpen } from '../earnings/closing.ts';
import { mailOfMonth } from '../earnings/month-rules.ts';
import { addToMonths } from '../earnings/months.ts';
import { addSignedInViews } from './established.queries.ts';
import {
  findFromOwnBrowsers,
  findFromOwnNetworks,
  findSeenOn,
  findShared,
  insertHeldViews,
  lockNetworks,
  lockOwnNetworks,
  type PossiblyOwnView,
} from './presence.queries.ts';
import { hasherFor } from './viewers.ts';
import * as queries from './views.queries.ts';

/** A showing that its player reports as watched. */
export interface WatchedReel {
  reelId: string;
  /** Hashes of the viewer, by `viewerOf`, and of the network of the showing. They are stored hashed with the key of the month. */
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

/** `gone`: the reel is not public any more. `held`: from the creator's own network, which other people may turn out to use, too. */
type Outcome = 'counted' | 'held' | 'own' | 'repeated' | 'over_limit' | 'copy' | 'gone';

/**
 * Records a batch of watched views in one transaction: the views, the months of their reels, and the months of their creators. A viewer
 * counts once for a reel on a day of the business time zone, and a showing once, whichever report of it is recorded first
 * (docs/decisions/0053-watched-views.md).
 */
export async function recordWatched(
  { db, config, keyring, outbox }: Context<'db' | 'config' | 'keyring' | 'outbox'>,
  reports: readonly WatchedReel[],
): Promise<boolean[]> {
  const days = reports.map(({ at }) => dayOf(at, config.timeZone));
  const otherDays = otherDaysOf(reports, days, config.timeZone);
  const storedHashOf = await hasherFor(keyring, [...days, ...otherDays].map(monthOfDay));
  return await inTransaction(db, async (given) => {
    const trx = await mustBeOpen(given, new Set(days.map(monthOfDay)));
    const ids = [...new Set(reports.map(({ reelId }) => reelId))];
    const creators = await queries.creatorsOf(trx, ids);
    const views = reports.map((report, index) => {
      const [day = '', otherDay = ''] = [days[index], otherDays[index]];
      const month = monthOfDay(day);
      const viewerOn = (one: string) => storedHashOf(monthOfDay(one), report.viewer);
      return {
        ...report,
        creatorId: creators.get(report.reelId) ?? '',
        other: otherDay === day ? undefined : { day: otherDay, viewer: viewerOn(otherDay) },
        viewer: viewerOn(day),
        address: storedHashOf(month, report.address),
        browser: report.browser?.toString('hex'),
        day,
      };
    });
    await queries.lockLeases(trx, views);
    // Before the reels, in the order in which an account is recorded in a network.
    const atHome = await findAtHome(
      trx,
      views.filter(({ signedIn, reelId }) => !signedIn && creators.has(reelId)),
    );
    const reels = new Map((await queries.lockPublic(trx, ids)).map((reel) => [reel.id, reel]));
    const outcomes = await outcomesOf(trx, views, { reels, atHome });
    const those = (outcome: Outcome) => views.filter((view) => outcomes.get(view) === outcome);
    const held = those('held');
    const stored = await insertHeldViews(trx, held);
    for (const view of held) outcomes.set(view, stored.has(queries.watchedOf(view)) ? 'own' : 'repeated');
    const counted = those('counted');

    const signedIn = counted.flatMap(({ personId, ...view }) =>
      personId === undefined ? [] : [{ ...view, personId }],
    );
    const mail = new Map<string, boolean>();
    for (const month of new Set(signedIn.map(({ day }) => monthOfDay(day))))
      mail.set(month, await mailOfMonth(trx, month, outbox.isOn));
    const withMail = signedIn.map((view) => ({ ...view, hasMail: mail.get(monthOfDay(view.day)) === true }));
    await addSignedInViews(trx, withMail, config.timeZone);
    const counters = views.flatMap((view) => {
      const outcome = outcomes.get(view);
      if (outcome === undefined || outcome === 'gone') return [];
      const { reelId, creatorId, day } = view;
      return [{ reelId, creatorId, month: monthOfDay(day), verdict: outcome, views: 1 }];
    });
    await queries.addToReelMonths(trx, counters);
    await addToMonths(trx, countsByMonth(counted));
    return views.map((view) => outcomes.get(view) === 'counted');
  });
}

/** The other day on which the lease of each report is valid, or else the day of the report. */
function otherDaysOf(reports: readonly WatchedReel[], days: readonly string[], timeZone: string): string[] {
  const daysShown = reports.map(({ issuedAt }) => dayOf(issuedAt, timeZone));
  return reports.map(({ issuedAt }, index) => {
    const [day = '', dayShown = ''] = [days[index], daysShown[index]];
    if (day !== dayShown) return dayShown;
    return dayOf(new Date(issuedAt.getTime() + rules.watch.leaseMinutes * 60_000), timeZone);
  });
}

type View = queries.ReportedView & queries.SpentTime & PossiblyOwnView & Pick<WatchedReel, 'personId'>;

/**
 * The outcome of each report, by the first reason that applies. Of equal reports in one batch the first one counts. Those that count are
 * recorded: whether one was recorded before is known by inserting it, which costs less than to look for it.
 */
async function outcomesOf(
  trx: Transaction<Tables>,
  views: readonly View[],
  { reels, atHome }: { reels: ReadonlyMap<string, queries.PublicReel>; atHome: ReadonlySet<View> },
): Promise<Map<View, Outcome>> {
  const outcomes = new Map<View, Outcome>();
  const isCopy = ({ reelId }: View) => reels.get(reelId)?.duplicate === true;
  const candidates = new Map<string, View>();
  for (const view of views) {
    const reel = reels.get(view.reelId);
    const key = queries.watchedOf(view);
    const onOtherDay = candidates.get(queries.otherOf(view) ?? '');
    if (!reel) outcomes.set(view, 'gone');
    else if (reel.creator_id === view.personId) outcomes.set(view, 'own');
    // Other views of a copy are recorded, since a person may find that it is none.
    else if (reel.duplicate && atHome.has(view)) outcomes.set(view, 'copy');
    else if (candidates.has(key) || onOtherDay?.issuedAt.getTime() === view.issuedAt.getTime())
      outcomes.set(view, 'repeated');
    else candidates.set(key, view);
  }
  const possible = [...candidates.values()];
  const withBrowser = possible.filter(({ browser }) => browser !== undefined);
  const own = await findFromOwnBrowsers(trx, withBrowser);
  for (const [place, view] of withBrowser.entries()) if (own.has(place)) outcomes.set(view, 'own');
  const undecided = (among: readonly View[]) => among.filter((view) => !outcomes.has(view));
  const reported = await queries.findReported(trx, undecided(possible));
  const recorded = await queries.findRecorded(
    trx,
    undecided(possible).filter((view) => atHome.has(view) || reels.get(view.reelId)?.counts_from),
  );
  const setRepeated = (among: readonly View[], isRepeated: (key: string) => boolean) => {
    for (const view of undecided(among))
      if (isRepeated(queries.watchedOf(view))) outcomes.set(view, 'repeated');
  };
  setRepeated(possible, (key) => reported.has(key) || recorded.has(key));
  const counting = undecided(possible).filter((view) => !atHome.has(view));
  // In a fixed order, since an insert waits for an equal one of another server.
  const byTable = [
    ['copy_views', counting.filter(isCopy)],
    ['watched_views', counting.filter((view) => !isCopy(view))],
  ] as const;
  for (const [table, those] of byTable) {
    const inserted = await queries.insertWatched(trx, table, those);
    setRepeated(those, (key) => !inserted.has(key));
  }

  // Each round has at most one view of a viewer, the earliest showing first.
  let left = undecided(possible).sort((one, other) => one.issuedAt.getTime() - other.issuedAt.getTime());
  while (left.length > 0) {
    const round = [...new Map(left.toReversed().map((view) => [view.viewer, view])).values()];
    const accepted = await queries.advanceClocks(trx, round);
    for (const view of round) {
      const outcome = atHome.has(view) ? 'held' : isCopy(view) ? 'copy' : 'counted';
      outcomes.set(view, accepted.has(view.viewer) ? outcome : 'over_limit');
    }
    left = undecided(left);
  }
  for (const [table, those] of byTable)
    await queries.deleteWatched(
      trx,
      table,
      those.filter((view) => outcomes.get(view) === 'over_limit'),
    );
  return outcomes;
}

/**
 * Those of these views without a login that are from a network of the creator in which too few others were seen so far. Locks, so that a
 * transaction that later stores the creator or another person there finds these views.
 */
async function findAtHome(trx: Transaction<Tables>, views: readonly View[]): Promise<Set<View>> {
  if (views.length === 0) return new Set();
  const creatorIds = [...new Set(views.map(({ creatorId }) => creatorId))];
  await lockOwnNetworks(trx, creatorIds, 'shared');
  // Most creators were not signed in on the day of a view.
  const seen = await findSeenOn(trx, creatorIds, [...new Set(views.map(({ day }) => day))]);
  const possible = views.filter(({ creatorId }) => seen.has(creatorId));
  if (possible.length === 0) return new Set();
  const places = await findFromOwnNetworks(trx, possible);
  const atHome = possible.filter((_, place) => places.has(place));
  if (atHome.length === 0) return new Set();
  await lockNetworks(
    trx,
    atHome.map(({ address }) => address),
    'shared',
  );
  const shared = await findShared(trx, atHome);
  return new Set(atHome.filter((_, place) => !shared.has(place)));
}

function countsByMonth(views: readonly View[]) {
  const months = Map.groupBy(views, ({ creatorId, day }) => `${creatorId} ${monthOfDay(day)}`);
  return [...months.values()].flatMap(([first, ...others]) =>
    first ? [{ creatorId: first.creatorId, month: monthOfDay(first.day), views: 1 + others.length }] : [],
  );
}
