import type { z } from 'zod';
import type { enterOrder as endpoint } from '#contract/cases.ts';
import type { ReportKind } from '#contract/reports.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { logAct, type Operator } from '../audit-log/audit-log.ts';
import { targetOfCase } from './cases.ts';
import { findByNumber } from './reports.queries.ts';
import { report } from './reports.ts';

/** Enters an order of a court or an authority about something: a report of nobody, with the deadline of orders. Returns its case. */
export async function enterOrder(
  context: Context<'db' | 'clock' | 'config'>,
  operator: Operator,
  { target: named, text }: z.output<(typeof endpoint)['body']>,
): Promise<{ _id: string }> {
  return await inTransaction(context.db, async (trx) => {
    const [kind = '', of] = named.split(':');
    const about = of ? { kind: kind as ReportKind, id: of } : await targetOfCase(trx, named);
    const order = { kind: about.kind, id: about.id, reason: 'order', text, contact: '' } as const;
    const number = await report({ ...context, db: trx }, undefined, { ...order, number: undefined });
    const id = (await findByNumber(trx, number))?.case_id ?? '';
    const details = { about: `${about.kind}:${about.id}`, text };
    await logAct(
      trx,
      operator,
      { act: 'report.order', target: { kind: 'report', id }, details },
      context.clock(),
    );
    return { _id: id };
  });
}
