import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { ValuesOf } from '#contract/sentences.ts';
import { type Client, createFairQueue } from '../platform/fair-queue.ts';
import { machineBusy, type StoredRefusal } from '../platform/refusal.ts';
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

/** The last message of a child. */
export type TaskResult = { output: unknown } | { refusal: StoredRefusal } | { failure: string };
/** A message of a child: its result, or a heartbeat with its progress from 0 to 1. */
export type Message = TaskResult | { heartbeat: true; share?: number | undefined };

// One for the process and not for each server in it, because it protects the machine.
let checks = createFairQueue({ atOnce: 4 });
/** Number of files that are checked concurrently during their upload. Others wait in a queue that is fair between clients. */
export function checkAtOnce(most: number): void {
  checks = createFairQueue({ atOnce: most });
}

/** `low`: the lowest of the system. `normal`: that of this process. */
export type MediaPriority = 'low' | 'normal';
// One for the process, too.
let priority: MediaPriority = 'low';
/** Priority of the children that start from now on (docs/decisions/0074-busy-machines.md). */
export function setMediaPriority(next: MediaPriority): void {
  priority = next;
}

/**
 * A child that reached a limit of time with less than this share of one processor has not had the time that the limit is meant to give
 * (docs/decisions/0074-busy-machines.md).
 */
const leastShare = 0.75;

const entry = fileURLToPath(new URL('./child.ts', import.meta.url));

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
      const answer = await answerOf(start(), { name, input }, bounds);
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

function start(): ChildProcess {
  return fork(entry, [priority], {
    // Node's cache of compiled modules saves a third of the start of a child.
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    execArgv: ['--max-old-space-size=256'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

type Ending = Exclude<TaskResult, { failure: string }> | { reason: CrashReason; complaint: string };

function answerOf(child: ChildProcess, message: object, bounds: Bounds): Promise<Ending> {
  return new Promise((resolve, reject) => {
    let ending: Ending | undefined;
    let complaint = '';
    const begun = performance.now();
    let used = { memory: 0, seconds: 0 };
    /** Time and processor time of the last heartbeat. */
    let heard = { at: begun, seconds: 0 };
    const end = (reason: CrashReason) => {
      ending ??= { reason, complaint: `had to be ended: ${reason}, with ${used.seconds} s of a processor` };
      child.kill('SIGKILL');
    };
    const hear = () => {
      heard = { at: performance.now(), seconds: used.seconds };
    };
    const watch = setInterval(async () => {
      used = await usageOf(child.pid);
      const now = performance.now();
      const { seconds, silence = seconds } = bounds;
      const isStarved = (limit: number, since = 0) => used.seconds - since < leastShare * limit;
      if (now - begun > seconds * 1000) end(isStarved(seconds) ? 'starved' : 'time');
      if (now - heard.at > silence * 1000) end(isStarved(silence, heard.seconds) ? 'starved' : 'silence');
      if (used.memory > bounds.memory) end('memory');
    }, 200);
    const abort = () => child.kill('SIGKILL');
    bounds.signal?.addEventListener('abort', abort);
    child.stderr?.on('data', (chunk) => {
      complaint = `${complaint}${chunk}`.slice(-2000);
    });
    child.on('message', (received: Message) => {
      hear();
      if ('heartbeat' in received) {
        if (received.share !== undefined) bounds.onProgress?.(received.share);
        return;
      }
      ending ??= 'failure' in received ? { reason: 'error', complaint: received.failure } : received;
    });
    const stopWatching = () => {
      clearInterval(watch);
      bounds.signal?.removeEventListener('abort', abort);
    };
    // There may be two errors: that it could not be started, and that the task could not be sent to it.
    child.on('error', (error) => {
      stopWatching();
      reject(error);
    });
    child.once('close', (code, signal) => {
      stopWatching();
      if (bounds.signal?.aborted) return reject(bounds.signal.reason);
      const reason = signal && deadly.has(signal) ? 'crash' : 'error';
      resolve(ending ?? { reason, complaint: `ended with ${signal ?? code}: ${complaint.trim()}` });
    });
    child.send(message);
  });
}
