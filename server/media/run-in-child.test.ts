import { expect, it } from 'vitest';
import { runInChild } from './run-in-child.ts';

it('if no child process can be started the task fails and the server continues, without leaving a process', async () => {
  const node = process.execPath;
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  // As during an upgrade that replaces the program of a running server.
  process.execPath = '/nowhere/node';
  try {
    const bounds = { seconds: 60, memory: 2 ** 30 };
    const task = runInChild('probe', { path: 'a.mp4', container: 'mov' } as never, bounds);
    await expect(task).rejects.toThrow('ENOENT');
  } finally {
    process.execPath = node;
  }
  // The error of sending the task arrives a moment later.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(timers()).toBeLessThanOrEqual(before);
});
