import { useSelector } from 'react-redux';
import { logOut } from '../../../contract/accounts.ts';
import { call } from '../../api.ts';
import { queryClient } from '../../query-client.ts';
import { endSession, type Session, type SessionState } from './session.ts';

/** Who is signed in. While the server's page is being taken over it is nobody, as the server knew nobody. */
export function useSession(): Session {
  return useSelector((state: SessionState) => state.auth);
}

/** How long a server that does not answer may hold up a logout, in milliseconds. */
const patience = 4000;

/**
 * Logs out here and at the server. No token of an identity provider was kept, and the next sign-in there asks again who it
 * is. The caller then leads to /LoginGoogle (specification §4).
 */
export async function leaveSession(): Promise<void> {
  // Errors are ignored: the token is forgotten here, and expires there (specification §4).
  await call(logOut, undefined, { signal: AbortSignal.timeout(patience) }).catch(() => undefined);
  endSession();
  queryClient().clear();
}
