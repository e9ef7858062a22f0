import { storageKeys } from '#web/storage-keys.ts';

/** When Home was shown last on this device; undefined at the first visit. Stores that it is shown now. */
export function takeLastVisit(): Date | undefined {
  try {
    const before = Number(localStorage.getItem(storageKeys.lastVisit));
    localStorage.setItem(storageKeys.lastVisit, String(Date.now()));
    return before > 0 ? new Date(before) : undefined;
  } catch {
    // Storage is forbidden: nothing is known of an earlier visit.
    return undefined;
  }
}
