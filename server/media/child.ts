import { constants, setPriority } from 'node:os';
import { Refusal } from '../platform/refusal.ts';
import type { MediaPriority } from './children.ts';
import type { Message, TaskResult } from './run-in-child.ts';
import { onHeartbeat } from './tasks/heartbeat.ts';
import { runTask, type TaskName } from './tasks/tasks.ts';

const [, , priority] = process.argv as [string, string, MediaPriority];
// Requests have priority over media.
if (priority === 'low') setPriority(constants.priority.PRIORITY_LOW);
// Ctrl-C reaches the whole process group; the parent decides what is finished.
process.on('SIGINT', () => undefined);
// The parent process has ended, so the result is not needed.
process.once('disconnect', () => process.exit(1));

/** A child ends after so many tasks, or one after which it holds so much memory (bytes), so that what a decoder leaks ends with it. */
const most = { tasks: 50, memory: 192 * 1024 ** 2 };
let tasks = 0;

process.on('message', async ({ name, input }: { name: TaskName; input: never }) => {
  onHeartbeat((share) => process.send?.({ heartbeat: true, share } satisfies Message));
  tasks++;
  const answer = await runTask(name, input).then(
    (output): TaskResult => ({
      output,
      isLast: tasks >= most.tasks || process.memoryUsage.rss() > most.memory,
    }),
    (error: unknown): TaskResult =>
      error instanceof Refusal
        ? { refusal: { code: error.code, params: error.params } }
        : { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) },
  );
  process.send?.(answer, () => {
    if (!('output' in answer) || answer.isLast) process.exit(0);
  });
});
