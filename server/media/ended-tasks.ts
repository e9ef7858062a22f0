import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { MediaRefusal } from './refusal.ts';
import type { TaskName } from './tasks/tasks.ts';

/** A task on a foreign file, when its child process has ended. */
export interface EndedTask {
  task: TaskName;
  seconds: number;
  /** `refused`: the file is at fault; `failed`: we are; `stopped`: it is to be done again. */
  outcome: 'done' | 'refused' | 'failed' | 'stopped';
}

// Whoever runs a task need not know who measures.
const name = 'jhalak:media-task';
const ended = channel(name);

/** Runs a task, and reports to the listeners how it ended. */
export async function told<T>(
  task: TaskName,
  signal: AbortSignal | undefined,
  run: () => Promise<T>,
): Promise<T> {
  const started = performance.now();
  const tell = (outcome: EndedTask['outcome']) =>
    ended.publish({ task, seconds: (performance.now() - started) / 1000, outcome } satisfies EndedTask);
  try {
    const output = await run();
    tell('done');
    return output;
  } catch (error) {
    tell(error instanceof MediaRefusal ? 'refused' : signal?.aborted ? 'stopped' : 'failed');
    throw error;
  }
}

/** Hears of every task of this process; returns what ends that. */
export function hearEndedTasks(hear: (ended: EndedTask) => void): () => void {
  const listener = (message: unknown) => hear(message as EndedTask);
  subscribe(name, listener);
  return () => unsubscribe(name, listener);
}
