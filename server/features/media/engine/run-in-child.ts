import { type ChildProcess, execFile, fork } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { ErrorCode } from '../../../../contract/errors.ts';
import { MediaRefusal } from './refusal.ts';
import type { TaskInput, TaskName, TaskOutput } from './tasks/tasks.ts';

export interface Bounds {
  /** Longest it may take, in seconds. */
  seconds: number;
  /** Most memory it may hold, in bytes. */
  memory: number;
  signal?: AbortSignal | undefined;
}

/** What a child answers, over IPC. */
export type Answer =
  | { output: unknown }
  | { refusal: { code: ErrorCode; sentence: string } }
  | { failure: string };

const entry = fileURLToPath(new URL('./child.ts', import.meta.url));

/**
 * Runs one task on a foreign file in a process of its own, so that whatever the file does to a decoder it does there:
 * with bounds on time and memory, without our environment, at low priority. Refusals of the file come back as
 * MediaRefusal; outgrown bounds are one too, since the same file would outgrow them again.
 */
export async function runInChild<N extends TaskName>(
  name: N,
  input: TaskInput<N>,
  bounds: Bounds,
): Promise<TaskOutput<N>> {
  bounds.signal?.throwIfAborted();
  const child = fork(entry, {
    env: { PATH: process.env.PATH },
    execArgv: ['--max-old-space-size=256'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const answer = await answerOf(child, { name, input }, bounds);
  if ('refusal' in answer) throw new MediaRefusal(answer.refusal.code, answer.refusal.sentence, 'file');
  if ('failure' in answer) throw new Error(`media task ${name}: ${answer.failure}`);
  return answer.output as TaskOutput<N>;
}

function answerOf(child: ChildProcess, message: object, bounds: Bounds): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answer: Answer | undefined;
    let complaint = '';
    const end = (sentence: string) => {
      answer ??= { refusal: { code: 'file_unreadable', sentence } };
      child.kill('SIGKILL');
    };
    const late = setTimeout(
      () => end('This file takes too long to read; please try another one.'),
      bounds.seconds * 1000,
    );
    const watch = setInterval(async () => {
      if ((await memoryOf(child.pid)) > bounds.memory)
        end('This file takes too much memory to read; please try another one.');
    }, 200);
    const abort = () => child.kill('SIGKILL');
    bounds.signal?.addEventListener('abort', abort);
    child.stderr?.on('data', (chunk) => {
      complaint = `${complaint}${chunk}`.slice(-2000);
    });
    child.once('message', (received: Answer) => {
      answer = received;
    });
    child.once('error', reject);
    child.once('close', (code, signal) => {
      clearTimeout(late);
      clearInterval(watch);
      bounds.signal?.removeEventListener('abort', abort);
      if (bounds.signal?.aborted) reject(bounds.signal.reason);
      else resolve(answer ?? { failure: `ended with ${signal ?? code}: ${complaint.trim()}` });
    });
    child.send(message);
  });
}

/** Resident memory in bytes; 0 when the process is gone. */
async function memoryOf(pid: number | undefined): Promise<number> {
  try {
    if (process.platform === 'linux') {
      const pages = Number((await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')[1]);
      return pages * 4096;
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout) * 1024;
  } catch {
    return 0;
  }
}
