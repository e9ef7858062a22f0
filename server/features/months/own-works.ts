import type { Kysely, Transaction } from 'kysely';
import type { MonthCounts } from '#contract/earning-rules.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { addToHeldMonths, holdMonths, MonthClosed } from '../month-counts/months.ts';
import { countViewsOfCopy } from '../views/views.ts';
import { insertAdjustment, listAdjustments } from './adjustments.ts';
import { firstUncounted } from './closing.ts';
import { type AdjustmentRow, nothing, type Result, resultOf } from './money.ts';
import { lockMonths } from './month-rows.ts';
import { countsOfWorks } from './own-works.queries.ts';
import { likesByAccounts } from './vouching.ts';

export { countsOfWorks } from './own-works.queries.ts';

/**
 * Counts a work that was taken for a copy and is its creator's own, in the transaction that decides it, which has locked the work. In months
 * that are not closed it counts like any other; for each closed month there is an adjustment, whose coins count in the current month.
 */
export async function countOwnWork(
  trx: Transaction<Tables>,
  context: Context<'clock' | 'config'>,
  { creatorId, workId }: { creatorId: string; workId: string },
  { reason, operatorId }: { reason: string; operatorId: string | null },
): Promise<void> {
  const { timeZone } = context.config;
  const now = context.clock();
  const current = monthOf(now, timeZone);
  const counts = [...(await countsOfWorks(trx, { creatorId, ids: [workId] }, timeZone))];
  const closed = await holdMonths(trx, [...counts.map(([month]) => month), current]);
  const uncounted = await firstUncounted({ ...context, db: trx });
  // One that is closed and not counted yet has no result to compare with.
  if ([...closed].some((month) => month === current || month >= uncounted)) throw new MonthClosed();
  let months = await lockMonths(trx, creatorId, current);
  if (months.length === 0) {
    // Without a row there is nothing that two decisions at the same time wait for.
    await addToHeldMonths(trx, [{ creatorId, month: current }]);
    months = await lockMonths(trx, creatorId, current);
  }
  const adjustments = await listAdjustments(trx, creatorId);
  for (const [month, { views }] of counts.filter(([month]) => closed.has(month))) {
    const result = months.find((row) => row.month === month)?.result;
    const coins = await coinsOfOwnWork(trx, timeZone, result, { creatorId, month, workId, adjustments });
    const of = { creator_id: creatorId, month, counts_in: current, kind: 'own' as const, work_id: workId };
    await insertAdjustment(trx, { id: newId(now), ...of, views, coins, reason, at: now, by: operatorId });
  }
  const open = counts.filter(([month]) => !closed.has(month));
  await countViewsOfCopy(
    trx,
    { creatorId, reelId: workId },
    open.map(([month]) => month),
  );
  // The row of the current month is locked in any case, so that its withdrawal is computed before or after.
  const changes = new Map<string, Partial<MonthCounts>>([[current, {}], ...open]);
  await addToHeldMonths(
    trx,
    [...changes].map(([month, of]) => ({ creatorId, month, ...of })),
  );
}

/**
 * What a closed month would have paid with a work, by its own bound, less what it paid and less what was found before. Where the views above
 * the limit were released, and are not void, all pay. `adjustments`: those that were decided before.
 */
export async function coinsOfOwnWork(
  db: Kysely<Tables>,
  timeZone: string,
  result: Result | undefined,
  {
    creatorId,
    month,
    workId,
    adjustments,
  }: { creatorId: string; month: string; workId: string; adjustments: readonly AdjustmentRow[] },
): Promise<number> {
  const { counts, accounts, accountViews } = result ?? { counts: nothing, accounts: 0, accountViews: 0 };
  const about = adjustments.filter((row) => row.month === month);
  const has = (wanted: AdjustmentRow['kind']) => about.some(({ kind }) => kind === wanted);
  const isReleased = has('released') && !has('void_waiting');
  const earlier = about.flatMap((row) => row.work_id ?? []);
  const coinsWith = async (works: readonly string[]) => {
    const more = (await countsOfWorks(db, { creatorId, ids: works }, timeZone)).get(month) ?? nothing;
    // While it is decided about the work, it has no adjustment yet.
    const of = { month, timeZone, ownWorks: works, besides: [workId] };
    const likes = await likesByAccounts(db, 'established_accounts', [creatorId], of);
    const bound = isReleased ? counts.views + more.views : accountViews;
    return resultOf({ ...sumOf(counts, more), accounts, accountViews: bound }, likes.get(creatorId)).coins;
  };
  return (await coinsWith([...earlier, workId])) - (await coinsWith(earlier));
}

const sumOf = (counts: MonthCounts, more: MonthCounts): MonthCounts => ({
  reels: counts.reels + more.reels,
  posts: counts.posts + more.posts,
  stories: counts.stories + more.stories,
  views: counts.views + more.views,
  likes: counts.likes + more.likes,
});
