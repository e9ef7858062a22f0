import type { Kysely } from 'kysely';
import { coinsOf, ratesOf } from '#contract/rates.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { withdrawStatuses } from './withdrawals.ts';

/** Coins of months that were never withdrawn, and whether a withdrawal is pending. */
export async function unpaidOf(
  db: Kysely<Tables>,
  personId: string,
): Promise<{ unpaidCoins: number; withdrawalPending: boolean }> {
  const [months, statuses] = await Promise.all([
    db.selectFrom('creator_months').selectAll().where('creator_id', '=', personId).execute(),
    withdrawStatuses(db, personId),
  ]);
  const unpaidCoins = months
    .filter(({ month }) => !(month in statuses))
    .reduce((sum, counts) => sum + coinsOf(counts, ratesOf(counts.month)), 0);
  return { unpaidCoins, withdrawalPending: Object.values(statuses).includes('pending') };
}
