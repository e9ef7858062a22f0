import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { newId } from '#server/platform/ids.ts';
import { Refusal } from '#server/platform/refusal.ts';
import * as queries from './lock.queries.ts';

/* After a restore nobody is paid until the payer's record since the snapshot was compared (docs/decisions/0069-after-a-restore.md). */

/** Locks payouts in the restored database. */
export async function lockPayouts(
  db: Kysely<Tables>,
  { snapshotAt, restoredAt }: { snapshotAt: Date; restoredAt: Date },
): Promise<void> {
  const row = { id: newId(restoredAt), snapshot_at: snapshotAt, restored_at: restoredAt };
  await queries.insertLock(db, row);
}

export const locked = () => new Refusal('payouts_locked', { what: 'restored' });

export async function mustBeUnlocked(db: Kysely<Tables>): Promise<void> {
  if (await queries.findLock(db)) throw locked();
}

export const findOpenLock = queries.findLock;
export const liftLocks = queries.liftLocks;

export const isLocked = async (db: Kysely<Tables>): Promise<boolean> =>
  (await queries.findLock(db)) !== undefined;
