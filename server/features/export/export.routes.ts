import { downloadExport, requestExport } from '#contract/export.ts';
import type { Context } from '#server/platform/context.ts';
import { on, type Route } from '#server/platform/route.ts';
import { archiveOf } from './archive.ts';
import { openTicket, takeTicket } from './tickets.ts';

export function exportRoutes(context: Context): Route[] {
  return [
    on(requestExport, async ({ caller }) => {
      const { ticket, expiresAt } = await openTicket(context, caller.id);
      return { url: downloadExport.path.replace(':ticket', ticket), expiresAt: expiresAt.toISOString() };
    }),
    on(downloadExport, async ({ params }) => {
      const personId = await takeTicket(context, params.ticket);
      return {
        name: `jhalak-data-${context.clock().toISOString().slice(0, 10)}.zip`,
        bytes: archiveOf(context, personId),
      };
    }),
  ];
}
