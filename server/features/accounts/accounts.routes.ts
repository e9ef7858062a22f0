import { signIn, signUp, userData } from '#contract/accounts.ts';
import * as emailContract from '#contract/email.ts';
import * as passwordContract from '#contract/password.ts';
import { changePassword } from '#contract/profile.ts';
import type { Context } from '#server/platform/context.ts';
import { notSignedIn } from '#server/platform/refusal.ts';
import { on, type Route } from '#server/platform/route.ts';
import { showSelf } from '../people/people.ts';
import * as accounts from './accounts.ts';
import * as verification from './email-verification.ts';
import * as forgotten from './forgotten-password.ts';
import * as passwordChange from './password-change.ts';
import type { Places } from './places.ts';
import { callerOf } from './sessions.ts';

export function accountsRoutes(context: Context, places: Places): Route[] {
  return [
    on(signUp, async ({ body }) => {
      const id = await accounts.signUp(context, body);
      const user = await showSelf(context, id);
      return { answer: { user, message: 'Account created successfully' }, changed: true };
    }),
    on(signIn, async ({ body, address, cookies }) => {
      const { personId, token } = await accounts.signIn(context, body, { address, places, cookies });
      return { user: await showSelf(context, personId), data: token };
    }),
    on(userData, async ({ body, caller }) => {
      const who = caller ?? (body.token ? await callerOf(context, body.token) : undefined);
      if (!who) throw notSignedIn();
      const user = await showSelf(context, who.id);
      return { data: { ...user, data: user } };
    }),
    on(emailContract.sendVerification, async ({ caller }) => {
      await verification.sendVerification(context, caller.id);
      return {};
    }),
    on(emailContract.verifyEmail, async ({ body, caller, token }) => {
      await verification.verifyEmail(context, body.token, { id: caller.id, token });
      return {};
    }),
    on(passwordContract.forgotPassword, async ({ body }) => {
      await forgotten.forgotPassword(context, body);
      return {};
    }),
    on(passwordContract.resetPassword, async ({ body }) => {
      await forgotten.resetPassword(context, body);
      return {};
    }),
    on(changePassword, async ({ body, caller, address }) => ({
      data: await passwordChange.changePassword(context, caller.id, body, { address, places }),
    })),
  ];
}
