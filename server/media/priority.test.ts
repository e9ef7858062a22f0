import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import { readerOf } from '#testing/servers/processes.ts';
import { startTestServer } from '#testing/servers/test-server.ts';
import { setMediaPriority } from './children.ts';
import { encodeVideo } from './encode-video.ts';

let folder: string;
let path: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-priority-'));
  path = join(folder, 'clip.mp4');
  await makeClip(path, { seconds: 15 });
});
afterAll(async () => {
  setMediaPriority('normal');
  await rm(folder, { recursive: true });
});

describe.each([
  ['low', 19, 'the lowest'],
  ['normal', getPriority(), 'that of the server'],
])('with MEDIA_PRIORITY=%s', (MEDIA_PRIORITY, nice, which) => {
  it(`the priority of a media task is ${which}, also in a worker; it has no setting of the site in its environment`, async () => {
    const settings = { ROLE: 'worker', DATABASE_URL: 'postgres://unused', MEDIA_PRIORITY };
    const server = await startTestServer(settings);
    const stopping = new AbortController();
    const running = encodeVideo(path, folder, { signal: stopping.signal });
    try {
      const pid = await readerOf(path);
      expect(getPriority(pid)).toBe(nice);
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8');
      const names = environment.split('\0').map((one) => one.replace(/=.*/s, ''));
      const known = ['PATH', 'NODE_COMPILE_CACHE'];
      expect(names.filter((name) => name && !name.startsWith('NODE_CHANNEL_'))).toEqual(known);
    } finally {
      stopping.abort();
      await expect(running).rejects.toBe(stopping.signal.reason);
      await server.close();
    }
  });
});
