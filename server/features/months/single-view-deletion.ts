import { retention } from '#contract/retention.ts';
import { monthBefore, monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { setViewsDeleted } from '../month-counts/month-states.ts';
import { deleteViewsUntil } from '../views/views.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * Deletes the single views of counted months that ended 60 days ago, with the hashes of their viewers (decisions §4). From then on the audit
 * derives these months from the counts by reel and day and from what the closing stored.
 */
export async function deleteSingleViews({
  db,
  clock,
  config,
}: Context<'db' | 'clock' | 'config'>): Promise<void> {
  const now = clock();
  const over = monthBefore(
    monthOf(new Date(now.getTime() - retention.singleViewDays * day), config.timeZone),
  );
  const last = await setViewsDeleted(db, over, now);
  // Also what an interrupted run has left.
  if (last) await deleteViewsUntil(db, last);
}
