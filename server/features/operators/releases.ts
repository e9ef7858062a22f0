import { monthLabel } from '#contract/month.ts';
import type { Context } from '#server/platform/context.ts';
import * as earnings from '../earnings/releases.ts';
import { logAct } from './audit-log.ts';
import type { Operator } from './operators.ts';

/** What of a creator's month was released. */
export interface Release {
  userId: string;
  month: string;
  monthLabel: string;
  views: number;
  coins: number;
  /** The month in which the coins count. */
  countsIn: string;
}

/**
 * Releases the views of a finished month that wait, of one creator or of all, and logs each. Creators of whom nothing waits
 * are left out.
 */
export async function releaseMonth(
  context: Context<'db' | 'clock' | 'config'>,
  operator: Operator,
  { month, creatorId, reason }: { month: string; creatorId: string | undefined; reason: string },
): Promise<Release[]> {
  const decision = { reason, operatorId: operator.id };
  const done: Parameters<typeof earnings.releaseMonthOfAll>[3] = async (trx, release) => {
    const target = { kind: 'person', id: release.creator_id };
    const details = { reason, month, views: release.views, coins: release.coins };
    await logAct(trx, operator, { act: 'month.release', target, details }, release.released_at);
  };
  const released =
    creatorId === undefined
      ? await earnings.releaseMonthOfAll(context, month, decision, done)
      : [await earnings.releaseMonth(context, { creatorId, month }, decision, done)];
  return released.flatMap((row) =>
    row
      ? [
          {
            userId: row.creator_id,
            month: row.month,
            monthLabel: monthLabel(row.month),
            views: row.views,
            coins: row.coins,
            countsIn: row.counts_in,
          },
        ]
      : [],
  );
}
