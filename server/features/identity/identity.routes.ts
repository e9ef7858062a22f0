import type { Kysely } from 'kysely';
import { logOut } from '#contract/accounts.ts';
import { beginGoogle, googleLink, linkGoogle, loginGoogle } from '#contract/identity.ts';
import type { Config } from '#server/config.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { on, type Route } from '#server/platform/route.ts';
import { notePlaces, type Places } from '../accounts/places.ts';
import { logOutBy } from '../accounts/sessions.ts';
import { showSelf } from '../people/people.ts';
import { isLinked, linkIdentity, signInVouchedFor, vouchedBy } from './identity.ts';
import { openIssuer } from './issuer.ts';
import { giveNonce } from './nonces.ts';

/** An issuer that does not know this word may refuse it. Google knows it, and does not list what it knows. */
const choosing = 'select_account';
const google = 'https://accounts.google.com';

interface Parts {
  mediaOrigin: string;
  places: Places;
  oidc: Config['oidc'];
}

export function identityRoutes(
  db: Kysely<Tables>,
  clock: Clock,
  { mediaOrigin, places, oidc }: Parts,
): Route[] {
  const configured = oidc.clientId ? openIssuer(oidc.issuer, oidc.clientId, clock) : undefined;
  const issuer = () => {
    if (configured) return configured;
    throw new Refusal('identity_off', "Google login isn't available here. Please use your email instead.");
  };
  /** Where whoever this issuer vouched for logs out there too. That it cannot be asked keeps nobody here (specification §4). */
  async function endSessionAt(name: string | undefined) {
    if (!configured || name !== configured.name) return undefined;
    const { endSessionEndpoint } = await configured
      .describe()
      .catch(() => ({ endSessionEndpoint: undefined }));
    return endSessionEndpoint ? { endpoint: endSessionEndpoint, clientId: configured.clientId } : undefined;
  }
  return [
    on(logOut, async ({ token, body }) => {
      const endSession = await endSessionAt(token && (await logOutBy(db, token, body.everywhere ?? false)));
      return endSession ? { endSession } : {};
    }),
    on(beginGoogle, async () => {
      const { name, clientId, describe } = issuer();
      const { authorizationEndpoint, prompts = name === google ? [choosing] : [] } = await describe();
      // Who has logged out is asked who they are, and not signed in again unasked.
      const choose = prompts.includes(choosing) ? { prompt: choosing } : {};
      return { nonce: await giveNonce(db, clock()), clientId, authorizationEndpoint, ...choose };
    }),
    on(loginGoogle, async ({ body, address }) => {
      const vouched = await vouchedBy(db, issuer(), body.idToken, clock());
      const { personId, token, isNew } = await signInVouchedFor(db, vouched, clock());
      await notePlaces(db, personId, places.of(address), clock());
      const user = await showSelf(db, personId, mediaOrigin);
      return { answer: { success: true as const, user, token, message: 'Logged in' }, changed: isNew };
    }),
    on(linkGoogle, async ({ body, caller }) => {
      const vouched = await vouchedBy(db, issuer(), body.idToken, clock());
      await linkIdentity(db, caller.id, vouched, clock());
      return { success: true as const, message: 'Google is linked to your account.' };
    }),
    on(googleLink, async ({ caller }) => ({ linked: await isLinked(db, caller.id, oidc.issuer) })),
  ];
}
