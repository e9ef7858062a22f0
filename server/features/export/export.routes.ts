import type { Kysely } from 'kysely';
import { downloadExport, requestExport } from '#contract/export.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { Storage } from '#server/platform/storage.ts';
import { archiveOf } from './archive.ts';
import { openTicket, takeTicket } from './tickets.ts';

export function exportRoutes(db: Kysely<Tables>, storage: Storage, clock: Clock): Route[] {
  return [
    on(requestExport, async ({ caller }) => {
      const { ticket, expiresAt } = await openTicket(db, caller.id, clock());
      return { url: downloadExport.path.replace(':ticket', ticket), expiresAt: expiresAt.toISOString() };
    }),
    on(downloadExport, async ({ params }) => {
      const now = clock();
      const personId = await takeTicket(db, params.ticket, now);
      return {
        name: `jhalak-data-${now.toISOString().slice(0, 10)}.zip`,
        bytes: archiveOf(db, storage, personId, now),
      };
    }),
  ];
}
