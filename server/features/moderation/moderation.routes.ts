import type { Kysely } from 'kysely';
import * as contract from '#contract/reports.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { on, type Route } from '#server/platform/route.ts';
import { report } from './reports.ts';

export function moderationRoutes(db: Kysely<Tables>, clock: Clock): Route[] {
  return [
    on(contract.report, async ({ body, caller }) => {
      await report(db, caller.id, body, clock());
      return { message: 'Thank you. We will look at it.' };
    }),
  ];
}
