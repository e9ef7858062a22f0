import * as contract from '#contract/confirmation.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { RelyingParty } from '#server/platform/relying-party.ts';
import { on, type Route } from '#server/platform/route.ts';
import { fromSession, type Places } from '../accounts/places.ts';
import { configuredIssuer } from '../identity/issuer.ts';
import { beginConfirmation } from '../passkeys/passkeys.ts';
import { confirm, hashOfForm, sendConfirmationCode } from './confirmation.ts';

interface ConfirmationServices {
  places: Places;
  oidc: Config['oidc'];
  party: RelyingParty;
}

export function confirmationRoutes(context: Context, { places, oidc, party }: ConfirmationServices): Route[] {
  const issuer = configuredIssuer(oidc, context.clock);
  return [
    on(contract.confirm, async ({ body, caller, token = '', ...request }) => ({
      confirmation: await confirm(context, caller, body, {
        from: fromSession(places, { ...request, token }),
        issuer,
        token,
        party,
      }),
    })),
    on(contract.passkeyConfirmation, async ({ caller, body, token = '' }) => {
      const paramsHash = hashOfForm(body, token);
      return { options: { ...(await beginConfirmation(context, caller, { paramsHash, party })) } };
    }),
    on(contract.sendConfirmationCode, async ({ body, caller, token = '' }) => {
      await sendConfirmationCode(context, caller, body, token);
      return {};
    }),
  ];
}
