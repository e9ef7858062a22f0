import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allowance, type EncodingLimits } from '#server/media/encode-video.ts';
import { unfinishedJobs } from '#server/platform/jobs.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { anotherOf, freshClip } from '#testing/fixtures/reels.ts';
import { starveChildren } from '#testing/servers/processes.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { isWhole } from '#testing/share.ts';
import { longReelJob, reelJob, tryReel } from './processing.ts';

let long: Buffer;
beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-costly-'));
  await makeClip(join(folder, 'clip.mp4'), { seconds: 15 });
  long = await readFile(join(folder, 'clip.mp4'));
  await rm(folder, { recursive: true });
});

let server: TestServer;
let greedy: Person;
let other: Person;
beforeEach(async () => {
  server = await startTestServer({ ROLE: 'web', DATABASE_URL: 'postgres://unused' });
  [greedy, other] = [await signUpSomebody(server), await signUpSomebody(server)];
});
afterEach(() => server.close());

/**
 * Starts a worker with one encoder, with limits for one person's clips. Returns the ids of the people whose clips it
 * tried.
 */
async function work(limits: EncodingLimits): Promise<string[]> {
  const tried: string[] = [];
  const { context, jobs } = server;
  for (const kind of [reelJob, longReelJob])
    await jobs.work(kind, 1, async (attempt) => {
      const owner = attempt.data.ownerId;
      tried.push(owner);
      await tryReel(owner === greedy.id ? { ...context, limits } : context, attempt);
    });
  return tried;
}

async function publish(person: Person, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const { payload, headers } = await multipart(bytes);
  const { fileName } = await call(server, {
    method: 'POST',
    url: '/api/s3Reel/uploadReels',
    payload,
    headers: { ...headers, ...person.headers },
  });
  const body = { videoKey: fileName, caption: 'A clip' };
  const { data } = await call(server, {
    method: 'POST',
    url: '/api/reel/add',
    headers: person.headers,
    payload: body,
  });
  return data._id;
}

async function waitFor(id: string, person: Person, state: string): Promise<{ failure: string }> {
  const seen = async () =>
    (await call(server, { url: `/api/reel/getReel/${id}`, headers: person.headers })).data;
  await expect.poll(async () => (await seen()).state).toBe(state);
  return await seen();
}

/** Names of the unfinished jobs of reels. */
const unfinished = async () =>
  (await unfinishedJobs(server.db)).map(({ name }) => name).filter((name) => name.startsWith('reel'));

it.each([
  [
    'costs too much on trial',
    { allowance: { ...allowance, times: 0.001, seconds: 0, pixels: 0 } },
    /takes more than 0\.001 times its own length to process\. Please save it as/,
    // It is long work, so the first queue leaves it to the second.
    2,
  ],
  ['takes too long', { seconds: 0 }, /took too long to process/, 1],
])(
  "a clip that %s fails after one attempt, and another person's continues",
  async (_what, limits, why, queues) => {
    const theirs = await publish(greedy, anotherOf(long));
    const clip = await publish(other, await freshClip());
    const tried = await work(limits);
    expect((await waitFor(theirs, greedy, 'failed')).failure).toMatch(why);
    await waitFor(clip, other, 'ready');
    await expect.poll(unfinished).toEqual([]);
    expect(tried.toSorted()).toEqual([...Array(queues).fill(greedy.id), other.id].toSorted());
    expect(await readdir(join(server.dataDir, 'inbox'))).toEqual([]);
  },
);

it("a clip that stalls is tried once more, after another person's, and fails [long]", async () => {
  const theirs = await publish(greedy, anotherOf(long));
  const clip = await publish(other, await freshClip());
  const tried = await work({ silence: 0 });
  expect((await waitFor(theirs, greedy, 'failed')).failure).toMatch(/tried twice.*came to a standstill/);
  await waitFor(clip, other, 'ready');
  await expect.poll(unfinished).toEqual([]);
  expect(tried).toEqual([greedy.id, other.id, greedy.id]);
});

describe('a clip whose child process gets no processor, because the machine is busy,', () => {
  it('is tried again, and published', async () => {
    const id = await publish(greedy, await freshClip());
    const limits: EncodingLimits = { silence: 4 };
    const starving = starveChildren();
    const tried = await work(limits);
    await expect
      .poll(() => starving.pids)
      .toHaveLength(1)
      .finally(starving.end);
    delete limits.silence;
    await waitFor(id, greedy, 'ready');
    expect(tried).toEqual([greedy.id, greedy.id]);
  });

  it.runIf(isWhole)('is tried three times, and fails with a sentence that does not blame it', async () => {
    const id = await publish(greedy, anotherOf(long));
    const starving = starveChildren();
    try {
      const tried = await work({ silence: 2 });
      expect((await waitFor(id, greedy, 'failed')).failure).toMatch(/failed on our side several times/);
      expect(tried).toEqual([greedy.id, greedy.id, greedy.id]);
    } finally {
      starving.end();
    }
    await expect.poll(unfinished).toEqual([]);
    // Kept, so that an operator can have it processed again.
    expect(await readdir(join(server.dataDir, 'inbox'))).toHaveLength(1);
    expect(await readdir(join(server.dataDir, 'workspaces'))).toEqual([]);
  });
});
