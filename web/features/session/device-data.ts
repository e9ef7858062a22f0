import { removePersisted } from '#web/persisted-lists.ts';

/** Where this tab and the others hear that somebody has logged out of this browser. */
const channel =
  import.meta.env.SSR || typeof BroadcastChannel === 'undefined'
    ? undefined
    : new BroadcastChannel('jhalak.left');

/**
 * Forgets what this device stores of the person who leaves, for whoever uses it next: what was kept of lists, drafts, uploads
 * that were not finished, videos made smaller for them, files that other apps shared, what they were congratulated on; in all tabs. What somebody chose for this device (theme, language,
 * sound, captions) stays.
 */
export async function forgetPerson(): Promise<void> {
  removePersisted();
  forgetIn(() => localStorage, 'upload.');
  forgetIn(() => localStorage, 'congratulated');
  forgetIn(() => localStorage, leftBy);
  forgetDrafts();
  channel?.postMessage('left');
  // Storage is forbidden: nothing was kept.
  await Promise.resolve()
    .then(() => Promise.all(['jhalak-smaller-1', 'jhalak-shared-1'].map((name) => caches.delete(name))))
    .catch(() => undefined);
}

/** Whose data is still stored here after the server has ended the session. */
const leftBy = 'leftBy';

/** Notes whose data stays on the device, for when that person comes back. */
export function leaveDataOf(person: string): void {
  try {
    localStorage.setItem(leftBy, person);
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}

/** Forgets what somebody else has left on this device; whoever comes back finds their own. */
export async function forgetOthersThan(person: string): Promise<void> {
  let other: string | null = null;
  try {
    other = localStorage.getItem(leftBy);
  } catch {
    // Storage is forbidden: nothing was kept.
  }
  if (other !== null && other !== person) await forgetPerson();
  forgetIn(() => localStorage, leftBy);
}

/** Each tab has drafts of its own. */
const forgetDrafts = () => forgetIn(() => sessionStorage, 'jhalak.draft.');

function forgetIn(storage: () => Storage, beginning: string): void {
  try {
    for (const key of Object.keys(storage())) if (key.startsWith(beginning)) storage().removeItem(key);
  } catch {
    // Storage is forbidden: nothing was kept.
  }
}

/** Has a tab forget as well when somebody logs out in another one. */
export function forgetWhenLeft(forgetMore: () => void): void {
  channel?.addEventListener('message', () => {
    forgetDrafts();
    forgetMore();
  });
}
