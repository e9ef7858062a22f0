import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { MediaRefusal } from './refusal.ts';
import type { TaskName } from './tasks/tasks.ts';

/** A media task whose child process has ended. */
export interface EndedTask {
  task: TaskName;
  seconds: number;
  /** `refused`: the file is invalid; `failed`: an error of the server; `stopped`: it is to be repeated. */
  outcome: 'done' | 'refused' | 'failed' | 'stopped';
}

// A channel, so that the code that runs tasks does not depend on the metrics.
const name = 'jhalak:media-task';
const ended = channel(name);

/** Runs a task, and reports its outcome to the listeners. */
export async function reportTask<T>(
  task: TaskName,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const report = (outcome: EndedTask['outcome']) =>
    ended.publish({ task, seconds: (performance.now() - started) / 1000, outcome } satisfies EndedTask);
  try {
    const output = await run();
    report('done');
    return output;
  } catch (error) {
    report(error instanceof MediaRefusal ? 'refused' : signal?.aborted ? 'stopped' : 'failed');
    throw error;
  }
}

/** Calls the listener after each task of this process; returns a function that removes it. */
export function onTaskEnded(onEnded: (task: EndedTask) => void): () => void {
  const listener = (message: unknown) => onEnded(message as EndedTask);
  subscribe(name, listener);
  return () => unsubscribe(name, listener);
}
