import { expect, it } from 'vitest';
import { runInChild } from './run-in-child.ts';

it('where no child can be started the task fails and the server lives, with nothing left running', async () => {
  const node = process.execPath;
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  // As while an upgrade replaces the program under a running server.
  process.execPath = '/nowhere/node';
  try {
    const bounds = { seconds: 60, memory: 2 ** 30 };
    const task = runInChild('probe', { path: 'a.mp4', container: 'mov' } as never, bounds);
    await expect(task).rejects.toThrow('ENOENT');
  } finally {
    process.execPath = node;
  }
  // What cannot be sent to it is heard of a moment later.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(timers()).toBeLessThanOrEqual(before);
});
