import { useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { removePersisted } from '#web/persisted-lists.ts';
import { queryClient } from '#web/query-client.ts';
import { deleteWhenLoggedOut } from './device-data.ts';
import {
  currentSession,
  onSessionBegin,
  onSessionChange,
  type Session,
  signedOut,
  takeStoredSession,
} from './session.ts';

/** The current session. During hydration nobody is signed in, as in the server's page. */
export function useSession(): Session {
  return useSyncExternalStore(onSessionChange, currentSession, () => signedOut);
}

// A signed-in person's lists may leave people out, so those that a visitor got are loaded again.
onSessionBegin(() => {
  removePersisted('people');
  queryClient().removeQueries({ type: 'inactive' });
  void queryClient().invalidateQueries();
});

deleteWhenLoggedOut(() => clearQueriesAfter(takeStoredSession));

/**
 * Clears the cached answers once the session has ended. What shows them is removed first: a component that is still
 * mounted would ask for its data again, without a token.
 */
export function clearQueriesAfter(end: () => void): void {
  flushSync(end);
  queryClient().clear();
}
