import type { z } from 'zod';
import type { report as endpoint, ReportState } from '#contract/reports.ts';
import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import * as queries from './reports.queries.ts';

const day = 24 * 3_600_000;

/**
 * Stores a report by a person or a visitor, for the operators; returns its number. Reports hide nothing by themselves, however many
 * there are (decisions §3). A report that is sent again, or a second one by the same person about the same thing while the first is
 * open, stores nothing and returns the number of the first.
 */
export async function report(
  { db, clock }: Context<'db' | 'clock'>,
  reporterId: string | undefined,
  { kind, id, reason, text, number = newKey(), contact }: z.output<(typeof endpoint)['body']>,
): Promise<string> {
  const now = clock();
  const thing = { kind, target_id: id, reporter_id: reporterId ?? null, number };
  const before = await queries.findNumber(db, thing);
  if (before) return before;
  const ownerId = await queries.ownerOf(db, kind, id);
  if (!ownerId) throw notFound('reported');
  if (ownerId === reporterId) throw new Refusal('invalid_input', { what: 'report_own' }, 'id');
  await queries.insertReport(db, {
    ...thing,
    id: newId(now),
    reason,
    text,
    contact: reporterId ? '' : contact,
    created_at: now,
  });
  const stored = await queries.findNumber(db, thing);
  if (!stored) throw new Refusal('sent_before', {}, 'number');
  return stored;
}

/** The state of the report with this number. */
export async function stateOf({ db }: Context<'db'>, number: string): Promise<ReportState> {
  const report = await queries.findByNumber(db, number);
  if (!report) throw notFound('report');
  if (report.closed_at) return 'decided';
  return report.taken_up_at ? 'in_work' : 'received';
}

/** Deletes old reports, with what was written in them; what operators did stays in their log. */
export async function deleteOldReports({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteReports(db, new Date(clock().getTime() - retention.reportDays * day));
}
