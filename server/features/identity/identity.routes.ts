import { logOut } from '#contract/accounts.ts';
import { beginGoogle, googleLink, linkGoogle, loginGoogle } from '#contract/identity.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/platform/context.ts';
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
  places: Places;
  oidc: Config['oidc'];
}

export function identityRoutes(context: Context, { places, oidc }: Parts): Route[] {
  const { db, clock } = context;
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
      return { nonce: await giveNonce(context), clientId, authorizationEndpoint, ...choose };
    }),
    on(loginGoogle, async ({ body, address }) => {
      const vouched = await vouchedBy(context, issuer(), body.idToken);
      const { personId, token, isNew } = await signInVouchedFor(context, vouched);
      await notePlaces(db, personId, places.of(address), clock());
      const user = await showSelf(context, personId);
      return { answer: { success: true as const, user, token, message: 'Logged in' }, changed: isNew };
    }),
    on(linkGoogle, async ({ body, caller }) => {
      const vouched = await vouchedBy(context, issuer(), body.idToken);
      await linkIdentity(context, caller.id, vouched);
      return { success: true as const, message: 'Google is linked to your account.' };
    }),
    on(googleLink, async ({ caller }) => ({ linked: await isLinked(db, caller.id, oidc.issuer) })),
  ];
}
