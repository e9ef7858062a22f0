import type { z } from 'zod';
import type { report as endpoint } from '#contract/reports.ts';
import type { Context } from '#server/platform/context.ts';
import { newId } from '#server/platform/ids.ts';
import { notFound, Refusal } from '#server/platform/refusal.ts';
import * as queries from './reports.queries.ts';

/** Stores a report for the operators. A repeated report of the same thing by the same person returns the first one. */
export async function report(
  { db, clock }: Context<'db' | 'clock'>,
  reporterId: string,
  { kind, id, reason, text }: z.output<(typeof endpoint)['body']>,
): Promise<void> {
  const now = clock();
  const ownerId = await queries.ownerOf(db, kind, id);
  if (!ownerId) throw notFound('reported');
  if (ownerId === reporterId) throw new Refusal('invalid_input', { what: 'report_own' }, 'id');
  await queries.insertReport(db, {
    id: newId(now),
    reporter_id: reporterId,
    kind,
    target_id: id,
    reason,
    text,
    created_at: now,
  });
}
