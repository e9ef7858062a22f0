import { configureStore, createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { Self } from '#contract/people.ts';
import { removePersisted } from '#web/persisted-lists.ts';
import { forgetOthersThan, leaveDataOf } from './device-data.ts';

/** What the site knows of the person signed in; where the server gave no user, only an e-mail address (specification §3). */
export type SessionUser = Partial<Self> & { email: string };

export interface Session {
  user: SessionUser | null;
  token: string | null;
  /** The server ended it: it expired, or was ended elsewhere. */
  expired?: boolean;
}

export const signedOut: Session = { user: null, token: null };
const ended: Session = { ...signedOut, expired: true };

const auth = createSlice({
  name: 'auth',
  initialState: signedOut,
  reducers: {
    changed: (_, { payload }: PayloadAction<Session>) => payload,
  },
});

/** What the browser kept. Both values or nobody is signed in (specification §4). */
function restored(): Session {
  try {
    const user = JSON.parse(localStorage.getItem('user') ?? 'null') as SessionUser | null;
    const token = localStorage.getItem('authToken');
    return user && token ? { user, token } : signedOut;
  } catch {
    return signedOut;
  }
}

/** The app store holds the authentication slice only (specification §3). */
export const newStore = () =>
  configureStore({
    reducer: { auth: auth.reducer },
    preloadedState: { auth: import.meta.env.SSR ? signedOut : restored() },
  });
export type SessionState = { auth: Session };

const ofThisBrowser = import.meta.env.SSR ? undefined : newStore();
/** Where tabs tell each other of a token that the server has refused; local storage says only that nobody is signed in. */
const channel =
  import.meta.env.SSR || typeof BroadcastChannel === 'undefined'
    ? undefined
    : new BroadcastChannel('jhalak.expired');
export const sessionStore = () => ofThisBrowser ?? newStore();

export const currentToken = () => ofThisBrowser?.getState().auth.token ?? null;

const nameOf = ({ _id, email }: SessionUser) => _id ?? email;

/** Signs in: here, in other tabs, and for the next visit. What somebody else has left on this device is forgotten first. */
export async function beginSession(user: SessionUser, token: string): Promise<void> {
  await forgetOthersThan(nameOf(user));
  keep({ user, token });
}

/** Replaces what is known of the person signed in. */
export function updateSessionUser(user: SessionUser): void {
  const token = currentToken();
  if (!token) return;
  // Where another tab has logged out a moment ago, nothing that it removed is written again.
  if (restored().token === token) keep({ user, token });
  else ofThisBrowser?.dispatch(auth.actions.changed({ user, token }));
}

/** Signs out, unless somebody else signed in meanwhile; what this browser kept of the person goes along. */
export function endSession(token = currentToken()): void {
  if (token !== currentToken()) return;
  keep(signedOut);
}

/** The same, after the server has refused the token; the pages of all tabs then say that the session has ended. */
export function expireSession(token: string): void {
  if (token !== currentToken()) return;
  const { user } = ofThisBrowser?.getState().auth ?? signedOut;
  if (user) leaveDataOf(nameOf(user));
  keep(ended);
  channel?.postMessage(token);
}

function keep(session: Session): void {
  ofThisBrowser?.dispatch(auth.actions.changed(session));
  document.documentElement.classList.toggle('signed-in', session.token !== null);
  try {
    if (session.user && session.token) {
      localStorage.setItem('user', JSON.stringify(session.user));
      localStorage.setItem('authToken', session.token);
    } else {
      localStorage.removeItem('user');
      localStorage.removeItem('authToken');
      // What is nobody else's does not stay for whoever uses this browser next.
      removePersisted('notifications.');
    }
  } catch {
    // Storage is full or forbidden: signed in for as long as the page lives.
  }
}

if (ofThisBrowser) {
  const follow = () => {
    const session = restored();
    // Whether the session was ended by the server, the other tab may have told already.
    if (!session.token && !currentToken()) return;
    ofThisBrowser.dispatch(auth.actions.changed(session));
    document.documentElement.classList.toggle('signed-in', session.token !== null);
  };
  window.addEventListener('storage', ({ key }) => {
    if (key === 'user' || key === 'authToken' || key === null) follow();
  });
  channel?.addEventListener('message', ({ data: token }: MessageEvent<string>) => {
    // Local storage may say the same earlier or later; somebody who has signed in since then stays signed in.
    if ([currentToken(), restored().token].some((known) => known && known !== token)) return;
    ofThisBrowser.dispatch(auth.actions.changed(ended));
    document.documentElement.classList.remove('signed-in');
  });
  // A page that Back brings out of the browser's memory has heard of nothing meanwhile.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted && restored().token !== currentToken()) follow();
  });
}
