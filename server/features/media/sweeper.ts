import { retention } from '#contract/privacy.ts';
import type { Context } from '#server/platform/context.ts';
import type { JobKind } from '#server/platform/jobs.ts';
import { deleteUntouched } from './resumable.queries.ts';
import { strayBefore, straysIn } from './stored.ts';
import * as queries from './uploads.queries.ts';

export const sweepJob: JobKind<object> = { name: 'sweep', retries: 1, seconds: 10 * 60 };

/** An upload that nobody published is forgotten. */
const unusedAfter = retention.unusedUploadHours * 60 * 60 * 1000;

/** Removes every file that no living row refers to (decisions §7); returns how many keys. */
export async function sweep({ db, storage, clock }: Context<'db' | 'storage' | 'clock'>): Promise<number> {
  const now = clock();
  const unused = new Date(now.getTime() - unusedAfter);
  await queries.deleteUnused(db, unused);
  await deleteUntouched(db, unused);
  await storage.sweepWorkspaces(strayBefore(now));
  let removed = 0;
  const awaited = (keys: string[]) => queries.awaitedKeys(db, keys);
  for await (const { key } of straysIn(storage.list('inbox/'), now, awaited)) {
    await storage.discard(key);
    removed += 1;
  }
  const living = (keys: string[]) => queries.liveKeys(db, keys);
  for await (const { key } of straysIn(storage.list('media/'), now, living)) {
    await storage.remove(key);
    removed += 1;
  }
  return removed;
}
