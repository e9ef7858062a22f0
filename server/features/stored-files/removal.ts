import type { Kysely, Transaction } from 'kysely';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { JobKind, Jobs } from '#server/platform/jobs.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Inbox, MediaStore, Storage } from '#server/platform/storage.ts';
import { forgetRemoved } from './stored-files.queries.ts';

/** Removes files whose rows were deleted. Retried for some minutes; the sweeper removes what is left after that. */
export const removalJob: JobKind<{ keys: string[] }> = { name: 'removal', retries: 8, seconds: 5 * 60 };

const atOnce = 500;

/** Queues jobs that delete files some seconds after the transaction is committed. */
export async function removeLater(
  trx: Transaction<Tables>,
  jobs: Pick<Jobs, 'send'>,
  keys: readonly string[],
  seconds = 0,
): Promise<void> {
  for (let start = 0; start < keys.length; start += atOnce) {
    await jobs.send(trx, removalJob, { keys: keys.slice(start, start + atOnce) }, { startAfter: seconds });
  }
}

/** Deletes the files of these keys, and then their registrations. */
export async function removeFiles(
  { db, storage }: { db: Kysely<Tables>; storage: Inbox & MediaStore },
  keys: readonly string[],
): Promise<void> {
  for (const key of keys) {
    await storage.discard(key);
    await storage.remove(key);
  }
  await forgetRemoved(db, keys);
}

/**
 * The same storage, except that removing from the media store also deletes the registration. If the store does not answer, a job removes
 * the files as soon as it does. `beforeRemoving` is called first for each key of the media store.
 */
export function removingLater<S extends Storage>(
  { db, jobs }: Context<'db' | 'jobs'>,
  storage: S,
  beforeRemoving?: (key: string) => Promise<void>,
): S {
  const orLater = (remove: (key: string) => Promise<void>) => async (key: string) => {
    try {
      await remove(key);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await inTransaction(db, (trx) => removeLater(trx, jobs, [key]));
    }
  };
  const remove = orLater(async (key) => {
    await storage.remove(key);
    await forgetRemoved(db, [key]);
  });
  return {
    ...storage,
    discard: orLater(storage.discard),
    async remove(key) {
      await beforeRemoving?.(key);
      await remove(key);
    },
  };
}
