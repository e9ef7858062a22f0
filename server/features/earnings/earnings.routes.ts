import * as activityContract from '#contract/activity.ts';
import * as contract from '#contract/earnings.ts';
import type { Context } from '#server/platform/context.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { on, type Route } from '#server/platform/route.ts';
import { saveActivity, showActivity } from '../activity/activity.ts';
import { lifetimeOf, mustBeOwn, readMonth, worthOfMonth } from '../months/month-worth.ts';
import { requestReview } from '../months/review-requests.ts';
import { cancelWithdrawal } from '../withdrawals/cancelling.ts';
import {
  listOwnWithdrawals,
  type WithdrawalForm,
  withdraw,
  withdrawStatuses,
} from '../withdrawals/withdrawals.ts';
import { showHistory } from './history.ts';
import { linesOf, showMonth, showStatement } from './month-detail.ts';
import { earningsOfReel, viewsOfReels, viewsOfYesterday } from './reel-earnings.ts';
import { shareConcurrentCalls } from './share-concurrent-calls.ts';

export function earningsRoutes(context: Context): Route[] {
  const { db } = context;
  const withdrawOnce = shareConcurrentCalls(
    ({ callerId, form }: { callerId: string; form: WithdrawalForm }) =>
      JSON.stringify([callerId, form.userId, form.month, form.totalRupee]),
    ({ callerId, form }) => withdraw(context, callerId, form),
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
      const pay = await worthOfMonth(context, caller.id, readMonth(body.month));
      const { month, monthLabel, coins, paise, rupees, counts } = pay;
      const worth = { month, monthLabel, coins, paise, rupees };
      return { data: { userId: caller.id, ...worth, breakdown: counts, lines: linesOf(pay) } };
    }),
    on(contract.getHistory, async ({ params, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return { data: await showHistory(context, caller.id) };
    }),
    on(contract.getMonth, ({ params, query, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return showMonth(context, caller.id, readMonth(params.month), query);
    }),
    on(contract.getReelViews, async ({ query, caller }) => ({
      data: await viewsOfReels(context, caller.id, query.ids.split(',')),
    })),
    on(contract.getYesterday, async ({ caller }) => ({ data: await viewsOfYesterday(context, caller.id) })),
    on(contract.getReelEarnings, async ({ params, caller }) => ({
      data: await earningsOfReel(context, params.id, caller),
    })),
    on(contract.getStatement, async ({ params, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return { data: await showStatement(context, caller.id, readMonth(params.month)) };
    }),
    on(contract.askForLook, async ({ body, caller }) => ({
      data: await requestReview(context, caller.id, body.userId),
    })),
    on(contract.getWithdrawStatus, async ({ params, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return { data: await withdrawStatuses(db, caller.id) };
    }),
    on(contract.getWithdrawals, ({ params, query, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return listOwnWithdrawals(context, caller.id, query);
    }),
    on(contract.requestWithdrawal, async ({ body, caller }) => ({
      data: await withdrawOnce({ callerId: caller.id, form: body }),
      message: 'Withdraw request submitted successfully!',
    })),
    on(contract.cancelWithdrawal, async ({ body, caller }) => ({
      data: await cancelWithdrawal(context, caller.id, body.month),
    })),
    on(activityContract.saveActivity, async ({ body, caller }) => {
      if (body.userId && body.userId !== caller.id)
        throw new Refusal('not_yours', { what: 'activity' }, 'userId');
      return { data: await saveActivity(context, caller.id, body.events) };
    }),
    on(activityContract.getActivity, async ({ params, caller }) => {
      mustBeOwn(params.userId, caller.id);
      return { data: await showActivity(context, caller.id) };
    }),
  ];
}
