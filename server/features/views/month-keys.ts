import type { Transaction } from 'kysely';
import { retention } from '#contract/retention.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import * as queries from './month-keys.queries.ts';
import { storedHash } from './viewers.ts';

const day = 24 * 60 * 60 * 1000;

/** Hashes rows of earlier versions with the keys of their months; continues where the last try stopped. */
export const rekeyJob: JobKind<object> = { name: 'rekey-views', retries: 0, seconds: 10 * 60 };
const rowsAtOnce = 2000;

/** Makes the keys of this month and, a day ahead, of the next; destroys expired ones and returns them. */
export async function maintainMonthKeys({
  db,
  clock,
  config,
  keyring,
}: Context<'db' | 'clock' | 'config' | 'keyring'>): Promise<string[]> {
  const monthIn = (days: number) => monthOf(new Date(clock().getTime() + days * day), config.timeZone);
  for (const month of [monthIn(0), monthIn(1)]) await keyring.monthKey(month);
  // Without the key the remaining rows of earlier versions could not be hashed.
  if (await queries.hasUnkeyedRows(db)) return [];
  return await keyring.destroyMonthKeys(monthIn(-retention.monthKeyDays));
}

type Rekeying = Context<'db' | 'config' | 'keyring'>;

/** Hashes all stored views of earlier versions with the keys of their months. Each batch is a transaction. */
export async function rekeyEvents(context: Rekeying, signal?: AbortSignal): Promise<number> {
  let done = 0;
  for (;;) {
    signal?.throwIfAborted();
    const rows = await inTransaction(context.db, (trx) => rekeySomeEvents(trx, context));
    if (rows === 0) return done;
    done += rows;
  }
}

async function rekeySomeEvents(trx: Transaction<Tables>, context: Rekeying): Promise<number> {
  const rows = await queries.lockUnkeyedEvents(trx, rowsAtOnce);
  const keyed = [];
  for (const { place, viewer, address, seen_at } of rows) {
    const key = await keyAt(context, seen_at);
    keyed.push({
      place,
      viewer: storedHash(key, viewer),
      address: address && storedHash(key, address),
    });
  }
  await queries.writeEventHashes(trx, keyed);
  return rows.length;
}

/** The same for the windows of the last day, at the start: a view counts once for a viewer also across the upgrade. */
export async function rekeyWindows(context: Rekeying): Promise<void> {
  let rows: number;
  do {
    rows = await inTransaction(context.db, (trx) => rekeySomeWindows(trx, context));
  } while (rows > 0);
}

async function rekeySomeWindows(trx: Transaction<Tables>, context: Rekeying): Promise<number> {
  const rows = await queries.takeUnkeyedWindows(trx, rowsAtOnce);
  const keyed = [];
  for (const { viewer, ...row } of rows)
    keyed.push({ ...row, viewer: storedHash(await keyAt(context, row.counted_at), viewer) });
  await queries.putWindows(trx, keyed);
  return rows.length;
}

const keyAt = ({ config, keyring }: Rekeying, at: Date) => keyring.monthKey(monthOf(at, config.timeZone));
