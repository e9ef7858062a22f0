import * as contract from '#contract/passkeys.ts';
import type { Context } from '#server/platform/context.ts';
import type { RelyingParty } from '#server/platform/relying-party.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { Places } from '../accounts/places.ts';
import { showSelf } from '../people/people.ts';
import * as passkeys from './passkeys.ts';

export function passkeysRoutes(
  context: Context,
  { places, party }: { places: Places; party: RelyingParty },
): Route[] {
  return [
    on(contract.listPasskeys, async ({ caller }) => ({
      data: await passkeys.listPasskeys(context, caller.id),
    })),
    on(contract.beginPasskey, async ({ caller }) => ({
      options: { ...(await passkeys.beginPasskey(context, caller, party)) },
    })),
    on(contract.addPasskey, async ({ caller, body }) => ({
      data: await passkeys.addPasskey(context, caller, body, party),
    })),
    on(contract.renamePasskey, async ({ caller, params, body }) => ({
      data: await passkeys.renamePasskey(context, { personId: caller.id, id: params.id }, body.name),
    })),
    on(contract.removePasskey, async ({ caller, params }) => {
      await passkeys.removePasskey(context, caller, params.id);
      return {};
    }),
    on(contract.beginPasskeyLogin, async () => ({
      options: { ...(await passkeys.beginLogin(context, party)) },
    })),
    on(contract.loginPasskey, async ({ body, address, userAgent }) => {
      const from = { address, userAgent, places };
      const { personId, token } = await passkeys.logInWithPasskey(context, body.credential, { from, party });
      return { user: await showSelf(context, personId), data: token };
    }),
  ];
}
