import type { ChildProcess } from 'node:child_process';
import type { ValuesOf } from '#contract/sentences.ts';
import { type Client, createFairQueue } from '../platform/fair-queue.ts';
import { machineBusy, type StoredRefusal } from '../platform/refusal.ts';
import { returnChild, takeChild } from './children.ts';
import { diskFault } from './disk-fault.ts';
import { reportTask } from './ended-tasks.ts';
import { usageOf } from './process-usage.ts';
import { type CrashReason, MediaRefusal, MediaWorkerCrash } from './refusal.ts';
import type { TaskInput, TaskName, TaskOutput } from './tasks/tasks.ts';

export interface Bounds {
  /** Maximum time in seconds. */
  seconds: number;
  /** Maximum time without a heartbeat, in seconds. After that the child counts as hanging. */
  silence?: number;
  /** Maximum memory in bytes. */
  memory: number;
  signal?: AbortSignal | undefined;
  /** The uploader waits for the response: a file that crashes the process is refused at once and not retried. */
  refuseDeadly?: boolean;
  /** Called with the progress of the task, from 0 to 1, if known. */
  onProgress?: ((share: number) => void) | undefined;
  /** The client of the task; the queue is fair between clients. */
  client?: Client | undefined;
}

/** Signals of a decoder that crashes on a broken file; SIGKILL and SIGTERM come from elsewhere. */
const deadly = new Set(['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE', 'SIGTRAP']);

const sentences = {
  time: 'time',
  silence: 'time',
  memory: 'memory',
  crash: 'crash',
} as const satisfies Record<Exclude<CrashReason, 'error' | 'starved'>, keyof ValuesOf<'file_unreadable'>>;

/** What comes of a task. `isLast`: the child ends after it. */
export type TaskResult =
  | { output: unknown; isLast: boolean }
  | { refusal: StoredRefusal }
  | { failure: string };
/** A message of a child: the result of its task, or a heartbeat with its progress from 0 to 1. */
export type Message = TaskResult | { heartbeat: true; share?: number | undefined };

// One for the process and not for each server in it, because it protects the machine.
let checks = createFairQueue({ atOnce: 4 });
/** Number of files that are checked concurrently during their upload. Others wait in a queue that is fair between clients. */
export function checkAtOnce(most: number): void {
  checks = createFairQueue({ atOnce: most });
}

/**
 * A child that reached a limit of time with less than this share of one processor has not had the time that the limit is meant to give
 * (docs/decisions/0074-busy-machines.md).
 */
const leastShare = 0.75;

/**
 * Runs one task on an uploaded file in a child process, so that a crash of a decoder affects only that: with limits on time and memory,
 * without our environment, at the priority of media. A refusal of the file is thrown as MediaRefusal; a crash as MediaWorkerCrash. With
 * `refuseDeadly` that is a MediaRefusal too, or the Refusal `unavailable` if the machine was too busy.
 */
export async function runInChild<N extends TaskName>(
  name: N,
  input: TaskInput<N>,
  bounds: Bounds,
): Promise<TaskOutput<N>> {
  bounds.signal?.throwIfAborted();
  const run = () =>
    reportTask(name, bounds.signal, async () => {
      const child = takeChild();
      const answer = await answerOf(child, { name, input }, bounds);
      // What has met a file that is broken or too much for it may be broken itself, and ends.
      if ('output' in answer && !answer.isLast) returnChild(child);
      if ('refusal' in answer) throw MediaRefusal.again({ ...answer.refusal, field: 'file' });
      if ('output' in answer) return answer.output as TaskOutput<N>;
      const { reason, complaint } = answer;
      const crash = new MediaWorkerCrash(reason, `media task ${name}: ${complaint}`);
      if (bounds.refuseDeadly && reason !== 'error')
        throw reason === 'starved'
          ? machineBusy(crash)
          : new MediaRefusal('file_unreadable', { what: sentences[reason] }, 'file');
      // An error of the disk is no fault of the file, so the request may be repeated.
      const code = diskFault(complaint);
      if (code) throw Object.assign(new Error(crash.message), { code });
      throw crash;
    });
  if (!bounds.refuseDeadly) return await run();
  const leave = await checks.enter(bounds.client ?? '');
  try {
    return await run();
  } finally {
    leave();
  }
}

type Ending = Exclude<TaskResult, { failure: string }> | { reason: CrashReason; complaint: string };

function answerOf(child: ChildProcess, message: object, bounds: Bounds): Promise<Ending> {
  return new Promise((resolve, reject) => {
    let ending: Ending | undefined;
    let complaint = '';
    const begun = performance.now();
    const before = usageOf(child.pid);
    let used = { memory: 0, seconds: 0 };
    /** Time and processor time of the last heartbeat. */
    let heard = { at: begun, seconds: 0 };
    const end = (reason: CrashReason) => {
      ending ??= { reason, complaint: `had to be ended: ${reason}, with ${used.seconds} s of a processor` };
      child.kill('SIGKILL');
    };
    const watch = setInterval(async () => {
      const { memory, seconds: spent } = await usageOf(child.pid);
      used = { memory, seconds: spent - (await before).seconds };
      const now = performance.now();
      const { seconds, silence = seconds } = bounds;
      const isStarved = (limit: number, since = 0) => used.seconds - since < leastShare * limit;
      if (now - begun > seconds * 1000) end(isStarved(seconds) ? 'starved' : 'time');
      if (now - heard.at > silence * 1000) end(isStarved(silence, heard.seconds) ? 'starved' : 'silence');
      if (used.memory > bounds.memory) end('memory');
    }, 200);
    const abort = () => child.kill('SIGKILL');
    const onComplaint = (chunk: Buffer) => {
      complaint = `${complaint}${chunk}`.slice(-2000);
    };
    const onMessage = (received: Message) => {
      heard = { at: performance.now(), seconds: used.seconds };
      if ('heartbeat' in received) {
        if (received.share !== undefined) bounds.onProgress?.(received.share);
      } else if (!ending && !bounds.signal?.aborted) {
        stopListening();
        resolve('failure' in received ? { reason: 'error', complaint: received.failure } : received);
      }
    };
    const onError = (error: Error) => {
      stopListening();
      reject(error);
    };
    const onClose = (code: number | null, signal: NodeJS.Signals | null) => {
      stopListening();
      if (bounds.signal?.aborted) return reject(bounds.signal.reason);
      const reason = signal && deadly.has(signal) ? 'crash' : 'error';
      resolve(ending ?? { reason, complaint: `ended with ${signal ?? code}: ${complaint.trim()}` });
    };
    const stopListening = () => {
      clearInterval(watch);
      bounds.signal?.removeEventListener('abort', abort);
      child.stderr?.off('data', onComplaint);
      child.off('message', onMessage).off('error', onError).off('close', onClose);
    };
    bounds.signal?.addEventListener('abort', abort);
    child.stderr?.on('data', onComplaint);
    child.on('message', onMessage).on('error', onError).on('close', onClose);
    child.send(message);
  });
}
