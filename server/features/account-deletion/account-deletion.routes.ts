import type { Kysely } from 'kysely';
import * as contract from '#contract/account-deletion.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Jobs } from '#server/platform/jobs.ts';
import { on, type Route } from '#server/platform/route.ts';
import { deleteAccount, previewDeletion } from './account-deletion.ts';

export function accountDeletionRoutes(
  db: Kysely<Tables>,
  jobs: Jobs,
  clock: Clock,
  timeZone: string,
): Route[] {
  return [
    on(contract.previewDeletion, async ({ caller, params }) => ({
      data: await previewDeletion(db, params.userId, caller.id),
    })),
    on(contract.deleteUser, async ({ caller, params }) => {
      await deleteAccount(db, jobs, params.userId, caller.id, clock(), timeZone);
      return { answer: { message: 'User deleted successfully!' }, changed: true };
    }),
  ];
}
