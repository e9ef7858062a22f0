import { removePersisted } from '#web/persisted-lists.ts';
import { cacheNames, storageKeys } from '#web/storage-keys.ts';

/** Notifies all tabs that the person has logged out in this browser. */
const channel =
  import.meta.env.SSR || typeof BroadcastChannel === 'undefined'
    ? undefined
    : new BroadcastChannel('jhalak.left');

/**
 * Deletes what this device stores about the person who logs out, in all tabs: persisted lists, drafts, unfinished
 * uploads, compressed videos, files shared by other apps, congratulations, which reels were seen, watched and muted, and the push subscription, even if the logout did not
 * reach the server. Settings of the device (theme, language, sound, autoplay, captions) stay.
 */
export async function deletePersonalData(): Promise<void> {
  removePersisted();
  forgetIn(() => localStorage, storageKeys.uploads);
  forgetIn(() => localStorage, storageKeys.congratulated);
  forgetIn(() => localStorage, storageKeys.reelsSeen);
  forgetIn(() => localStorage, storageKeys.muted);
  forgetIn(() => localStorage, storageKeys.leftBy);
  forgetIn(() => localStorage, 'push.');
  forgetDrafts();
  channel?.postMessage('left');
  // If storage is forbidden, nothing was stored.
  await Promise.resolve()
    .then(() => Promise.all([cacheNames.compressed, cacheNames.shared].map((name) => caches.delete(name))))
    .catch(() => undefined);
  // A push service may be slow to answer; a logout does not wait for it.
  await Promise.race([endPush().catch(() => undefined), new Promise((done) => setTimeout(done, 2000))]);
}

/** Unsubscribes the browser from push messages and closes those on the screen, before another person uses it. */
async function endPush(): Promise<void> {
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Stores the owner of data that stays on the device after the server has ended the session, for their next login. */
export function leaveDataOf(person: string): void {
  try {
    localStorage.setItem(storageKeys.leftBy, person);
  } catch {
    // Storage is forbidden: nothing was stored.
  }
}

/** Deletes the data that another person left on this device; the same person keeps theirs. */
export async function forgetOthersThan(person: string): Promise<void> {
  let other: string | null = null;
  try {
    other = localStorage.getItem(storageKeys.leftBy);
  } catch {
    // Storage is forbidden: nothing was stored.
  }
  if (other !== null && other !== person) await deletePersonalData();
  forgetIn(() => localStorage, storageKeys.leftBy);
}

/** Each tab has its own drafts, and its own visit. */
const forgetDrafts = () => {
  forgetIn(() => sessionStorage, storageKeys.drafts);
  forgetIn(() => sessionStorage, storageKeys.visit);
};

function forgetIn(storage: () => Storage, beginning: string): void {
  try {
    for (const key of Object.keys(storage())) if (key.startsWith(beginning)) storage().removeItem(key);
  } catch {
    // If storage is forbidden, nothing was stored.
  }
}

/** Deletes the data of this tab as well after a logout in another one. */
export function deleteWhenLoggedOut(forgetMore: () => void): void {
  channel?.addEventListener('message', () => {
    forgetDrafts();
    forgetMore();
  });
}
