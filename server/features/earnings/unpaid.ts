import type { Context } from '#server/platform/context.ts';
import { payOf } from './month-pay.ts';
import { withdrawStatuses } from './withdrawals.ts';

/** Coins of months without a pending or completed withdrawal, and whether one is pending. */
export async function unpaidOf(
  context: Context<'db' | 'clock' | 'config'>,
  personId: string,
): Promise<{ unpaidCoins: number; withdrawalPending: boolean }> {
  const { db } = context;
  const [months, statuses] = await Promise.all([
    db.selectFrom('creator_months').selectAll().where('creator_id', '=', personId).execute(),
    withdrawStatuses(db, personId),
  ]);
  const pays = await payOf(
    context,
    personId,
    months.filter(({ month }) => !(month in statuses)),
  );
  const unpaidCoins = pays.reduce((sum, { coins }) => sum + coins, 0);
  return { unpaidCoins, withdrawalPending: Object.values(statuses).includes('pending') };
}
