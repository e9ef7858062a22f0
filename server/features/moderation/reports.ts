import type { z } from 'zod';
import { type CaseReason, neverMuted } from '#contract/cases.ts';
import type { report as endpoint, ReportOutcome, ReportState } from '#contract/reports.ts';
import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import { deleteOld as deleteOldDecisions } from './decisions.queries.ts';
import { evidenceOf, languageOf } from './evidence.ts';
import * as queries from './reports.queries.ts';

const hour = 3_600_000;
const day = 24 * hour;

/** A report of the contract, or an order that an operator enters. */
type Said = Omit<z.output<(typeof endpoint)['body']>, 'reason'> & { reason: CaseReason };

/**
 * Stores a report by a person or a visitor, for the operators; returns its number. It joins the open case about the same thing, or opens
 * one. Reports hide nothing by themselves, however many there are (decisions §3). A report that is sent again, or a second one by the same
 * person about the same thing while that is undecided, stores nothing and returns the number of the first; a reason with a deadline by law
 * is noted on the case also then. If the reports of the person are muted, the answer is the same.
 */
export async function report(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  reporterId: string | undefined,
  { kind, id, reason, text, number = newKey(), contact }: Said,
): Promise<string> {
  const now = clock();
  const about = { kind, target_id: id, reporter_id: reporterId ?? null, number };
  const dueAt = new Date(now.getTime() + config.reportHours[reason] * hour);
  const hasToBeSeen = neverMuted.includes(reason);
  const before = await queries.findStored(db, about);
  if (before) {
    const again = { reason, dueAt, muted: false, isNew: false };
    if (hasToBeSeen && !before.reasons.includes(reason))
      await inTransaction(db, (trx) => queries.noteReport(trx, before.case_id, again));
    return before.number;
  }
  const thing = await queries.findThing(db, kind, id);
  if (!thing) throw notFound('reported');
  if (thing.owner_id === reporterId) throw new Refusal('invalid_input', { what: 'report_own' }, 'id');
  const evidence = evidenceOf(kind, thing);
  const reportId = newId(now);
  return await inTransaction(db, async (trx) => {
    const muted = reporterId !== undefined && !hasToBeSeen && (await queries.isMuted(trx, reporterId, now));
    const caseId = await queries.openCase(trx, {
      ...{ id: reportId, kind, target_id: id, opened_at: now, due_at: dueAt },
      language: languageOf(evidence, text),
      evidence: JSON.stringify(evidence),
      is_muted: muted,
    });
    const isNew = await queries.insertReport(trx, {
      ...{ id: reportId, case_id: caseId, number, reason, text, created_at: now },
      reporter_id: reporterId ?? null,
      contact: reporterId ? '' : contact,
    });
    if (isNew || hasToBeSeen) await queries.noteReport(trx, caseId, { reason, dueAt, muted, isNew });
    const stored = await queries.findStored(trx, about);
    if (!stored) throw new Refusal('sent_before', {}, 'number');
    return stored.number;
  });
}

export const unmuteCases = queries.unmuteCases;

/** How far the report with this number is, and what came of it. */
export async function stateOf(
  { db }: Context<'db'>,
  number: string,
): Promise<{ state: ReportState; outcome: ReportOutcome | null }> {
  const report = await queries.findByNumber(db, number);
  if (!report) throw notFound('report');
  if (report.closed_at) return { state: 'decided', outcome: report.outcome };
  return { state: report.taken_up_at ? 'in_work' : 'received', outcome: null };
}

/** Deletes old reports and decisions, with what was written in them; what operators did stays in their log. */
export async function deleteOldReports({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  const before = new Date(clock().getTime() - retention.reportDays * day);
  await queries.deleteReports(db, before);
  await deleteOldDecisions(db, before);
}
