import { findSmaller, keepSmaller, type Smaller } from './kept-smaller.ts';
import type { FromWorker } from './shrink.worker.ts';
import { mayShrink } from './shrink-plan.ts';
import type { Transfer } from './transfer.ts';
import { newTurns } from './turns.ts';
import { findUnfinished, fingerprintOf } from './unfinished.ts';

/** One encoder keeps a phone busy. */
const shrinking = newTurns(1);
/** A worker that says nothing for so many milliseconds hangs. */
const silence = 60_000;

/**
 * A smaller video to be sent in a file's place, the same one again after a reload. Undefined, whatever the cause, where the
 * original is to be sent. Cancelled, it throws at once.
 */
export async function smallerOf(file: File, transfer: Transfer): Promise<Smaller | undefined> {
  if (!mayShrink(file.size) || !('VideoEncoder' in window && 'Worker' in window)) return undefined;
  // What is on its way goes on.
  if (findUnfinished(fingerprintOf('reel', file))) return undefined;
  const kept = await findSmaller(file);
  if (kept) return kept;
  const { signal, asIs, onQueued, onShrinking } = transfer;
  try {
    const made = await shrinking(() => shrunkBy(transfer, file), AbortSignal.any([signal, asIs]), onQueued);
    if (made) await keepSmaller(file, made);
    return made;
  } catch {
    if (signal.aborted) throw signal.reason;
    return undefined;
  } finally {
    onShrinking(undefined);
  }
}

function shrunkBy({ signal, asIs, onShrinking }: Transfer, file: File): Promise<Smaller | undefined> {
  const worker = new Worker(new URL('./shrink.worker.ts', import.meta.url), { type: 'module' });
  const stop = AbortSignal.any([signal, asIs]);
  let watchdog: ReturnType<typeof setTimeout> | undefined;
  const answer = new Promise<Smaller | undefined>((resolve, reject) => {
    const watch = () => {
      clearTimeout(watchdog);
      watchdog = setTimeout(() => reject(new Error('The encoder hangs.')), silence);
    };
    worker.onerror = reject;
    worker.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      watch();
      if ('progress' in data) onShrinking(data.progress);
      else if ('failed' in data) reject(new Error(data.failed));
      else resolve(data.shrunk && smallerFile(data.shrunk));
    };
    stop.addEventListener('abort', () => reject(stop.reason), { once: true });
    if (stop.aborted) reject(stop.reason);
    watch();
    onShrinking(0);
    worker.postMessage(file);
  });
  return answer.finally(() => {
    clearTimeout(watchdog);
    worker.terminate();
  });
}

/** When it was made tells it from another one of the same size, whose beginning may have arrived. */
const smallerFile = ({ blob, sha256 }: { blob: Blob; sha256: string }): Smaller => ({
  file: new File([blob], 'smaller.mp4', { type: blob.type, lastModified: Date.now() }),
  original: sha256,
});
