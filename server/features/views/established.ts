import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { type ClosingPrevented, isClosed } from '../earnings/closing.ts';
import { mailOfMonth } from '../earnings/month-rules.ts';
import * as queries from './established.queries.ts';
import { personHasher } from './viewers.ts';

export { countEstablished, countPairs, isActive } from './established.queries.ts';

/** The next month may begin before the transaction of a change is committed; by then views may be written with the account as it was. */
const longestChangeMs = 60 * 60 * 1000;

/**
 * Updates whether an account is old enough and verified at the end of the month, in the transaction that verifies its address, or suspends,
 * restores or deletes it at `at`. Only the month of that moment changes, and the one that begins meanwhile: established accounts of a month
 * are final at its end.
 */
export async function updateEstablished(
  trx: ClosingPrevented,
  { clock, config, keyring, outbox }: Context<'clock' | 'config' | 'keyring' | 'outbox'>,
  { personId, at }: { personId: string; at: Date },
): Promise<void> {
  const { timeZone } = config;
  const until = new Date(clock().getTime() + longestChangeMs);
  for (const month of new Set([at, clock(), until].map((time) => monthOf(time, timeZone)))) {
    if (await isClosed(trx, month)) continue;
    const viewer = (await personHasher(keyring, month))(personId);
    const hasMail = await mailOfMonth(trx, month, outbox.isOn);
    await queries.refreshAccount(trx, { personId, viewer, month, hasMail }, timeZone);
  }
}
