import type { Kysely } from 'kysely';
import { type Clock, monthOf } from '../../platform/clock.ts';
import type { Tables } from '../../platform/database/tables.ts';
import type { JobKind } from '../../platform/jobs.ts';
import type { Storage } from '../../platform/storage.ts';
import { addToCategories } from '../categories/categories.ts';
import { addToMonths } from '../earnings/months.ts';
import { encodeVideo } from '../media/engine/encode-video.ts';
import { MediaRefusal } from '../media/engine/refusal.ts';
import { noteFirstPublication } from '../media/uploads.ts';
import * as queries from './reels.queries.ts';

/** Turns an uploaded video into renditions and makes its reel public. */
export const reelJob: JobKind<{ reelId: string }> = { name: 'reel', retries: 2, seconds: 15 * 60 };

/**
 * One try at making a reel ready. The row says where it stands, so a try that was cut off is simply made again: encode,
 * put the files under the reel's key, then in one transaction make it public and count it.
 */
export async function processReel(
  db: Kysely<Tables>,
  storage: Storage,
  clock: Clock,
  timeZone: string,
  reelId: string,
  signal: AbortSignal,
): Promise<void> {
  const reel = await queries.lockReel(db, reelId);
  if (reel?.state !== 'processing') return;
  if (reel.deleted_at) return await storage.discard(reel.media_key);
  try {
    const made = await storage.inWorkspace(async (folder) => {
      const video = await encodeVideo(storage.inboxPath(reel.media_key), folder, { signal });
      await storage.publish(reel.media_key, folder);
      return video;
    });
    await makePublic(db, reelId, made, clock(), timeZone);
  } catch (error) {
    if (!(error instanceof MediaRefusal)) throw error;
    await failReel(db, storage, reelId, error.message);
  }
  await storage.discard(reel.media_key);
}

/** Gives a reel up after its last try; its owner reads why. */
export async function giveUpReel(db: Kysely<Tables>, storage: Storage, reelId: string): Promise<void> {
  await failReel(
    db,
    storage,
    reelId,
    'We could not process this video after three tries. Please try another file.',
  );
}

async function failReel(db: Kysely<Tables>, storage: Storage, reelId: string, reason: string): Promise<void> {
  const mediaKey = await queries.markFailed(db, reelId, reason);
  if (!mediaKey) return;
  await storage.remove(mediaKey);
  await storage.discard(mediaKey);
}

interface Made {
  placeholder: string;
  width: number;
  height: number;
  seconds: number;
}

/** The reel is public from here on, counted in the month of this moment; a copy of a known file earns nothing. */
async function makePublic(db: Kysely<Tables>, reelId: string, made: Made, now: Date, timeZone: string) {
  await db.transaction().execute(async (trx) => {
    const reel = await queries.lockReel(trx, reelId);
    if (reel?.state !== 'processing' || reel.deleted_at) return;
    const duplicate = !(await noteFirstPublication(trx, reel.sha256, reel.creator_id, now));
    const { placeholder, width, height, seconds } = made;
    await queries.markReady(trx, reelId, { placeholder, width, height, seconds, duplicate }, now);
    await addToCategories(trx, reel.categories, 1);
    await queries.addToReelCount(trx, reel.creator_id, 1);
    if (!duplicate)
      await addToMonths(trx, [{ creatorId: reel.creator_id, month: monthOf(now, timeZone), reels: 1 }]);
  });
}
