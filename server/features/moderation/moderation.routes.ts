import * as decisions from '#contract/decisions.ts';
import * as contract from '#contract/reports.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { appeal } from './appeals.ts';
import { showDecision } from './decisions.ts';
import { report, stateOf } from './reports.ts';

export function moderationRoutes(context: Context): Route[] {
  return [
    on(contract.report, async ({ body, caller }) => {
      const number = await report(context, caller?.id, body);
      return { message: 'Thank you. We will look at it.', number };
    }),
    on(contract.getReport, async ({ params }) => ({
      data: await stateOf(context, params.number),
    })),
    on(decisions.getDecision, async ({ params }) => ({ data: await showDecision(context, params.id) })),
    on(decisions.appeal, async ({ params, body }) => ({
      data: await appeal(context, { ...params, ...body }),
    })),
  ];
}
