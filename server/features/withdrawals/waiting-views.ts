import type { Transaction } from 'kysely';
import type { Page } from '#contract/fields.ts';
import { monthLabel } from '#contract/month.ts';
import type { WaitingMonth } from '#contract/operators.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { listUndecided, listUndecidedOf } from '../months/adjustments.ts';
import { viewsAboveLimit } from '../months/money.ts';
import { decideWaiting, type WaitingDecision } from './releases.ts';
import type { WithdrawalRow } from './withdrawals.queries.ts';

/** Months in which views wait, newest first. */
export async function listWaitingMonths(
  { db }: Context<'db'>,
  page: Page,
): Promise<{ data: WaitingMonth[]; nextCursor: string | null }> {
  const cursor = readCursor(page.cursor);
  const rows = await listUndecided(
    db,
    page.limit + 1,
    cursor && { month: monthOf(cursor.at, 'UTC'), id: cursor.id },
  );
  const position = ({ month, creator_id: id }: (typeof rows)[number]) => ({
    at: new Date(`${month}-01T00:00:00Z`),
    id,
  });
  return pageOf(rows, page.limit, position, (row) => {
    const { views, coins } = viewsAboveLimit(row);
    return {
      userId: row.creator_id,
      name: row.name ?? '',
      username: row.username ?? '',
      month: row.month,
      monthLabel: monthLabel(row.month),
      watched: row.views,
      paid: row.paid,
      waiting: views,
      coins,
      established: row.accounts,
      accountViews: row.account_views,
      lookAskedAt: row.look_asked_at?.toISOString() ?? null,
    };
  });
}

/** A month of a withdrawal in which views wait, and the coins that they would pay if released. */
interface WaitingIn {
  withdrawalId: string;
  creatorId: string;
  month: string;
  views: number;
  coins: number;
}

/** The months with waiting views that these withdrawals pay, by creator and month. */
export async function listWaitingOf(
  { db }: Context<'db'>,
  withdrawals: readonly Pick<WithdrawalRow, 'id' | 'creator_id' | 'month' | 'carried'>[],
): Promise<WaitingIn[]> {
  const asked = withdrawals.flatMap(({ id: withdrawalId, creator_id: creatorId, month, carried }) =>
    [...carried, { month }].map((paid) => ({ withdrawalId, creatorId, month: paid.month })),
  );
  const undecided = await listUndecidedOf(db, asked);
  return undecided.map(({ waiting, ...which }) => ({ ...which, ...viewsAboveLimit(waiting) }));
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
