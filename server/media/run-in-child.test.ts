import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { childrenOf } from '#testing/servers/processes.ts';
import { endSpareChildren } from './children.ts';
import { encodePhoto } from './encode-photo.ts';
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

it('a child that has done its task does the next one; one that refused a file ends, and so does one in which a task was stopped', async () => {
  endSpareChildren();
  await expect.poll(() => childrenOf(process.pid)).toEqual([]);
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-child-'));
  const good = join(folder, 'good.png');
  const broken = join(folder, 'broken.png');
  await sharp({ create: { width: 400, height: 300, channels: 3, background: 'teal' } }).toFile(good);
  await writeFile(broken, (await readFile(good)).subarray(0, 60));
  try {
    await encodePhoto(good, folder);
    const first = childrenOf(process.pid);
    expect(first).toHaveLength(1);
    await encodePhoto(good, folder);
    expect(childrenOf(process.pid)).toEqual(first);

    await expect(encodePhoto(broken, folder)).rejects.toMatchObject({ name: 'MediaRefusal' });
    await expect.poll(() => childrenOf(process.pid)).toEqual([]);

    await encodePhoto(good, folder);
    const stopping = new AbortController();
    const input = {
      path: good,
      format: 'png',
      folder,
      file: 'a.webp',
      small: 'b.webp',
      maxPixels: 1e7,
    } as const;
    const stopped = runInChild('photo', input, { seconds: 60, memory: 2 ** 30, signal: stopping.signal });
    stopping.abort();
    await expect(stopped).rejects.toBe(stopping.signal.reason);
    expect(childrenOf(process.pid)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
