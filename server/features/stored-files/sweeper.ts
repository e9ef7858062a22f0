import { retention } from '#contract/retention.ts';
import type { Context } from '#server/platform/context.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { groupByKey, inBatches, orphanBefore } from './listing.ts';
import * as register from './stored-files.queries.ts';

export const sweepJob: JobKind<object> = { name: 'sweep', retries: 1, seconds: 10 * 60, isPatient: true };

const hour = 60 * 60 * 1000;
/** Videos that were fetched without a login before this moment have expired. */
const fetchedBefore = (now: Date) => new Date(now.getTime() - retention.fetchedHours * hour);
/** Videos that failed before this moment are not processed again. */
const failedBefore = (now: Date) => new Date(now.getTime() - retention.failedDays * 24 * hour);
const atOnce = 500;

type Sweeping = Context<'db' | 'storage' | 'clock'>;

/**
 * Deletes every file that is registered as removed (decisions §7), and expired ones. A file without a row is put into quarantine, and
 * deleted after a week. Returns how many keys were deleted, and how many put into quarantine.
 */
export async function sweep(context: Sweeping): Promise<{ removed: number; quarantined: number }> {
  const { db, storage, clock } = context;
  const now = clock();
  await register.expireCopies(db, fetchedBefore(now), now);
  await register.expireFailed(db, failedBefore(now), now);
  await storage.sweepWorkspaces(orphanBefore(now));
  const dropped = await removeDropped(context);
  const ended = await endQuarantine(context, now);
  const swept = { removed: dropped + ended, quarantined: 0 };
  for (const area of ['inbox', 'media'] as const)
    for await (const batch of inBatches(groupByKey(storage.list(`${area}/`)))) {
      const old = batch.filter(({ changedAt }) => changedAt < orphanBefore(now));
      if (old.length === 0) continue;
      const rows = Map.groupBy(
        await register.findFiles(
          db,
          old.map(({ key }) => key),
        ),
        ({ key }) => key,
      );
      for (const { key } of old) {
        const known = rows.get(key);
        if (!known) swept.quarantined += await quarantine(context, key, now);
        else if (area === 'inbox' && known.every(isMade)) {
          await storage.discard(key);
          swept.removed += 1;
        }
      }
    }
  return swept;
}

/** A received file is not needed once files were made from it; a crash may have left it. */
const isMade = ({ kind, state }: Awaited<ReturnType<typeof register.findFiles>>[number]) =>
  kind !== 'video' && kind !== 'unknown' && state !== 'arriving';

/** Deletes the files that are registered as removed, and then their rows; returns how many. */
async function removeDropped({ db, storage }: Sweeping): Promise<number> {
  let removed = 0;
  for (let after = ''; ; ) {
    const keys = await register.listRemoved(db, after, atOnce);
    const last = keys.at(-1);
    if (!last) return removed;
    for (const key of keys) {
      await storage.discard(key);
      await storage.remove(key);
      if (await isThere(storage, key)) continue;
      await register.forgetRemoved(db, [key]);
      removed += 1;
    }
    after = last;
  }
}

/** If the store could not delete a file, a job does it later. */
async function isThere({ list }: Context<'storage'>['storage'], key: string): Promise<boolean> {
  for (const area of ['inbox', 'media'])
    for await (const _ of groupByKey(list(`${area}/${key}`))) return true;
  return false;
}

/** Registers an orphan, unless it was deleted since it was listed; returns how many were registered. */
async function quarantine({ db, storage }: Sweeping, key: string, now: Date): Promise<number> {
  if (!(await isThere(storage, key))) return 0;
  return await register.quarantine(db, key, now);
}

/** Deletes files that were in quarantine for long enough, unless they have got a row since; returns how many. */
async function endQuarantine({ db, storage }: Sweeping, now: Date): Promise<number> {
  await register.releaseNamed(db);
  const keys = await register.takeQuarantined(db, new Date(now.getTime() - register.quarantinedFor));
  for (const key of keys) {
    await storage.discard(key);
    await storage.remove(key);
  }
  return keys.length;
}
