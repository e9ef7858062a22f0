import { getDecision } from '#contract/decisions.ts';
import * as contract from '#contract/reports.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
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
    on(getDecision, async ({ params }) => ({ data: await showDecision(context, params.id) })),
  ];
}
