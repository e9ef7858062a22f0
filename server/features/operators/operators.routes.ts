import type { Kysely } from 'kysely';
import * as contract from '#contract/operators.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { on, type Route } from '#server/platform/route.ts';
import type { Storage } from '#server/platform/storage.ts';
import { recountCategories } from '../categories/categories.ts';
import { listMessages } from '../contact/contact.ts';
import { auditLedger, lastAudit } from '../earnings/audit.ts';
import { listWithdrawals } from '../earnings/review.ts';
import { auditMedia } from '../media/audit.ts';
import { closeReport, listReports } from '../moderation/review.ts';
import { restoreContent, takeDown } from '../moderation/take-down.ts';
import { listLog } from './audit-log.ts';
import { operatorBehind } from './operators.ts';
import { findPeople, restorePerson, setRole, suspendPerson } from './people.ts';
import { completeWithdrawal, exportWithdrawals, rejectWithdrawal } from './withdrawals.ts';

export function operatorsRoutes(
  db: Kysely<Tables>,
  storage: Storage,
  clock: Clock,
  timeZone: string,
): Route[] {
  return [
    on(contract.listWithdrawals, ({ query }) => listWithdrawals(db, query, timeZone)),
    on(contract.exportWithdrawals, async ({ caller, body }) => {
      const operator = await operatorBehind(db, caller);
      return { data: await exportWithdrawals(db, operator, body, timeZone, clock()) };
    }),
    on(contract.completeWithdrawal, async ({ caller, params, body }) => {
      const operator = await operatorBehind(db, caller);
      return { data: await completeWithdrawal(db, operator, params.id, body.reference, clock()) };
    }),
    on(contract.rejectWithdrawal, async ({ caller, params, body }) => {
      const operator = await operatorBehind(db, caller);
      return { data: await rejectWithdrawal(db, operator, params.id, body.reason, clock()) };
    }),
    on(contract.listReports, ({ query }) => listReports(db, query)),
    on(contract.takeDown, async ({ caller, body }) => {
      const operator = await operatorBehind(db, caller);
      const { changed, ...data } = await takeDown(db, operator, body.target, body.reason, clock());
      return { answer: { data }, changed };
    }),
    on(contract.restoreContent, async ({ caller, body }) => {
      const operator = await operatorBehind(db, caller);
      const { changed, ...data } = await restoreContent(db, operator, body.target, clock());
      return { answer: { data }, changed };
    }),
    on(contract.closeReport, async ({ caller, params }) => {
      const operator = await operatorBehind(db, caller);
      return { data: await closeReport(db, operator, params.id, clock()) };
    }),
    on(contract.findPeople, ({ query }) => findPeople(db, query)),
    on(contract.suspendPerson, async ({ caller, params, body }) => {
      const operator = await operatorBehind(db, caller);
      const { changed, ...data } = await suspendPerson(db, operator, params.id, body.reason, clock());
      return { answer: { data }, changed };
    }),
    on(contract.restorePerson, async ({ caller, params }) => {
      const operator = await operatorBehind(db, caller);
      const { changed, ...data } = await restorePerson(db, operator, params.id, clock());
      return { answer: { data }, changed };
    }),
    on(contract.setRole, async ({ caller, params, body }) => {
      const operator = await operatorBehind(db, caller);
      return { data: await setRole(db, operator, params.id, body.role, clock()) };
    }),
    on(contract.listMessages, ({ query }) => listMessages(db, query)),
    on(contract.getAudit, async () => ({ data: await auditLedger(db, timeZone) })),
    on(contract.getLastAudit, async () => ({ data: await lastAudit(db, clock()) })),
    on(contract.getMediaAudit, async () => ({ data: await auditMedia(db, storage, clock()) })),
    on(contract.listCategories, async () => ({ data: await recountCategories(db) })),
    on(contract.listLog, ({ query }) => listLog(db, query)),
  ];
}
