import { useSelector } from 'react-redux';
import { logOut } from '../../../contract/accounts.ts';
import { call } from '../../api.ts';
import { queryClient } from '../../query-client.ts';
import { forgetPerson, forgetWhenLeft } from './device-data.ts';
import { endSession, type Session, type SessionState } from './session.ts';

/** Who is signed in. While the server's page is being taken over it is nobody, as the server knew nobody. */
export function useSession(): Session {
  return useSelector((state: SessionState) => state.auth);
}

forgetWhenLeft(() => queryClient().clear());

/** How long a server that does not answer may hold up a logout, in milliseconds. */
const patience = 4000;

/**
 * Logs out on this device: here and at the server. No token of an identity provider was kept, and the next sign-in there asks again who it
 * is. The caller then leads to /LoginGoogle (specification §4).
 */
export async function leaveSession(): Promise<void> {
  // Errors are ignored: the token is forgotten here, and expires there (specification §4).
  const signal = AbortSignal.timeout(patience);
  await call(logOut, { body: {} }, { signal }).catch(() => undefined);
  await forgetSession();
}

/** The same on every device, a lost phone too. Throws where the server did not do it: then nobody is logged out anywhere. */
export async function leaveEverywhere(): Promise<void> {
  await call(logOut, { body: { everywhere: true } });
  await forgetSession();
}

/** Forgets who was signed in, and what this device stores of them. */
export async function forgetSession(): Promise<void> {
  endSession();
  queryClient().clear();
  await forgetPerson();
}
