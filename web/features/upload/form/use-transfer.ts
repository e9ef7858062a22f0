import { useEffect, useRef, useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { useSite } from '#web/features/chrome/use-site.ts';
import type { Picked } from '../media/media.ts';
import { keepScreenOn } from '../transfer/keep-screen-on.ts';
import { newPause, type Pause } from '../transfer/pause.ts';
import { loadTus } from '../transfer/send-file.ts';
import { pageLeft, type Transfer } from '../transfer/transfer.ts';

export interface TransferProgress {
  sent: number;
  total: number;
  /** Bytes per second, averaged over the last seconds; 0 until known. */
  speed: number;
  /** The person paused the upload. */
  paused: boolean;
  /** There is no connection; the upload continues by itself. */
  waiting: boolean;
  /** The upload waits for other uploads. */
  queued: boolean;
  /** The progress of compressing, from 0 to 1. */
  compressing: number | undefined;
  /** How far compressing came, from 0 to 1; 0 if the original is sent. */
  compressed: number;
  /** The upload is complete and is being published; it cannot be cancelled any more. */
  publishing: boolean;
}

/** What a form needs to show and control an upload. */
export interface TransferControl {
  progress: TransferProgress | undefined;
  cancel: () => void;
  pause: () => void;
  resume: () => void;
  /** Stops compressing and sends the original. */
  sendAsIs: () => void;
}

const begun = {
  sent: 0,
  speed: 0,
  paused: false,
  waiting: false,
  queued: false,
  compressed: 0,
  publishing: false,
};

/**
 * Uploads a file with `sendFiles`, then publishes it; reports progress, and can be paused and cancelled. If only the
 * publishing fails, a retry does not upload the file again.
 */
export function useTransfer<Arrived>(sendFiles: (picked: Picked, transfer: Transfer) => Promise<Arrived>) {
  const { uploadPiece } = useSite();
  const [progress, setProgress] = useState<TransferProgress>();
  const running = useRef<{ stopping: AbortController; skipCompression: AbortController; pause: Pause }>(
    undefined,
  );
  const arrivedFile = useRef<{ file: File; arrived: Arrived }>(undefined);
  useEffect(() => {
    // This only preloads the library. If it fails, it is loaded again when a file is sent.
    loadTus().catch(() => undefined);
    return () => running.current?.stopping.abort(pageLeft);
  }, []);
  const isSending = progress !== undefined && !progress.paused;
  useEffect(() => (isSending ? keepScreenOn() : undefined), [isSending]);
  const change = (changed: Partial<TransferProgress>) => setProgress((now) => now && { ...now, ...changed });

  async function run<Published>(picked: Picked, publish: (arrived: Arrived) => Promise<Published>) {
    const { file } = picked;
    const total = file.size;
    const [stopping, skipCompression, pause] = [new AbortController(), new AbortController(), newPause()];
    running.current = { stopping, skipCompression, pause };
    setProgress({ ...begun, total, compressing: undefined });
    try {
      if (arrivedFile.current?.file !== file) {
        const speedOf = speedometer();
        const arrived = await sendFiles(picked, {
          signal: stopping.signal,
          pause,
          chunkBytes: uploadPiece,
          onProgress: (sent, total) => change({ sent, total, speed: speedOf(sent) }),
          onWaiting: (waiting) => change({ waiting }),
          onQueued: (queued) => change({ queued }),
          onCompressing: (compressing) =>
            change(compressing === undefined ? { compressing } : { compressing, compressed: compressing }),
          skipCompression: skipCompression.signal,
        });
        arrivedFile.current = { file, arrived };
      }
      stopping.signal.throwIfAborted();
      change({ sent: total, total, speed: 0, publishing: true });
      const published = await publish(arrivedFile.current.arrived);
      arrivedFile.current = undefined;
      return published;
    } catch (error) {
      // The server no longer accepts the uploaded file (it expired, for example), so a retry uploads it again.
      if (isApiError(error) && error.status === 409) arrivedFile.current = undefined;
      throw error;
    } finally {
      setProgress(undefined);
    }
  }

  function setPaused(paused: boolean) {
    running.current?.pause.set(paused);
    change({ paused, waiting: false, speed: 0 });
  }
  const control: TransferControl = {
    progress,
    cancel: () => running.current?.stopping.abort(),
    pause: () => setPaused(true),
    resume: () => setPaused(false),
    sendAsIs: () => running.current?.skipCompression.abort(),
  };
  return { run, control };
}

/** Whether the error only says that the person cancelled. */
export const isCancelled = (error: unknown) =>
  (isApiError(error) && error.code === 'aborted') ||
  (error instanceof DOMException && error.name === 'AbortError');

function speedometer(): (bytes: number) => number {
  let marks: { at: number; bytes: number }[] = [];
  return (bytes) => {
    const now = performance.now();
    const last = marks.at(-1);
    // After a resume or a pause the old samples say nothing about the speed.
    if (last && (bytes < last.bytes || now - last.at > 4000)) marks = [];
    marks.push({ at: now, bytes });
    while (marks.length > 2 && now - (marks[0]?.at ?? now) > 4000) marks.shift();
    const [first] = marks;
    const seconds = (now - (first?.at ?? now)) / 1000;
    return first && seconds > 0.3 ? (bytes - first.bytes) / seconds : 0;
  };
}
