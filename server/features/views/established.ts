import type { Transaction } from 'kysely';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { isClosed } from '../earnings/closing.ts';
import * as queries from './established.queries.ts';
import { personHasher } from './viewers.ts';

export { countEstablished, countPairs, isActive } from './established.queries.ts';

/**
 * Updates whether an account is old enough and verified at the end of the month, in the transaction that verifies its address, or suspends,
 * restores or deletes it. Only the current month changes: established accounts of a month are final at its end.
 */
export async function updateEstablished(
  trx: Transaction<Tables>,
  { clock, config, keyring, outbox }: Context<'clock' | 'config' | 'keyring' | 'outbox'>,
  personId: string,
): Promise<void> {
  const month = monthOf(clock(), config.timeZone);
  if (await isClosed(trx, month)) return;
  const viewer = (await personHasher(keyring, month))(personId);
  await queries.refreshAccount(
    trx,
    { personId, viewer, month },
    {
      timeZone: config.timeZone,
      hasMail: outbox.isOn,
    },
  );
}
