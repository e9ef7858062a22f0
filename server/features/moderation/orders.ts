import type { z } from 'zod';
import type { enterOrder as endpoint } from '#contract/cases.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { notFound } from '#server/platform/refusal.ts';
import type { Operator } from '../audit-log/audit-log.ts';
import { logOnCase, targetOf } from './cases.ts';
import { findByNumber } from './reports.queries.ts';
import { report } from './reports.ts';

/** Enters an order of a court or an authority as a report without a reporter, with the deadline of orders. Returns its case. */
export async function enterOrder(
  context: Context<'db' | 'clock' | 'config'>,
  operator: Operator,
  { target: named, text }: z.output<(typeof endpoint)['body']>,
): Promise<{ _id: string }> {
  return await inTransaction(context.db, async (trx) => {
    const { kind, id } = await targetOf(trx, named);
    const order = { ...{ kind, id, text }, reason: 'order', contact: '', number: undefined } as const;
    const number = await report({ ...context, db: trx }, undefined, order);
    const stored = await findByNumber(trx, number);
    if (!stored) throw notFound('report');
    const about = { id: stored.case_id, kind, target_id: id, reasons: stored.reasons };
    await logOnCase(trx, operator, { act: 'report.order', about, details: { text } }, context.clock());
    return { _id: stored.case_id };
  });
}
