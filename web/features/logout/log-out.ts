import { logOut } from '#contract/accounts.ts';
import type { AnswerOf } from '#contract/endpoint.ts';
import { call } from '#web/api.ts';
import { deletePersonalData } from '../session/device-data.ts';
import { endSession, forgetStoredSession } from '../session/session.ts';
import { clearQueriesAfter } from '../session/use-session.ts';

/** Maximum time for the server to answer a logout, in milliseconds. */
const timeout = 4000;

/**
 * Logs out on this device and at the server. Returns the address to go to: /LoginGoogle, by way of the identity
 * provider if it opened the session and supports logout (specification §4).
 */
export async function logOutHere(): Promise<string> {
  // The person may open another page at once: that page is signed out, and the request to the server continues.
  forgetStoredSession();
  // Errors are ignored: the token is deleted here, and expires at the server (specification §4).
  const signal = AbortSignal.timeout(timeout);
  const answer = await call(logOut, { body: {} }, { signal, keepalive: true }).catch(() => undefined);
  await clearSession();
  return wayOut(answer?.endSession);
}

/** Logs out on all devices. Throws if the server did not do it; then no session has ended. */
export async function logOutEverywhere(): Promise<string> {
  const { endSession } = await call(logOut, { body: { everywhere: true } });
  await clearSession();
  return wayOut(endSession);
}

const afterLogout = '/LoginGoogle';

/** The logout address. No ID token was stored, so the provider gets the client id and asks the person itself. */
function wayOut(endSession: AnswerOf<typeof logOut>['endSession']): string {
  if (!endSession) return afterLogout;
  const address = new URL(endSession.endpoint);
  address.searchParams.set('client_id', endSession.clientId);
  address.searchParams.set('post_logout_redirect_uri', new URL(afterLogout, location.origin).href);
  return address.href;
}

/** Deletes the session and what this device stores about the person. */
export async function clearSession(): Promise<void> {
  clearQueriesAfter(endSession);
  await deletePersonalData();
}
