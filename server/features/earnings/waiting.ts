import type { Transaction } from 'kysely';
import type { Page } from '#contract/fields.ts';
import { monthLabel } from '#contract/month.ts';
import type { WaitingMonth } from '#contract/operators.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { payWithRules, viewsAboveLimit, worthOf } from './month-pay.ts';
import { findMonthRules, findVouchingStart, type MonthRules } from './month-rules.ts';
import { listUndecided, listUndecidedOf, type UndecidedRow } from './releases.queries.ts';
import { decideWaiting, type WaitingDecision } from './releases.ts';
import { firstUnwrittenMonth, paidViewsOf, vouchingOf } from './vouching.ts';
import type { WithdrawalRow } from './withdrawals.queries.ts';

/** Finished months with waiting views, newest first. Pages may leave out months: those above 1,000 views all of which pay. */
export async function listWaitingMonths(
  context: Context<'db' | 'clock' | 'config'>,
  page: Page,
): Promise<{ data: WaitingMonth[]; nextCursor: string | null }> {
  const { db } = context;
  const [rules, from] = [await findMonthRules(db), await findVouchingStart(db)];
  if (from === undefined) return { data: [], nextCursor: null };
  const cursor = readCursor(page.cursor);
  const rows = await listUndecided(
    db,
    { from, before: firstUnwrittenMonth(context) },
    page.limit + 1,
    cursor && { month: monthOf(cursor.at, 'UTC'), id: cursor.id },
  );
  const shown = new Map<UndecidedRow, WaitingMonth>();
  for (const row of rows) {
    const { creator_id: creatorId, name, username, look_asked_at: look, month, ...counts } = row;
    const [pay] = await payWithRules(context, rules, { creatorId, months: [{ month, ...counts }] });
    if (!pay || pay.waitingViews === 0) continue;
    const { accounts: established, viewsPerAccount } = await vouchingOf(context, rules, {
      creatorId,
      month,
      views: counts.views,
    });
    shown.set(row, {
      userId: creatorId,
      name: name ?? '',
      username: username ?? '',
      month,
      monthLabel: monthLabel(month),
      watched: counts.views,
      paid: pay.paid.views,
      waiting: pay.waitingViews,
      coins: viewsAboveLimit(pay).coins,
      established,
      viewsPerAccount,
      lookAskedAt: look?.toISOString() ?? null,
    });
  }
  const position = ({ month, creator_id: id }: UndecidedRow) => ({
    at: new Date(`${month}-01T00:00:00Z`),
    id,
  });
  const { data, nextCursor } = pageOf(rows, page.limit, position, (row) => ({ waiting: shown.get(row) }));
  return { data: data.flatMap(({ waiting }) => waiting ?? []), nextCursor };
}

/** A month of a withdrawal in which views wait, and the coins that they would pay if released. */
interface WaitingIn {
  withdrawalId: string;
  creatorId: string;
  month: string;
  views: number;
  coins: number;
}

/**
 * The months with waiting views that these withdrawals pay, by creator and month. The number of queries does not depend on how many
 * withdrawals these are.
 */
export async function listWaitingOf(
  context: Context<'db' | 'clock' | 'config'>,
  rules: MonthRules,
  withdrawals: readonly Pick<WithdrawalRow, 'id' | 'creator_id' | 'month' | 'carried'>[],
): Promise<WaitingIn[]> {
  const from = await findVouchingStart(context.db);
  if (from === undefined) return [];
  const asked = withdrawals.flatMap(({ id: withdrawalId, creator_id: creatorId, month, carried }) =>
    [...carried, { month }].map((one) => ({ withdrawalId, creatorId, month: one.month })),
  );
  const found = await listUndecidedOf(context.db, asked, from);
  if (found.length === 0) return [];
  const paid = await paidViewsOf(
    context,
    rules,
    found.map((one) => ({ ...one, views: one.counts.views })),
  );
  return found.flatMap(({ counts, ...which }, place) => {
    const vouched = { views: paid[place] ?? counts.views, likes: counts.likes };
    const over = viewsAboveLimit(worthOf(rules, which.month, counts, vouched));
    return over.views > 0 ? [{ ...which, ...over }] : [];
  });
}

/** In the transaction that approves payments: decides about the views that wait in the months of these withdrawals. */
export async function decideWaitingOf(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'config' | 'outbox'>,
  withdrawals: Parameters<typeof listWaitingOf>[2],
  decision: { months: WaitingDecision; operatorId: string },
): Promise<void> {
  const waiting = await listWaitingOf({ ...context, db: trx }, await findMonthRules(trx), withdrawals);
  // In the order in which months are locked.
  for (const { creatorId, month } of waiting)
    await decideWaiting(trx, context, { creator_id: creatorId, month, carried: [] }, decision);
}
