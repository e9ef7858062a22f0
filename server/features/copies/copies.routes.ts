import { askAboutCopy } from '#contract/copies.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import * as decisions from './decisions.ts';

export function copiesRoutes(context: Context): Route[] {
  return [
    on(askAboutCopy, async ({ caller, body }) => ({
      data: await decisions.requestCopyReview(context, caller.id, body),
    })),
  ];
}
