import { signIn, signUp, userData } from '#contract/accounts.ts';
import * as emailContract from '#contract/email.ts';
import * as passwordContract from '#contract/password.ts';
import { changePassword } from '#contract/profile.ts';
import * as sessionsContract from '#contract/sessions.ts';
import type { Context } from '#server/platform/context.ts';
import { notSignedIn } from '#server/platform/refusal.ts';
import { on, type Route } from '#server/platform/route.ts';
import { showSelf } from '../people/people.ts';
import * as accounts from './accounts.ts';
import { changeEmail } from './email-change.ts';
import * as verification from './email-verification.ts';
import * as forgotten from './forgotten-password.ts';
import * as passwordChange from './password-change.ts';
import { fromSession, type Places } from './places.ts';
import * as sessions from './sessions.ts';
import type { OtherWaysIn } from './way-back.ts';

interface Others extends OtherWaysIn {
  /** Stores that a person is logged in in the browser with this id. */
  recordBrowser(personId: string, viewer: string): Promise<void>;
}

export function accountsRoutes(
  context: Context,
  places: Places,
  { recordBrowser, ...others }: Others,
): Route[] {
  return [
    on(signUp, async ({ body, address }) => {
      const id = await accounts.signUp(context, body, { address, places });
      const user = await showSelf(context, id);
      return { answer: { user, message: 'Account created successfully' }, changed: true };
    }),
    on(signIn, async ({ body, address, userAgent, cookies }) => {
      const from = { address, userAgent, places, cookies };
      const { personId, token } = await accounts.signIn(context, body, from);
      return { user: await showSelf(context, personId), data: token };
    }),
    on(userData, async ({ body, caller, address }) => {
      const who = caller ?? (body.token ? await sessions.callerOf(context, body.token, address) : undefined);
      if (!who) throw notSignedIn();
      if (body.viewer !== undefined) await recordBrowser(who.id, body.viewer);
      const user = await showSelf(context, who.id);
      return { data: { ...user, data: user } };
    }),
    on(emailContract.sendVerification, async ({ caller }) => {
      await verification.sendVerification(context, caller.id);
      return {};
    }),
    on(emailContract.verifyEmail, async ({ body, caller }) => {
      await verification.verifyEmail(context, body.token, caller);
      return {};
    }),
    on(emailContract.changeEmail, async ({ body, caller }) => {
      await changeEmail(context, caller.id, body.email);
      return {};
    }),
    on(sessionsContract.listSessions, async ({ caller }) => ({
      data: await sessions.listSessions(context, caller.id, caller.session.id),
    })),
    on(sessionsContract.endSession, async ({ caller, params }) => {
      await sessions.endSession(context.db, caller.id, params.id);
      return {};
    }),
    on(sessionsContract.endOtherSessions, async ({ caller }) => {
      await sessions.endOtherSessions(context.db, caller);
      return {};
    }),
    on(passwordContract.forgotPassword, async ({ body }) => {
      await forgotten.forgotPassword(context, body);
      return {};
    }),
    on(passwordContract.resetPassword, async ({ body }) => {
      await forgotten.resetPassword(context, body, others);
      return {};
    }),
    on(changePassword, async ({ body, caller, ...request }) => {
      const from = fromSession(places, request);
      return { data: await passwordChange.changePassword(context, caller.id, body, from) };
    }),
  ];
}
