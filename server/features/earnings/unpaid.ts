import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { payBy } from './month-pay.ts';
import { findMonthRules } from './month-rules.ts';
import { withdrawStatuses } from './withdrawals.ts';

/** Coins of months that were never withdrawn, and whether a withdrawal is pending. */
export async function unpaidOf(
  db: Kysely<Tables>,
  personId: string,
): Promise<{ unpaidCoins: number; withdrawalPending: boolean }> {
  const [months, rules, statuses] = await Promise.all([
    db.selectFrom('creator_months').selectAll().where('creator_id', '=', personId).execute(),
    findMonthRules(db),
    withdrawStatuses(db, personId),
  ]);
  const unpaidCoins = months
    .filter(({ month }) => !(month in statuses))
    .reduce((sum, { month, ...counts }) => sum + payBy(rules, month, counts).coins, 0);
  return { unpaidCoins, withdrawalPending: Object.values(statuses).includes('pending') };
}
