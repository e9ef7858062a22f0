import { useEffect, useRef, useState } from 'react';
import { isApiError } from '#contract/api-error.ts';
import { useSite } from '../chrome/use-site.ts';
import type { Picked } from './media.ts';
import { newPause, type Pause } from './pause.ts';
import { loadTus } from './send-file.ts';
import { leaving, type Transfer } from './transfer.ts';

export interface Progress {
  sent: number;
  total: number;
  /** Bytes a second, averaged over the last seconds; 0 until known. */
  speed: number;
  /** Somebody paused it. */
  paused: boolean;
  /** There is no connection; it goes on by itself. */
  waiting: boolean;
  /** It waits until others are through. */
  queued: boolean;
  /** How far it is made smaller before it is sent, from 0 to 1. */
  shrinking: number | undefined;
  /** Of the file that was picked. */
  fileBytes: number;
  /** It is being published: past the point of cancelling. */
  publishing: boolean;
}

/** What a form shows of it, and what a person can do about it. */
export interface TransferControl {
  progress: Progress | undefined;
  cancel: () => void;
  pause: () => void;
  resume: () => void;
  /** Does not make it smaller. */
  sendAsIs: () => void;
}

const begun = { sent: 0, speed: 0, paused: false, waiting: false, queued: false, publishing: false };

/**
 * Sends what was picked by `sendFiles`, then publishes it; says how far it is, can be paused and cancelled. What has
 * arrived is not sent again when only the publishing failed.
 */
export function useTransfer<Arrived>(sendFiles: (picked: Picked, transfer: Transfer) => Promise<Arrived>) {
  const { uploadPiece } = useSite();
  const [progress, setProgress] = useState<Progress>();
  const running = useRef<{ stopping: AbortController; asIs: AbortController; pause: Pause }>(undefined);
  const kept = useRef<{ file: File; arrived: Arrived }>(undefined);
  useEffect(() => {
    // Where it cannot be had now it is asked for again when a file is sent.
    loadTus().catch(() => undefined);
    return () => running.current?.stopping.abort(leaving);
  }, []);
  const change = (changed: Partial<Progress>) => setProgress((now) => now && { ...now, ...changed });

  async function run<Published>(picked: Picked, publish: (arrived: Arrived) => Promise<Published>) {
    const { file } = picked;
    const total = file.size;
    const [stopping, asIs, pause] = [new AbortController(), new AbortController(), newPause()];
    running.current = { stopping, asIs, pause };
    setProgress({ ...begun, total, fileBytes: total, shrinking: undefined });
    try {
      if (kept.current?.file !== file) {
        const speedOf = speedometer();
        const arrived = await sendFiles(picked, {
          signal: stopping.signal,
          pause,
          piece: uploadPiece,
          onProgress: (sent, total) => change({ sent, total, speed: speedOf(sent) }),
          onWaiting: (waiting) => change({ waiting }),
          onQueued: (queued) => change({ queued }),
          onShrinking: (shrinking) => change({ shrinking }),
          asIs: asIs.signal,
        });
        kept.current = { file, arrived };
      }
      stopping.signal.throwIfAborted();
      change({ sent: total, total, speed: 0, publishing: true });
      const published = await publish(kept.current.arrived);
      kept.current = undefined;
      return published;
    } catch (error) {
      // The server refuses what arrived (it waited too long, say): the next try sends it again.
      if (isApiError(error) && error.status === 409) kept.current = undefined;
      throw error;
    } finally {
      setProgress(undefined);
    }
  }

  function hold(paused: boolean) {
    running.current?.pause.set(paused);
    change({ paused, waiting: false, speed: 0 });
  }
  const control: TransferControl = {
    progress,
    cancel: () => running.current?.stopping.abort(),
    pause: () => hold(true),
    resume: () => hold(false),
    sendAsIs: () => running.current?.asIs.abort(),
  };
  return { run, control };
}

/** Whether an error is the person's own cancelling. */
export const isCancelled = (error: unknown) =>
  (isApiError(error) && error.code === 'aborted') ||
  (error instanceof DOMException && error.name === 'AbortError');

function speedometer(): (bytes: number) => number {
  let marks: { at: number; bytes: number }[] = [];
  return (bytes) => {
    const now = performance.now();
    const last = marks.at(-1);
    // It went on from where the server has it, or after a break.
    if (last && (bytes < last.bytes || now - last.at > 4000)) marks = [];
    marks.push({ at: now, bytes });
    while (marks.length > 2 && now - (marks[0]?.at ?? now) > 4000) marks.shift();
    const [first] = marks;
    const seconds = (now - (first?.at ?? now)) / 1000;
    return first && seconds > 0.3 ? (bytes - first.bytes) / seconds : 0;
  };
}
