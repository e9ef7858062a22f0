import type { Transaction } from 'kysely';
import type { Reason, ValuesOf } from '#contract/sentences.ts';
import { type EncodingLimits, encodeIfShort, encodeVideo } from '#server/media/encode-video.ts';
import { type CrashReason, MediaRefusal, MediaWorkerCrash } from '#server/media/refusal.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Rendition, Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { sizesIn } from '#server/platform/files.ts';
import type { Attempt, JobKind } from '#server/platform/jobs.ts';
import { holding } from '#server/platform/storage.ts';
import { publishCompared } from '../copies/matching.ts';
import { waiting } from '../copies/waiting.ts';
import { unpaidReel } from '../month-counts/month-rules.ts';
import { addToMonths } from '../month-counts/months.ts';
import { scheduleFanOut } from '../notifications/fan-out.ts';
import { retryWhileUnavailable } from '../stored-files/retry-while-unavailable.ts';
import { dropFiles, registerRenditions, withholdFiles } from '../stored-files/stored-files.ts';
import { noteFiles } from '../uploads/uploads.ts';
import type { Work } from '../works/works.ts';
import { countPublic } from './public-count.ts';
import * as queries from './reels.queries.ts';
import { takeDownReel } from './take-down.ts';

interface ReelWork {
  reelId: string;
  /** The creator, of whom one reel of each queue is encoded at a time. */
  ownerId: string;
  /** How often the file crashed the child process. */
  tries?: number;
  /** Whether it was found to be long work. */
  long?: boolean;
}

/** Encodes an uploaded video and publishes its reel, or leaves it to the queue for long work. */
export const reelJob: JobKind<ReelWork> = {
  name: 'reel',
  // Crashes caused by the file are counted in `tries`. These retries are for faults of the server, such as repeated
  // kills, each of which costs an innocent file one retry.
  retries: 24,
  // The child process has its own time limits; this limit also includes waiting for disk space or the storage.
  seconds: 6 * 60 * 60,
  ownerOf: ({ ownerId }) => ownerId,
};

/** The same for videos that take minutes, with workers of its own, so that short ones never wait for them. */
export const longReelJob: JobKind<ReelWork> = { ...reelJob, name: 'reel-long' };

/** Queues a reel: everybody's first one is encoded before anybody's second (docs/decisions/0087-queues-at-the-size-of-a-site.md). */
export async function enqueueReel(
  trx: Transaction<Tables>,
  { jobs }: Context<'jobs'>,
  data: ReelWork,
): Promise<void> {
  const ahead = await queries.countAhead(trx, data.ownerId, data.reelId);
  await jobs.send(trx, data.long ? longReelJob : reelJob, data, { ahead });
}

/** The context of one attempt. Tests set other limits. */
type ReelContext = Omit<Context, 'keyring'> & { limits?: EncodingLimits };

/**
 * After this many crashes of the child process a file is given up. One that took too long would do so again, and delay others; one that
 * stalled costs a minute each time.
 */
const maxTries: Record<CrashReason, number> = {
  time: 1,
  silence: 2,
  starved: 3,
  memory: 3,
  crash: 3,
  error: 3,
};

/**
 * One try, as run by the queue. A file that crashes the child process is tried again when everybody who waits by then had a turn, so that it
 * delays others by one try only; after the last try the reel fails with the reason. Returns whether the reel is public now.
 */
export async function tryReel(context: ReelContext, attempt: Attempt<ReelWork>): Promise<boolean> {
  const { reelId, tries = 0 } = attempt.data;
  try {
    return await processReel(context, attempt);
  } catch (error) {
    if (!(error instanceof MediaWorkerCrash)) throw error;
    if (tries + 1 < maxTries[error.reason])
      await inTransaction(context.db, (trx) =>
        enqueueReel(trx, context, { ...attempt.data, tries: tries + 1 }),
      );
    else await failReel(context, reelId, gaveUp(afterTries[error.reason]));
    return false;
  }
}

const afterTries = {
  time: 'slow',
  silence: 'stuck',
  starved: 'ours',
  memory: 'memory',
  crash: 'crash',
  error: 'error',
} as const satisfies Record<CrashReason, keyof ValuesOf<'processing_failed'>>;

const gaveUp = (what: keyof ValuesOf<'processing_failed'>): Reason => ({
  code: 'processing_failed',
  params: { what },
});

/**
 * One try to make a reel ready. The row has the state, so an interrupted try is simply repeated: encode, store the files under the reel's
 * key, then in one transaction make it public and count it. What turns out to be long work goes to the queue for it instead. Returns
 * whether this try has made it public. Throws MediaWorkerCrash if the file crashed the child process.
 */
