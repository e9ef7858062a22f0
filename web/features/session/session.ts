import type { Self } from '#contract/people.ts';
import { removePersisted } from '#web/persisted-lists.ts';
import { storageKeys } from '#web/storage-keys.ts';
import { forgetOthersThan, leaveDataOf } from './device-data.ts';

/** The signed-in person; only an e-mail address if the server sent no user (specification §3). */
export type SessionUser = Partial<Self> & { email: string };

export interface Session {
  user: SessionUser | null;
  token: string | null;
  /** Whether the server ended the session: it expired, or was ended on another device. */
  expired?: boolean;
}

export const signedOut: Session = { user: null, token: null };
const ended: Session = { ...signedOut, expired: true };

/** The stored session. Without both values nobody is signed in (specification §4). */
function restored(): Session {
  try {
    const user = JSON.parse(localStorage.getItem(storageKeys.user) ?? 'null') as SessionUser | null;
    const token = localStorage.getItem(storageKeys.token);
    return user && token ? { user, token } : signedOut;
  } catch {
    return signedOut;
  }
}

/** The app store, which holds the session only (specification §3). On the server nobody is signed in. */
let session: Session = import.meta.env.SSR ? signedOut : restored();
const listeners = new Set<() => void>();

export const currentSession = () => session;
export const currentToken = () => session.token;

/** Calls a function whenever the session changes. Returns what ends that. */
export function onSessionChange(changed: () => void): () => void {
  listeners.add(changed);
  return () => void listeners.delete(changed);
}

function changeSession(next: Session): void {
  session = next;
  for (const changed of [...listeners]) changed();
}

/** Passes a refused token to the other tabs. Local storage would only show that nobody is signed in. */
const channel =
  import.meta.env.SSR || typeof BroadcastChannel === 'undefined'
    ? undefined
    : new BroadcastChannel('jhalak.expired');

/** Calls a function whenever somebody has signed in, here or in another tab. */
export function onSessionBegin(begun: () => void): void {
  let before = currentToken();
  onSessionChange(() => {
    const token = currentToken();
    const isNew = token !== null && token !== before;
    before = token;
    if (isNew) begun();
  });
}

const nameOf = ({ _id, email }: SessionUser) => _id ?? email;

/** Signs in: here, in other tabs, and for the next visit. Data of another person on this device is deleted first. */
export async function beginSession(user: SessionUser, token: string): Promise<void> {
  await forgetOthersThan(nameOf(user));
  store({ user, token });
}

/**
 * Updates the data of the signed-in person. Another tab may log out at the same time, so the token is not written again, and the
 * person only if something changed.
 */
export function updateSessionUser(user: SessionUser): void {
  const token = currentToken();
  if (!token) return;
  changeSession({ user, token });
  try {
    const changed = JSON.stringify(user);
    // If another tab has logged out in the meantime, nothing is stored again.
    if (restored().token === token && localStorage.getItem(storageKeys.user) !== changed)
      localStorage.setItem(storageKeys.user, changed);
  } catch {
    // If storage is full or forbidden, the change lasts as long as the page.
  }
}

/** Signs out, unless another person signed in meanwhile, and deletes stored personal data. */
export function endSession(token = currentToken()): void {
  if (token !== currentToken()) return;
  store(signedOut);
}

/**
 * Removes the stored session while this page still uses it. The next page, here or in another tab, is signed out, even if the
 * person does not wait for the end of the logout.
 */
export function forgetStoredSession(): void {
  const { user } = session;
  if (user) leaveDataOf(nameOf(user));
  removeStored();
}

/** Signs out after the server has refused the token. All tabs then show that the session has ended. */
export function expireSession(token: string): void {
  if (token !== currentToken()) return;
  const { user } = session;
  if (user) leaveDataOf(nameOf(user));
  store(ended);
  channel?.postMessage(token);
}

/** Takes over the stored session, which another tab may have begun or ended. */
export function takeStoredSession(): void {
  const stored = restored();
  // The other tab may have reported already that the server ended the session.
  if (!stored.token && !currentToken()) return;
  showSession(stored);
}

function showSession(next: Session): void {
  changeSession(next);
  document.documentElement.classList.toggle('signed-in', next.token !== null);
}

function store(next: Session): void {
  showSession(next);
  try {
    if (next.user && next.token) {
      localStorage.setItem(storageKeys.user, JSON.stringify(next.user));
      localStorage.setItem(storageKeys.token, next.token);
    } else {
      removeStored();
      // Notifications are personal, so they are deleted for the next user of this browser.
      removePersisted('notifications.');
    }
  } catch {
    // If storage is full or forbidden, the session lasts as long as the page.
  }
}

function removeStored(): void {
  try {
    localStorage.removeItem(storageKeys.user);
    localStorage.removeItem(storageKeys.token);
  } catch {
    // Storage is forbidden: nothing was stored.
  }
}

if (!import.meta.env.SSR) {
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKeys.user || key === storageKeys.token || key === null) takeStoredSession();
  });
  channel?.addEventListener('message', ({ data: token }: MessageEvent<string>) => {
    // Local storage may change earlier or later. A person who has signed in since then stays signed in.
    if ([currentToken(), restored().token].some((known) => known && known !== token)) return;
    showSession(ended);
  });
  // A page restored from the back-forward cache has missed all messages.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && restored().token !== currentToken()) takeStoredSession();
  });
}
