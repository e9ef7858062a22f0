import { useSelector } from 'react-redux';
import { logOut } from '#contract/accounts.ts';
import type { Answer } from '#contract/endpoint.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
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
 * Logs out on this device: here and at the server. The caller then leads to the address that this returns: /LoginGoogle, by way of
 * the identity provider where that opened the session and lets people log out (specification §4).
 */
export async function leaveSession(): Promise<string> {
  // Errors are ignored: the token is forgotten here, and expires there (specification §4).
  const signal = AbortSignal.timeout(patience);
  const answer = await call(logOut, { body: {} }, { signal }).catch(() => undefined);
  await forgetSession();
  return wayOut(answer?.endSession);
}

/** The same on every device, a lost phone too. Throws where the server did not do it: then nobody is logged out anywhere. */
export async function leaveEverywhere(): Promise<string> {
  const { endSession } = await call(logOut, { body: { everywhere: true } });
  await forgetSession();
  return wayOut(endSession);
}

const afterLogout = '/LoginGoogle';

/** No token of the provider was kept, so it is told by the client's id who asks, and asks the person itself. */
function wayOut(endSession: Answer<typeof logOut>['endSession']): string {
  if (!endSession) return afterLogout;
  const address = new URL(endSession.endpoint);
  address.searchParams.set('client_id', endSession.clientId);
  address.searchParams.set('post_logout_redirect_uri', new URL(afterLogout, location.origin).href);
  return address.href;
}

/** Forgets who was signed in, and what this device stores of them. */
export async function forgetSession(): Promise<void> {
  endSession();
  queryClient().clear();
  await forgetPerson();
}
