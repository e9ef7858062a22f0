import { concurrencyLimit } from '../transfer/concurrency-limit.ts';
import type { Transfer } from '../transfer/transfer.ts';
import { findUploadUrl, fingerprintOf } from '../transfer/upload-urls.ts';
import type { WorkerMessage } from './compress.worker.ts';
import { type CompressedVideo, cacheCompressed, findCompressed } from './compressed-video-cache.ts';
import { mayCompress } from './compression-plan.ts';

/** One encoder at a time, because one already uses a phone fully. */
const limitEncoders = concurrencyLimit(1);
/** A worker that sends no message for so long is stopped. */
const stallTimeoutMs = 60_000;

/**
 * The compressed video to send instead of a file; after a reload the same one again. Undefined if, for whatever reason, the
 * original is to be sent. Throws only if the upload is cancelled.
 */
export async function compressVideo(file: File, transfer: Transfer): Promise<CompressedVideo | undefined> {
  if (!mayCompress(file.size) || !('VideoEncoder' in window && 'Worker' in window)) return undefined;
  // An upload of the original has begun, and is resumed.
  if (findUploadUrl(fingerprintOf('reel', file))) return undefined;
  const cached = await findCompressed(file);
  if (cached) return cached;
  const { signal, skipCompression, onQueued, onCompressing } = transfer;
  try {
    const made = await limitEncoders(
      () => compressInWorker(transfer, file),
      AbortSignal.any([signal, skipCompression]),
      onQueued,
    );
    if (made) await cacheCompressed(file, made);
    return made;
  } catch {
    if (signal.aborted) throw signal.reason;
    return undefined;
  } finally {
    onCompressing(undefined);
  }
}

function compressInWorker(
  { signal, skipCompression, onCompressing }: Transfer,
  file: File,
): Promise<CompressedVideo | undefined> {
  const worker = new Worker(new URL('./compress.worker.ts', import.meta.url), { type: 'module' });
  const stop = AbortSignal.any([signal, skipCompression]);
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  const answer = new Promise<CompressedVideo | undefined>((resolve, reject) => {
    const watch = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => reject(new Error('The encoder hangs.')), stallTimeoutMs);
    };
    worker.onerror = reject;
    worker.onmessage = ({ data }: MessageEvent<WorkerMessage>) => {
      watch();
      if ('progress' in data) onCompressing(data.progress);
      else if ('failed' in data) reject(new Error(data.failed));
      else resolve(data.compressed && compressedFile(data.compressed));
    };
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
    if (stop.aborted) reject(stop.reason);
    watch();
    onCompressing(0);
    worker.postMessage(file);
  });
  return answer.finally(() => {
    clearTimeout(watchdog);
    worker.terminate();
  });
}

/** The time in `lastModified` distinguishes two results of the same size, so that an upload is resumed only with the same bytes. */
const compressedFile = ({ blob, sha256 }: { blob: Blob; sha256: string }): CompressedVideo => ({
  file: new File([blob], 'smaller.mp4', { type: blob.type, lastModified: Date.now() }),
  original: sha256,
});
