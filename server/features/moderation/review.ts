import type { Kysely } from 'kysely';
import type { Page } from '#contract/fields.ts';
import type { ReportForReview } from '#contract/operators.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound } from '#server/platform/refusal.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { logAct } from '../audit-log/audit-log.ts';
import { countVersions } from '../versions/versions.ts';
import * as queries from './review.queries.ts';

/** Reports, newest first, each with the current state of the reported content. */
export async function listReports(
  db: Kysely<Tables>,
  { which, limit, cursor }: Page & { which: 'open' | 'all' },
): Promise<{ data: ReportForReview[]; nextCursor: string | null }> {
  const rows = await queries.listReports(db, which, limit + 1, readCursor(cursor));
  const edits = await countVersions(
    db,
    rows.map((row) => row.target_id),
  );
  const position = (row: (typeof rows)[number]) => ({ at: row.created_at, id: row.id });
  return pageOf(rows, limit, position, (row) => ({
    _id: row.id,
    kind: row.kind,
    targetId: row.target_id,
    reason: row.reason,
    text: row.text,
    contact: row.contact,
    reporter: row.reporter ?? '',
    owner: row.owner ?? '',
    words: row.words ?? '',
    state: row.state ?? 'gone',
    edits: edits.get(row.target_id) ?? 0,
    createdAt: row.created_at.toISOString(),
    takenUpAt: row.taken_up_at?.toISOString() ?? null,
    closedAt: row.closed_at?.toISOString() ?? null,
  }));
}

/** Records that somebody works on a report, as whoever has sent it can read; has no effect if somebody did, or it is closed. */
export async function takeUpReport(
  { db, clock }: Context<'db' | 'clock'>,
  operator: Operator,
  id: string,
): Promise<{ _id: string; takenUpAt: string | null }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const report = await queries.lockReport(trx, id);
    if (!report) throw notFound('report');
    if (report.taken_up_at || report.closed_at)
      return { _id: id, takenUpAt: report.taken_up_at?.toISOString() ?? null };
    await queries.takeUpReport(trx, id, now);
    const details = { about: `${report.kind}:${report.target_id}` };
    await logAct(trx, operator, { act: 'report.take-up', target: { kind: 'report', id }, details }, now);
    return { _id: id, takenUpAt: now.toISOString() };
  });
}

/** Closes a report without a take-down; has no effect if it is closed. */
export async function closeReport(
  { db, clock }: Context<'db' | 'clock'>,
  operator: Operator,
  id: string,
): Promise<{ _id: string; closedAt: string }> {
  const now = clock();
  return await inTransaction(db, async (trx) => {
    const report = await queries.lockReport(trx, id);
    if (!report) throw notFound('report');
    if (report.closed_at) return { _id: id, closedAt: report.closed_at.toISOString() };
    await queries.closeReport(trx, id, now);
    const details = { about: `${report.kind}:${report.target_id}` };
    await logAct(trx, operator, { act: 'report.close', target: { kind: 'report', id }, details }, now);
    return { _id: id, closedAt: now.toISOString() };
  });
}
