import { rules } from '#contract/earning-rules.ts';
import type { Context } from '#server/platform/context.ts';
import { findOlderAppsUntil } from './older-apps.ts';
import { deleteLastShowing, type LastShowing, replaceLastShowing } from './views.queries.ts';

interface Showing extends Pick<LastShowing, 'personId' | 'at'> {
  /** Undefined if this showing itself can never count: of an own reel. It still ends the previous one. */
  reel: Pick<LastShowing, 'reelId' | 'neededMs'> | undefined;
}

/**
 * Older apps know no leases and report nothing. Until a date that was stored at the site's first start, the showing of a signed-in person
 * counts as watched if the person's next one comes after five seconds and within ten minutes. Returns that earlier showing.
 */
export async function watchedByPace(
  { db }: Context<'db'>,
  { personId, at, reel }: Showing,
): Promise<LastShowing | undefined> {
  const until = await findOlderAppsUntil(db);
  if (!until || at >= until) return undefined;
  const before = reel
    ? await replaceLastShowing(db, { personId, at, ...reel })
    : await deleteLastShowing(db, personId);
  if (!before) return undefined;
  const passed = at.getTime() - before.at.getTime();
  const { seconds, leaseMinutes } = rules.watch;
  return passed >= seconds * 1000 && passed <= leaseMinutes * 60_000 ? before : undefined;
}
