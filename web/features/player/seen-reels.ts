import { storageKeys } from '#web/storage-keys.ts';

const atMost = 400;

/** The reels that this device has played last. */
export function seenReels(): ReadonlySet<string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKeys.reelsSeen) ?? '[]');
    // A browser may hold data of another version of the site.
    return new Set(Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []);
  } catch {
    return new Set();
  }
}

export function rememberSeen(id: string): void {
  const ids = [...new Set([id, ...seenReels()])].slice(0, atMost);
  try {
    localStorage.setItem(storageKeys.reelsSeen, JSON.stringify(ids));
  } catch {
    // Storage is full or forbidden, so the next visit starts with the newest reel.
  }
}