export async function processReel(
  context: ReelContext,
  { data, signal }: Attempt<ReelWork>,
): Promise<boolean> {
  const { reelId, long = false } = data;
  const { db, storage, limits } = context;
  const reel = await queries.readReel(db, reelId);
  if (reel?.state !== 'processing') return false;
  if (reel.deleted_at) {
    await storage.discard(reel.media_key);
    return false;
  }
  let isPublic = false;
  try {
    const arrived = await retryWhileUnavailable(signal, () => storage.fetch(reel.media_key));
    const made = await holding(arrived, async (file) => {
      if (!file) throw new Error(`there is nothing in the inbox to make the reel ${reelId} of`);
      return await storage.inWorkspace(async (folder, full) => {
        const ending = AbortSignal.any([signal, full]);
        const onProgress = storeProgress(context, reel);
        const encode = long ? encodeVideo : encodeIfShort;
        const video = await encode(file.path, folder, { signal: ending, onProgress, ...limits });
        if (!video) return undefined;
        const files = await sizesIn(folder);
        await retryWhileUnavailable(signal, () => storage.publish(reel.media_key, folder));
        return { ...video, files };
      });
    });
    if (!made) {
      await inTransaction(db, (trx) => enqueueReel(trx, context, { ...data, long: true }));
      return false;
    }
    isPublic = await makePublic(context, reelId, made);
    // Deleted or given up in the meantime: then its new files go. What it is made of was deleted with it, or stays for another try.
    await (isPublic ? storage.discard(reel.media_key) : storage.remove(reel.media_key));
  } catch (error) {
    if (!(error instanceof MediaRefusal)) throw error;
    const { code, params } = error;
    await failReel(context, reelId, { code, params });
  }
  return isPublic;
}

/** Stores the progress of a reel. Values that arrive while another one is being written are skipped: the next one follows soon. */
function storeProgress({ db }: Context<'db'>, reel: Work): (share: number) => void {
  let isWriting = false;
  return (share) => {
    if (isWriting) return;
    isWriting = true;
    // The progress is only displayed. A database that does not answer is reported by its health check.
    queries
      .setProgress(db, reel, Math.min(99, Math.floor(share * 100)))
      .catch(() => undefined)
      .finally(() => {
        isWriting = false;
      });
  };
}

/** Marks a reel as failed after the queue's last try, with a sentence that the file is not the cause. Its file is kept for another try. */
export async function giveUpReel(
  context: Context<'db' | 'storage' | 'clock'>,
  reelId: string,
): Promise<void> {
  await failReel(context, reelId, gaveUp('ours'));
}

async function failReel(
  { db, storage, clock }: Context<'db' | 'storage' | 'clock'>,
  reelId: string,
  reason: Reason,
): Promise<void> {
  const isOurs = reason.code === 'processing_failed' && reason.params.what === 'ours';
  const key = await inTransaction(db, async (trx) => {
    const reel = await queries.lockReel(trx, reelId);
    const failed = reel && (await queries.markFailed(trx, reel, reason));
    const endFiles = isOurs ? withholdFiles : dropFiles;
    if (failed) await endFiles(trx, { ownerId: failed.creator_id, keys: [failed.media_key] }, clock());
    return failed?.media_key;
  });
  if (!key) return;
  if (!isOurs) await storage.discard(key);
  await storage.remove(key);
}

interface Made {
  placeholder: string;
  width: number;
  height: number;
  seconds: number;
  /** Whether the video shows a single still picture. */
  still?: boolean;
  renditions: Rendition[];
  /** Whether no sound track could be decoded. */
  soundLost?: boolean;
  /** Its print, in base64. */
  print?: string | null;
  /** All files, as sizes in bytes by name. */
  files?: Record<string, number>;
}

/**
 * Publishes the reel and counts it in the current month. A duplicate earns nothing, and neither does a reel under a second or of a single
 * picture. A copy of taken-down content waits for a review. Returns false if the reel was deleted or given up
 * in the meantime.
 */
export async function makePublic(
  { db, jobs, clock, config }: Context<'db' | 'jobs' | 'clock' | 'config'>,
  reelId: string,
  made: Made,
): Promise<boolean> {
  const now = clock();
  const found = await queries.readReel(db, reelId);
  if (!found) return false;
  const { creator_id: creatorId } = found;
  const print = made.print ? Buffer.from(made.print, 'base64') : null;
  return await publishCompared({ db }, { print, creatorId }, async (trx, recognize) => {
    const reel = await queries.lockReel(trx, reelId);
    if (!reel || reel.deleted_at) return false;
    // Another attempt of the same job was faster, or it was given up.
    if (reel.state !== 'processing') return reel.state === 'ready';
    const work = { creatorId, kind: 'reel' as const, id: reelId };
    const { duplicate, waits } = await recognize(trx, work, reel, now);
    const month = monthOf(now, config.timeZone);
    const { placeholder, width, height, seconds, renditions, soundLost = false } = made;
    const unpaid = unpaidReel(made);
    const facts = {
      placeholder,
      width,
      height,
      seconds,
      renditions,
      duplicate,
      unpaid,
      sound_lost: soundLost,
    };
    await queries.markReady(trx, reel, facts, now);
    if (made.files) await noteFiles(trx, reel.media_key, made.files);
    await registerRenditions(trx, { ownerId: creatorId, key: reel.media_key }, made.files);
    await countPublic(trx, reel, 1);
    if (waits) await takeDownReel(trx, reelId, waiting, now);
    else await scheduleFanOut(trx, jobs, { kind: 'new_reel', senderId: creatorId, aboutId: reelId }, now);
    if (!duplicate && !unpaid) await addToMonths(trx, [{ creatorId, month, reels: 1 }]);
    return true;
  });
}
