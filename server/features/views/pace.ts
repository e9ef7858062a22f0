import { rulesOf } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { findWatchingStart } from '../earnings/watching-start.ts';
import { deleteLastShowing, type LastShowing, replaceLastShowing } from './views.queries.ts';

interface Showing extends Pick<LastShowing, 'personId' | 'at'> {
  /** Undefined if this showing itself can never count: of an own reel. It still ends the previous one. */
  reel: Pick<LastShowing, 'reelId' | 'neededMs'> | undefined;
}

/**
 * Apps from before leases report nothing. Until a date that is stored with the rules, the showing of a signed-in person counts as watched
 * if the person's next one comes after five seconds and within ten minutes. Returns that earlier showing.
 */
export async function watchedByPace(
  { db, config }: Context<'db' | 'config'>,
  { personId, at, reel }: Showing,
): Promise<LastShowing | undefined> {
  const start = await findWatchingStart(db);
  if (!start || at >= start.paceUntil) return undefined;
  const before = reel
    ? await replaceLastShowing(db, { personId, at, ...reel })
    : await deleteLastShowing(db, personId);
  if (!before) return undefined;
  const passed = at.getTime() - before.at.getTime();
  const { seconds, leaseMinutes } = rulesOf(monthOf(before.at, config.timeZone)).watch;
  return passed >= seconds * 1000 && passed <= leaseMinutes * 60_000 ? before : undefined;
}
