import { flushSync } from 'react-dom';
import { useSelector } from 'react-redux';
import { queryClient } from '#web/query-client.ts';
import { deleteWhenLoggedOut } from './device-data.ts';
import { type Session, type SessionState, takeStoredSession } from './session.ts';

/** The current session. During hydration nobody is signed in, as in the server's page. */
export function useSession(): Session {
  return useSelector((state: SessionState) => state.auth);
}

deleteWhenLoggedOut(() => clearQueriesAfter(takeStoredSession));

/**
 * Clears the cached answers once the session has ended. What shows them is removed first: a component that is still
 * mounted would ask for its data again, without a token.
 */
export function clearQueriesAfter(end: () => void): void {
  flushSync(end);
  queryClient().clear();
}
