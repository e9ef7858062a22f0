import type { Kysely } from 'kysely';
import { rules } from '#contract/rates.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import * as queries from './settings.queries.ts';

/**
 * Whether addresses can be verified in a month, so that only accounts with a verified one are established. It is stored when it is first
 * needed for a month, with the current setting, so that the rules of a month do not change while it runs.
 */
export async function mailOfMonth(db: Kysely<Tables>, month: string, isOn: boolean): Promise<boolean> {
  const name = `mail ${month}`;
  const stored = await queries.findSetting(db, name);
  if (stored !== undefined) return stored === 'on';
  await queries.insertSetting(db, name, isOn ? 'on' : 'off');
  // Another process may have been first.
  return (await queries.findSetting(db, name)) === 'on';
}

/**
 * Whether addresses can be verified in the current month or a later one, as `mailOfMonth`. Reads the current month once, since its value
 * does not change while a server runs.
 */
export async function openMailOfMonths({
  db,
  clock,
  config,
  outbox,
}: Context<'db' | 'clock' | 'config' | 'outbox'>): Promise<(month: string) => boolean> {
  const current = monthOf(clock(), config.timeZone);
  const hasMail = await mailOfMonth(db, current, outbox.isOn);
  return (month) => (month === current ? hasMail : outbox.isOn);
}

/** Why the publication of a reel pays nothing; null if it can pay. */
export function unpaidReel({
  seconds,
  still,
}: {
  seconds: number;
  still?: boolean;
}): 'too_short' | 'still' | null {
  // Containers round the duration.
  if (seconds < rules.shortestPaidReel - 0.05) return 'too_short';
  return still ? 'still' : null;
}
