import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import { anotherOf, freshClip, sendReel } from '#testing/fixtures/reels.ts';
import { figure } from '#testing/report-figure.ts';
import { readerOf } from '#testing/servers/processes.ts';
import { jobsIn } from '#testing/servers/queues.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { isWhole } from '#testing/share.ts';
import { longReelJob, reelJob } from './processing.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-fair-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function clipOf(seconds: number, width: number, height: number): Promise<Buffer> {
  const path = join(folder, `${seconds}x${width}.mp4`);
  await makeClip(path, { seconds, width, height });
  return await readFile(path);
}

/** Publishes a clip whose encoder is stopped as soon as it begins, until `goOn` is called. */
async function publishHeld(server: TestServer, person: Person, bytes: Buffer<ArrayBuffer>) {
  const { id, key } = await sendReel(server, person, bytes);
  const reader = await readerOf(join(server.dataDir, 'inbox', key));
  process.kill(reader, 'SIGSTOP');
  return { id, goOn: () => process.kill(reader, 'SIGCONT') };
}

const publish = async (server: TestServer, person: Person, bytes: Buffer<ArrayBuffer>) =>
  (await sendReel(server, person, bytes)).id;

const rowsOf = (server: TestServer) =>
  server.db.selectFrom('reels').select(['id', 'state', 'published_at']).execute();
const stateOf = async (server: TestServer, id: string) =>
  (await rowsOf(server)).find((row) => row.id === id)?.state;
/** Waits until these reels are public. Returns those that are public, in the order of publication. */
async function untilReady(server: TestServer, ...ids: string[]): Promise<string[]> {
  for (const id of ids)
    await expect.poll(() => stateOf(server, id), { timeout: 150_000, interval: 50 }).toBe('ready');
  const ready = (await rowsOf(server)).filter(({ state }) => state === 'ready');
  return ready
    .toSorted((one, other) => Number(one.published_at) - Number(other.published_at))
    .map(({ id }) => id);
}

describe('with one encoder', () => {
  let server: TestServer;
  let greedy: Person;
  let other: Person;
  beforeAll(async () => {
    server = await startTestServer({ MEDIA_WORKERS: '1' });
    [greedy, other] = [await signUpSomebody(server), await signUpSomebody(server)];
  });
  afterAll(() => server.close());

  it("five reels of one account delay another person's clip by at most the running one [long]", async () => {
    // The first is held until all are queued, so a short clip does for the order.
    const long = process.env.FIGURES ? await clipOf(12, 1280, 720) : await freshClip();
    const first = await publishHeld(server, greedy, anotherOf(long));
    const theirs = [first.id];
    for (let reel = 1; reel < 5; reel += 1) theirs.push(await publish(server, greedy, anotherOf(long)));
    const clip = await publish(server, other, await freshClip());
    const sent = performance.now();
    first.goOn();
    const before = (await untilReady(server, clip)).indexOf(clip);
    figure("Another person's clip behind five 720p reels of 12 s of one account", {
      seconds: (performance.now() - sent) / 1000,
      'reels made before it': before,
    });
    expect(before).toBe(1);
    expect((await untilReady(server, ...theirs)).length).toBe(6);
  }, 300_000);
});

describe('a film of many large pictures', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ MEDIA_WORKERS: '1' });
  });
  afterAll(() => server.close());

  it.runIf(isWhole)(
    'goes to the queue for long work, where a clip of another person does not wait for it',
    async () => {
      const [patient, other] = [await signUpSomebody(server), await signUpSomebody(server)];
      const path = join(folder, 'film.mp4');
      await makeClip(path, { seconds: 4, source: 'color=size=3840x2160:rate=60' });
      const { id, key } = await sendReel(server, patient, anotherOf(await readFile(path)));
      const isLong = async () => (await jobsIn(server.db, longReelJob.name)).map(({ state }) => state);
      await expect.poll(isLong).toEqual(['active']);
      const reader = await readerOf(join(server.dataDir, 'inbox', key));
      process.kill(reader, 'SIGSTOP');
      const clip = await publish(server, other, await freshClip());
      expect(await untilReady(server, clip)).toEqual([clip]);
      process.kill(reader, 'SIGCONT');
      expect(await untilReady(server, id)).toEqual([clip, id]);
      const jobs = [
        ...(await jobsIn(server.db, reelJob.name)),
        ...(await jobsIn(server.db, longReelJob.name)),
      ];
      expect(jobs.map(({ retryCount }) => retryCount)).toEqual([0, 0, 0]);
    },
  );
});

it("reels that one account sends at once are queued one behind the other, and another person's before the second", async () => {
  const server = await startTestServer({ ROLE: 'web', DATABASE_URL: 'postgres://unused' });
  try {
    const [one, other] = [await signUpSomebody(server), await signUpSomebody(server)];
    const bytes = await freshClip();
    await Promise.all(Array.from({ length: 4 }, () => publish(server, one, anotherOf(Buffer.from(bytes)))));
    await publish(server, other, anotherOf(Buffer.from(bytes)));
    const jobs = await jobsIn(server.db, reelJob.name);
    const prioritiesOf = ({ id }: Person) =>
      jobs.filter(({ groupId }) => groupId === id).map(({ priority }) => Math.abs(priority));
    expect(prioritiesOf(one).toSorted()).toEqual([0, 1, 2, 3]);
    expect(prioritiesOf(other)).toEqual([0]);
  } finally {
    await server.close();
  }
});
