import * as contract from '#contract/reports.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { report } from './reports.ts';

export function moderationRoutes(context: Context): Route[] {
  return [
    on(contract.report, async ({ body, caller }) => {
      await report(context, caller.id, body);
      return { message: 'Thank you. We will look at it.' };
    }),
  ];
}
