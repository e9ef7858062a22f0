import type { Page } from '#contract/fields.ts';
import { monthLabel } from '#contract/month.ts';
import type { WaitingMonth } from '#contract/operators.ts';
import { vouchingRules } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { pageOf, readCursor } from '#server/platform/cursor.ts';
import { payWithRules, viewsAboveLimit } from './month-pay.ts';
import { findMonthRules, findVouchingStart } from './month-rules.ts';
import { listUndecided, type UndecidedRow } from './releases.queries.ts';
import { firstUnwrittenMonth, vouchingOf } from './vouching.ts';

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
    { from, before: firstUnwrittenMonth(context), views: vouchingRules.views },
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
