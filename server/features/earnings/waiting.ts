import type { Transaction } from 'kysely';
import type { Page } from '#contract/fields.ts';
import { monthLabel } from '#contract/month.ts';
import type { WaitingMonth } from '#contract/operators.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { MonthRow } from './earnings.queries.ts';
import { viewsAboveLimit, worthOf } from './month-pay.ts';
import { listUndecided, listUndecidedOf, type UndecidedRow } from './releases.queries.ts';
import { decideWaiting, type WaitingDecision } from './releases.ts';
import { firstUnwrittenMonth, vouchedViewsOf } from './vouching.ts';
import type { WithdrawalRow } from './withdrawals.queries.ts';

/** Finished months with waiting views, newest first. Pages may leave out months: those above 1,000 views all of which pay. */
export async function listWaitingMonths(
  context: Context<'db' | 'clock' | 'config'>,
  page: Page,
): Promise<{ data: WaitingMonth[]; nextCursor: string | null }> {
  const { db } = context;
  const cursor = readCursor(page.cursor);
  const rows = await listUndecided(
    db,
    firstUnwrittenMonth(context),
    page.limit + 1,
    cursor && { month: monthOf(cursor.at, 'UTC'), id: cursor.id },
  );
  const found = await aboveLimits(context, rows);
  const shown = new Map(
    found.map(({ of: row, coins, ...views }): [UndecidedRow, WaitingMonth] => [
      row,
      {
        userId: row.creator_id,
        name: row.name ?? '',
        username: row.username ?? '',
        month: row.month,
        monthLabel: monthLabel(row.month),
        watched: row.views,
        paid: views.paid,
        waiting: views.waiting,
        coins,
        established: views.accounts,
        viewsPerAccount: views.viewsPerAccount,
        lookAskedAt: row.look_asked_at?.toISOString() ?? null,
      },
    ]),
  );
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
  withdrawals: readonly Pick<WithdrawalRow, 'id' | 'creator_id' | 'month' | 'carried'>[],
): Promise<WaitingIn[]> {
  const asked = withdrawals.flatMap(({ id: withdrawalId, creator_id: creatorId, month, carried }) =>
    [...carried, { month }].map((one) => ({ withdrawalId, creatorId, month: one.month })),
  );
  const found = await listUndecidedOf(context.db, asked);
  if (found.length === 0) return [];
  const above = await aboveLimits(
    context,
    found.map(({ counts, ...which }) => ({ ...counts, creator_id: which.creatorId, which })),
  );
  return above.map(({ of: { which }, waiting, coins }) => ({ ...which, views: waiting, coins }));
}

interface AboveLimit<T> {
  of: T;
  /** Views that pay, that wait, and the coins that the latter would pay. */
  paid: number;
  waiting: number;
  coins: number;
  /** Established accounts, and how many views each lets pay. */
  accounts: number;
  viewsPerAccount: number;
}

/** Those of these undecided months with views above their limit. */
async function aboveLimits<T extends MonthRow & { creator_id: string }>(
  context: Context<'db' | 'clock' | 'config'>,
  months: readonly T[],
): Promise<AboveLimit<T>[]> {
  const vouched = await vouchedViewsOf(
    context,
    months.map(({ creator_id: creatorId, month, views }) => ({ creatorId, month, views })),
  );
  return months.flatMap((of, place) => {
    const { views: paid = of.views, accounts = 0, viewsPerAccount = 0 } = vouched[place] ?? {};
    const over = viewsAboveLimit(worthOf(of.month, of, { views: paid, likes: of.likes }));
    return over.views > 0
      ? [{ of, paid, waiting: over.views, coins: over.coins, accounts, viewsPerAccount }]
      : [];
  });
}

/** In the transaction that approves payments: decides about the views that wait in the months of these withdrawals. */
export async function decideWaitingOf(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'config' | 'outbox'>,
  withdrawals: Parameters<typeof listWaitingOf>[1],
  decision: { months: WaitingDecision; operatorId: string },
): Promise<void> {
  const waiting = await listWaitingOf({ ...context, db: trx }, withdrawals);
  // In the order in which months are locked.
  for (const { creatorId, month } of waiting)
    await decideWaiting(trx, context, { creator_id: creatorId, month, carried: [] }, decision);
}
