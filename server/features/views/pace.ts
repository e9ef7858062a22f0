import { watchRules } from '#contract/rates.ts';
import type { Context } from '#server/platform/context.ts';
import { findWatchingStart } from '../earnings/watching-start.ts';
import { type LastShowing, replaceLastShowing } from './views.queries.ts';

/** The next showing after this many milliseconds, and not later, says that the one before was watched. */
const [shortest, longest] = [watchRules.seconds * 1000, watchRules.leaseMinutes * 60_000];

/**
 * Apps from before leases report nothing. Until a date that is stored with the rules, the showing of a signed-in person
 * counts as watched if their own next one comes after five seconds and within ten minutes. Returns that earlier showing.
 */
export async function watchedByPace(
  { db }: Context<'db'>,
  showing: LastShowing,
): Promise<LastShowing | undefined> {
  const start = await findWatchingStart(db);
  if (!start || showing.at >= start.paceUntil) return undefined;
  const before = await replaceLastShowing(db, showing);
  const passed = before ? showing.at.getTime() - before.at.getTime() : 0;
  return passed >= shortest && passed <= longest ? before : undefined;
}
