import { logOut } from '#contract/accounts.ts';
import { beginGoogle, googleLink, linkGoogle, loginGoogle, unlinkGoogle } from '#contract/identity.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { Places } from '../accounts/places.ts';
import { logOutBy } from '../accounts/sessions.ts';
import { showSelf } from '../people/people.ts';
import {
  linkIdentity,
  listLinked,
  signInWithIdentity,
  unlinkIdentities,
  verifyIdentity,
} from './identity.ts';
import { configuredIssuer } from './issuer.ts';
import { issueNonce } from './nonces.ts';

/** Value of `prompt`. Other issuers may refuse values they do not list; Google accepts it without listing it. */
const selectAccount = 'select_account';
const google = 'https://accounts.google.com';

interface IdentityServices {
  places: Places;
  oidc: Config['oidc'];
}

export function identityRoutes(context: Context, { places, oidc }: IdentityServices): Route[] {
  const { db, clock } = context;
  const issuer = configuredIssuer(oidc, clock);
  /**
   * Logout address of the issuer that opened a session. If the issuer does not respond, local logout still succeeds
   * (specification §4).
   */
  async function endSessionAt(name: string | undefined) {
    if (!oidc.clientId || name !== oidc.issuer) return undefined;
    const { clientId, describe } = issuer();
    const { endSessionEndpoint } = await describe().catch(() => ({ endSessionEndpoint: undefined }));
    return endSessionEndpoint ? { endpoint: endSessionEndpoint, clientId } : undefined;
  }
  return [
    on(logOut, async ({ token, body }) => {
      const endSession = await endSessionAt(token && (await logOutBy(db, token, body.everywhere ?? false)));
      return endSession ? { endSession } : {};
    }),
    on(beginGoogle, async () => {
      const { name, clientId, describe } = issuer();
      const { authorizationEndpoint, prompts = name === google ? [selectAccount] : [] } = await describe();
      // The person is asked which account to use: after a logout, Google would otherwise sign them in again without
      // asking.
      const choose = prompts.includes(selectAccount) ? { prompt: selectAccount } : {};
      return { nonce: await issueNonce(context), clientId, authorizationEndpoint, ...choose };
    }),
    on(loginGoogle, async ({ body, address, userAgent }) => {
      const claims = await verifyIdentity(context, issuer(), body.idToken);
      const { personId, token, isNew } = await signInWithIdentity(context, claims, {
        from: { address, userAgent, places },
        language: body.language,
      });
      const user = await showSelf(context, personId);
      return { answer: { success: true as const, user, token, message: 'Logged in' }, changed: isNew };
    }),
    on(linkGoogle, async ({ body, caller }) => {
      const claims = await verifyIdentity(context, issuer(), body.idToken);
      await linkIdentity(context, caller.id, claims);
      return { success: true as const, message: 'Google is linked to your account.' };
    }),
    on(googleLink, async ({ caller }) => {
      const accounts = await listLinked(db, caller.id);
      return { linked: accounts.some(({ issuer: name }) => name === oidc.issuer), accounts };
    }),
    on(unlinkGoogle, async ({ caller }) => {
      await unlinkIdentities(context, caller);
      return {};
    }),
  ];
}
