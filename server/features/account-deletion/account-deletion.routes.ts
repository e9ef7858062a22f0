import * as contract from '#contract/account-deletion.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { deleteAccount, previewDeletion } from './account-deletion.ts';

export function accountDeletionRoutes(context: Context): Route[] {
  return [
    on(contract.previewDeletion, async ({ caller, params }) => ({
      data: await previewDeletion(context, params.userId, caller.id),
    })),
    on(contract.deleteUser, async ({ caller, params }) => {
      await deleteAccount(context, params.userId, caller.id);
      return { answer: { message: 'User deleted successfully!' }, changed: true };
    }),
  ];
}
