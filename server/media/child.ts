import { constants, setPriority } from 'node:os';
import { Refusal } from '../platform/refusal.ts';
import type { MediaPriority, Message, TaskResult } from './run-in-child.ts';
import { onHeartbeat } from './tasks/heartbeat.ts';
import { runTask, type TaskName } from './tasks/tasks.ts';

const [, , priority] = process.argv as [string, string, MediaPriority];
// Requests have priority over media.
if (priority === 'low') setPriority(constants.priority.PRIORITY_LOW);
// Ctrl-C reaches the whole process group; the parent decides what is finished.
process.on('SIGINT', () => undefined);
// The parent process has ended, so the result is not needed.
process.once('disconnect', () => process.exit(1));

onHeartbeat((share) => process.send?.({ heartbeat: true, share } satisfies Message));

process.once('message', async ({ name, input }: { name: TaskName; input: never }) => {
  const answer = await runTask(name, input).then(
    (output): TaskResult => ({ output }),
    (error: unknown): TaskResult =>
      error instanceof Refusal
        ? { refusal: { code: error.code, params: error.params } }
        : { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) },
  );
  process.send?.(answer, () => process.exit(0));
});
