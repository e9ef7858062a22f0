import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { photoFile, reelFiles } from '#server/media/file-names.ts';
import { makePrint } from '#server/media/make-print.ts';
import { MediaRefusal } from '#server/media/refusal.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { type Attempt, isAnyUnfinished, type JobKind } from '#server/platform/jobs.ts';
import { isMachineBusy } from '#server/platform/machine.ts';
import { fetchFile } from '../stored-files/fetch-file.ts';
import { retryWhileUnavailable } from '../stored-files/retry-while-unavailable.ts';
import * as queries from './catch-up.queries.ts';
import { lockPrints } from './copies.queries.ts';
import { storePrint } from './matching.ts';

/** Makes the print of a work from before there were prints, so that its copies are found. The work itself is not compared. */
export const printJob: JobKind<queries.Unprinted> = {
  name: 'print',
  retries: 3,
  seconds: 10 * 60,
  ownerOf: ({ ownerId }) => ownerId,
};

/** One try. A work that cannot be decoded has no print. */
export async function printWork(
  { db, storage }: Context<'db' | 'storage'>,
  { data: work, signal }: Pick<Attempt<queries.Unprinted>, 'data' | 'signal'>,
): Promise<void> {
  const found = await queries.findUnprinted(db, work);
  const print = found ? await printOf(storage, work, { found, signal }) : null;
  await inTransaction(db, async (trx) => {
    const isThere = await queries.lockWork(trx, work);
    await lockPrints(trx);
    // Another try may have finished first.
    if (!(await queries.takeUnprinted(trx, work))) return;
    const { kind, id, ownerId: creatorId } = work;
    if (print && isThere) await storePrint(trx, { kind, id, creatorId }, print);
  });
}

type Found = NonNullable<Awaited<ReturnType<typeof queries.findUnprinted>>>;

async function printOf(
  storage: Context<'storage'>['storage'],
  { kind }: queries.Unprinted,
  { found, signal }: { found: Found; signal: AbortSignal },
): Promise<Buffer | null> {
  // The smallest rendition is the fastest to decode, and has more detail than a print.
  const file = kind === 'reel' ? (found.renditions[0]?.file ?? reelFiles.video) : photoFile;
  return await storage.inWorkspace(async (workspace, full) => {
    const path = join(workspace, file);
    await retryWhileUnavailable(signal, () => fetchFile(storage, found.media_key, file, path));
    const ending = AbortSignal.any([signal, full]);
    return await makePrint(path, kind === 'reel' ? 'reel' : 'picture', { signal: ending }).catch(
      (error: unknown) => {
        if (error instanceof MediaRefusal) return null;
        throw error;
      },
    );
  });
}

/** Leaves a work without a print permanently, after the queue's last try. */
export async function giveUpPrint(db: Kysely<Tables>, work: queries.Unprinted): Promise<void> {
  await queries.takeUnprinted(db, work);
}

const atOnce = 8;

/**
 * Queues the prints of a few older works, newest first, if the machine is idle and the queue has no jobs with priority; returns how many. A
 * work without a print stays on its list, so this continues where it stopped.
 */
export async function catchUpPrints(
  { db, jobs }: Context<'db' | 'jobs'>,
  before: readonly JobKind<object>[],
  isBusy = isMachineBusy,
): Promise<number> {
  if (isBusy() || (await isAnyUnfinished(db, [...before, printJob]))) return 0;
  return await inTransaction(db, async (trx) => {
    const unprinted = await queries.listUnprinted(trx, atOnce);
    for (const one of unprinted) await jobs.send(trx, printJob, one);
    return unprinted.length;
  });
}
