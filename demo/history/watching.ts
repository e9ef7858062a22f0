import { createHash } from 'node:crypto';
import { viewerOf } from '#server/features/views/viewers.ts';
import { recordWatched, type WatchedReel } from '#server/features/views/watched.ts';
import { clips } from '../clips/catalogue.ts';
import { contextAt, type Demo } from '../demo.ts';
import { viewers } from '../people.ts';
import { hasHappened, note, noted } from '../progress.ts';
import { joinViewers } from '../society.ts';
import { showingsOf } from './history.ts';
import { visitsOf, type Watched } from './visits.ts';

const atOnce = 2000;
const second = 1000;
/** The server wants four of these five seconds. */
const neededMs = 4000;

/**
 * Adds the watched views of all reels, oldest first, because the clock of a viewer goes forward only. Added again they count
 * once, so what was cut off begins anew.
 */
export async function addWatching(demo: Demo): Promise<void> {
  const { db, now, signal } = demo;
  if (await hasHappened(db, 'watched')) return;
  const reels = new Map<number, string>();
  for (const index of clips.keys()) {
    const reelId = await noted(db, `clip ${index}`);
    if (reelId) reels.set(index, reelId);
  }
  const ids = await joinViewers(demo);
  const all = watchedUntil(now);
  for (let from = 0; from < all.length; from += atOnce) {
    signal.throwIfAborted();
    const views = all.slice(from, from + atOnce).flatMap((view) => {
      const reelId = reels.get(view.clip);
      const personId = view.viewer === undefined ? undefined : ids[view.viewer];
      return reelId ? [asReport(demo, view, { reelId, personId })] : [];
    });
    await recordWatched(contextAt(demo, now), views);
  }
  await note(db, 'watched');
}

function asReport(
  { keyring }: Demo,
  { at, visitor }: Watched,
  { reelId, personId }: Pick<WatchedReel, 'reelId' | 'personId'>,
): WatchedReel {
  const of = (what: string) => createHash('sha256').update(`demo ${what}`).digest();
  return {
    reelId,
    viewer: personId
      ? viewerOf(keyring.secret('viewers'), { personId, address: '', userAgent: '' })
      : of(`visitor ${visitor}`).subarray(0, 16),
    address: of(`network of ${personId ?? visitor}`).subarray(0, 8),
    signedIn: personId !== undefined,
    personId,
    issuedAt: new Date(at.getTime() - 5 * second),
    at,
    neededMs,
  };
}

/** All watched views until now, or those of visitors of some clips, oldest first, the same at every start. */
export function watchedUntil(now: Date, among: Iterable<number> = clips.keys()): Watched[] {
  const views: Watched[] = [];
  let visitor = 0;
  for (const clip of among)
    for (const { at, who, watched } of showingsOf(clip, now)) {
      if (who === 'visitor') visitor += 1;
      if (watched && (who === 'visitor' || who === 'same')) views.push({ clip, at, visitor });
    }
  for (const viewer of viewers.keys()) views.push(...visitsOf(viewer, now));
  return views.sort((one, other) => one.at.getTime() - other.at.getTime());
}
