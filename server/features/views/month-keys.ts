import { retention } from '#contract/retention.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';

const day = 24 * 60 * 60 * 1000;

/** Makes the keys of this month and, a day ahead, of the next; destroys expired ones and returns them. */
export async function maintainMonthKeys({
  clock,
  config,
  keyring,
}: Context<'clock' | 'config' | 'keyring'>): Promise<string[]> {
  const monthIn = (days: number) => monthOf(new Date(clock().getTime() + days * day), config.timeZone);
  for (const month of [monthIn(0), monthIn(1)]) await keyring.monthKey(month);
  return await keyring.destroyMonthKeys(monthIn(-retention.monthKeyDays));
}
