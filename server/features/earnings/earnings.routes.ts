import type { Kysely } from 'kysely';
import * as activityContract from '#contract/activity.ts';
import * as contract from '#contract/earnings.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { on, type Route } from '#server/platform/route.ts';
import { saveActivity, showActivity } from './activity.ts';
import { keyOf, lifetimeOf, mustBeOwn, showHistory, worthOfMonth } from './earnings.ts';
import { linesOf, showMonth, showStatement } from './month-detail.ts';
import { shareAnswer } from './share-answer.ts';
import { listOwnWithdrawals, type WithdrawalForm, withdraw, withdrawStatuses } from './withdrawals.ts';

export function earningsRoutes(db: Kysely<Tables>, clock: Clock, timeZone: string): Route[] {
  const ask = shareAnswer(
    ({ callerId, form }: { callerId: string; form: WithdrawalForm }) =>
      JSON.stringify([callerId, form.userId, form.month, form.totalRupee]),
    ({ callerId, form }) => withdraw(db, callerId, form, clock(), timeZone),
  );
  return [
    on(contract.totalViewsByUser, async ({ params, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return { totalViews: (await lifetimeOf(db, caller.id)).views };
    }),
    on(contract.likedPostsCount, async ({ params, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return { totalLikedPosts: (await lifetimeOf(db, caller.id)).likes };
    }),
    on(contract.updateStatus, async ({ body, caller }) => {
      mustBeOwn(body.userId, caller.id);
      const { counts, rates, ...worth } = await worthOfMonth(db, caller.id, keyOf(body.month));
      return { data: { userId: caller.id, ...worth, breakdown: counts, lines: linesOf(counts, rates) } };
    }),
    on(contract.getHistory, async ({ params, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return { data: await showHistory(db, caller.id, clock(), timeZone) };
    }),
    on(contract.getMonth, ({ params, query, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return showMonth(db, caller.id, keyOf(params.month), query, clock(), timeZone);
    }),
    on(contract.getStatement, async ({ params, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return { data: await showStatement(db, caller.id, keyOf(params.month), clock(), timeZone) };
    }),
    on(contract.getWithdrawStatus, async ({ params, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return { data: await withdrawStatuses(db, caller.id) };
    }),
    on(contract.getWithdrawals, ({ params, query, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return listOwnWithdrawals(db, caller.id, query);
    }),
    on(contract.requestWithdrawal, async ({ body, caller }) => ({
      data: await ask({ callerId: caller.id, form: body }),
      message: 'Withdraw request submitted successfully!',
    })),
    on(activityContract.saveActivity, async ({ body, caller }) => {
      if (body.userId && body.userId !== caller.id)
        throw new Refusal('not_yours', 'You can report only your own activity.', 'userId');
      return { data: await saveActivity(db, caller.id, body.events, clock(), timeZone) };
    }),
    on(activityContract.getActivity, async ({ params, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return { data: await showActivity(db, caller.id, clock(), timeZone) };
    }),
  ];
}
