import { retention } from '#contract/privacy.ts';
import type { Context } from '#server/platform/context.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { deleteUntouched } from './resumable.queries.ts';
import { keysOf, strayBefore, straysIn } from './stored.ts';
import * as register from './stored-files.queries.ts';
import * as queries from './uploads.queries.ts';

export const sweepJob: JobKind<object> = { name: 'sweep', retries: 1, seconds: 10 * 60 };

const hour = 60 * 60 * 1000;
/** An upload that nobody published is forgotten. */
const unusedAfter = retention.unusedUploadHours * hour;
const atOnce = 500;

type Sweeping = Context<'db' | 'storage' | 'clock'>;

/**
 * Removes every file that is to be deleted, and every file that no row refers to (decisions §7); returns how many keys. Until
 * the register of files is known to be complete, only what is orphaned by both the register and the rows is removed.
 */
export async function sweep(context: Sweeping): Promise<number> {
  const { db, storage, clock } = context;
  const now = clock();
  await expire(context, now);
  await storage.sweepWorkspaces(strayBefore(now));
  let removed = await removeDropped(context);
  const awaited = async (keys: string[]) =>
    either(await queries.awaitedKeys(db, keys), await registered(context, keys, 'inbox'));
  for await (const { key } of straysIn(storage.list('inbox/'), now, awaited)) {
    await storage.discard(key);
    removed += 1;
  }
  const living = async (keys: string[]) =>
    either(await queries.liveKeys(db, keys), await registered(context, keys, 'media'));
  for await (const { key } of straysIn(storage.list('media/'), now, living)) {
    await storage.remove(key);
    removed += 1;
  }
  return removed;
}

const either = (one: Set<string>, other: Set<string>) => new Set([...one, ...other]);

/** Forgets what nobody published or completed in time; its files are to be deleted. */
async function expire({ db }: Sweeping, now: Date): Promise<void> {
  const before = new Date(now.getTime() - unusedAfter);
  const withoutLogin = new Date(now.getTime() - hour);
  await inTransaction(db, async (trx) => {
    const unused = await queries.deleteUnused(trx, before);
    const untouched = await deleteUntouched(trx, before);
    await register.removeEach(trx, [...unused, ...untouched], now);
    await register.expireCopies(trx, { before, withoutLogin }, now);
  });
}

/** Deletes the files that are registered as to be deleted, and forgets those that are gone; returns how many. */
async function removeDropped({ db, storage }: Sweeping): Promise<number> {
  let removed = 0;
  for (let after = ''; ; ) {
    const keys = await register.listRemoved(db, after, atOnce);
    const last = keys.at(-1);
    if (!last) return removed;
    const named = either(await queries.liveKeys(db, keys), await queries.awaitedKeys(db, keys));
    for (const key of keys.filter((one) => !named.has(one))) {
      await storage.discard(key);
      await storage.remove(key);
      if (await isThere(storage, key)) continue;
      await register.forgetRemoved(db, [key]);
      removed += 1;
    }
    after = last;
  }
}

/** The store may have been unable to delete a file now, and have left it to a job. */
async function isThere({ list }: Context<'storage'>['storage'], key: string): Promise<boolean> {
  for (const place of ['inbox', 'media']) for await (const _ of keysOf(list(`${place}/${key}`))) return true;
  return false;
}

/** Of these keys, those that the register wants to keep there. */
async function registered({ db }: Sweeping, keys: string[], place: 'inbox' | 'media'): Promise<Set<string>> {
  const kept = (await register.findFiles(db, keys)).filter(
    ({ kind, state }) =>
      state !== 'removed' && (place === 'media' || state === 'arriving' || kind === 'video'),
  );
  return new Set(kept.map(({ key }) => key));
}
