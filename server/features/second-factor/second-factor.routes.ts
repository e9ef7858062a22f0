import * as contract from '#contract/second-factor.ts';
import type { Context } from '#server/platform/context.ts';
import type { Caller } from '#server/platform/route.ts';
import { on, type RequestInfo, type Route } from '#server/platform/route.ts';
import type { Places } from '../accounts/places.ts';
import * as factor from './second-factor.ts';

export function secondFactorRoutes(context: Context, places: Places): Route[] {
  const fromOf = ({ caller, address, userAgent }: RequestInfo & { caller: Caller }) =>
    factor.giverOf(caller, { address, userAgent, places }).from;
  return [
    on(contract.getSecondFactor, ({ caller }) => factor.showFactor(context, caller)),
    on(contract.beginSecondFactor, async (request) => {
      const { code } = request.body;
      return await factor.beginEnrolment(context, request.caller, { code, from: fromOf(request) });
    }),
    on(contract.finishSecondFactor, async (request) => {
      const { totp } = request.body;
      const given = { totp, from: fromOf(request) };
      return { recoveryCodes: await factor.finishEnrolment(context, request.caller, given) };
    }),
    on(contract.giveSecondFactor, async (request) => {
      const { totp } = request.body;
      await factor.giveCode(context, request.caller, { totp, from: fromOf(request) });
      return {};
    }),
    on(contract.newRecoveryCodes, async (request) => {
      const { totp } = request.body;
      const given = { totp, from: fromOf(request) };
      return { recoveryCodes: await factor.newRecoveryCodes(context, request.caller, given) };
    }),
  ];
}
