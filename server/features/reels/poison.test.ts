import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import { anotherOf, freshClip, sendReel } from '#testing/fixtures/reels.ts';
import { readerOf } from '#testing/servers/processes.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { isWhole } from '#testing/share.ts';

let server: TestServer;
let person: Person;
let long: Buffer;
beforeAll(async () => {
  server = await startTestServer({ MEDIA_WORKERS: '1' });
  person = await signUpSomebody(server);
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-poison-'));
  await makeClip(join(folder, 'clip.mp4'), { seconds: 15 });
  long = await readFile(join(folder, 'clip.mp4'));
  await rm(folder, { recursive: true });
});
afterAll(() => server.close());

const publish = (bytes: Buffer<ArrayBuffer>) => sendReel(server, person, bytes);
const seen = async (id: string) =>
  (await call(server, { url: `/api/reel/getReel/${id}`, headers: person.headers })).data;

describe('a file that crashes the process that reads it', () => {
  it('is tried three times, each time behind all waiting files, and fails with its reason', async () => {
    const poison = await publish(anotherOf(long));
    const path = join(server.dataDir, 'inbox', poison.key);
    const readers: number[] = [];
    const seenAt: string[][] = [];
    const others: string[] = [];
    for (let tries = 1; tries <= 3; tries += 1) {
      const reader = await readerOf(path, readers);
      process.kill(reader, 'SIGSTOP');
      readers.push(reader);
      seenAt.push(await Promise.all(others.map(async (id) => (await seen(id)).state)));
      expect((await seen(poison.id)).state).toBe('processing');
      // Another person's reel arrives in the meantime.
      if (tries < 3) others.push((await publish(await freshClip())).id);
      process.kill(reader, 'SIGSEGV');
      process.kill(reader, 'SIGCONT');
    }
    expect(seenAt).toEqual([[], ['ready'], ['ready', 'ready']]);
    await expect.poll(async () => (await seen(poison.id)).state).toBe('failed');
    expect(await seen(poison.id)).toMatchObject({
      failure: expect.stringMatching(/tried three times.*broke off/),
      videourl: '',
    });
    expect((await server.inject({ url: `/api/reel/getReel/${poison.id}` })).statusCode).toBe(404);
    await expect.poll(() => readdir(join(server.dataDir, 'inbox'))).toEqual([]);
    expect(await readdir(join(server.dataDir, 'workspaces'))).toEqual([]);
    expect(await server.storage.find(poison.key, 'video.mp4')).toBeUndefined();
  });

  it.runIf(isWhole)('once, for lack of memory, is still published', async () => {
    const { id, key } = await publish(anotherOf(long));
    process.kill(await readerOf(join(server.dataDir, 'inbox', key)), 'SIGKILL');
    await expect.poll(async () => (await seen(id)).state).toBe('ready');
  });
});
