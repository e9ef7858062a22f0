import { storageKeys } from '#web/storage-keys.ts';

/** As `tasteLimits.seen` (contract/taste.ts), which the player does not load: it would exceed its script budget. */
const atMost = 2000;
/** In milliseconds: 30 days (contract/taste.ts, `tasteDays`). */
const rememberedFor = 30 * 24 * 3_600_000;

/** The id of a reel, and when it was played last, in milliseconds. */
type Seen = [id: string, at: number];

const isSeen = (one: unknown): one is Seen =>
  Array.isArray(one) && typeof one[0] === 'string' && typeof one[1] === 'number';

function stored(): Seen[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(storageKeys.reelsSeen) ?? '[]');
    // A browser may hold data of another version of the site.
    const all = Array.isArray(found) ? found.filter(isSeen) : [];
    return all.filter(([, at]) => at > Date.now() - rememberedFor);
  } catch {
    return [];
  }
}

/** The reels that this device has played in the last 30 days, newest first. */
export const seenReels = (): ReadonlySet<string> => new Set(stored().map(([id]) => id));

export function rememberSeen(id: string): void {
  const all: Seen[] = [[id, Date.now()], ...stored().filter(([other]) => other !== id)];
  try {
    localStorage.setItem(storageKeys.reelsSeen, JSON.stringify(all.slice(0, atMost)));
  } catch {
    // Storage is full or forbidden, so the next visit starts with the newest reel.
  }
}
