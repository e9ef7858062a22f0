import type { Kysely } from 'kysely';
import { signIn, signUp, userData } from '#contract/accounts.ts';
import { changePassword } from '#contract/profile.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { notSignedIn } from '#server/platform/refusal.ts';
import { on, type Route } from '#server/platform/route.ts';
import { showSelf } from '../people/people.ts';
import * as accounts from './accounts.ts';
import * as passwordChange from './password-change.ts';
import type { Places } from './places.ts';
import { callerOf } from './sessions.ts';

export function accountsRoutes(
  db: Kysely<Tables>,
  clock: Clock,
  mediaOrigin: string,
  places: Places,
): Route[] {
  return [
    on(signUp, async ({ body }) => {
      const id = await accounts.signUp(db, body, clock());
      const user = await showSelf(db, id, mediaOrigin);
      return { answer: { user, message: 'Account created successfully' }, changed: true };
    }),
    on(signIn, async ({ body, address }) => {
      const { personId, token } = await accounts.signIn(db, body, { address, places }, clock());
      return { user: await showSelf(db, personId, mediaOrigin), data: token };
    }),
    on(userData, async ({ body, caller }) => {
      const who = caller ?? (body.token ? await callerOf(db, body.token, clock()) : undefined);
      if (!who) throw notSignedIn();
      const user = await showSelf(db, who.id, mediaOrigin);
      return { data: { ...user, data: user } };
    }),
    on(changePassword, async ({ body, caller, address }) => ({
      data: await passwordChange.changePassword(db, caller.id, body, { address, places }, clock()),
    })),
  ];
}
