import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { type JobKind, openJobs } from '#server/platform/jobs.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { publishReel, sendReel } from '#testing/fixtures/reels.ts';
import { makeClipOfTracks } from '#testing/fixtures/sound-tracks.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { jobsIn } from '#testing/servers/queues.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { giveUpReel, processReel, reelJob } from './processing.ts';

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startTestServer();
  person = await signUpSomebody(server);
});
afterAll(() => server.close());

async function processingReel(progress: number | null = null): Promise<string> {
  const id = newId(new Date());
  await changeWorks(server.db, (trx) =>
    trx
      .insertInto('reels')
      .values({
        id,
        creator_id: person.id,
        media_key: newKey(),
        caption: '',
        credit: '',
        categories: [],
        state: 'processing',
        progress,
        sha256: Buffer.from(id),
        uploaded_at: new Date(),
      })
      .execute(),
  );
  return id;
}

const seen = async (id: string) =>
  (await call(server, { url: `/api/reel/getReel/${id}`, headers: person.headers })).data;

describe('a reel in processing', () => {
  it('reports its progress to its owner, as soon as it is known', async () => {
    const [unknown, known] = [await processingReel(), await processingReel(42)];
    expect((await seen(unknown)).progress).toBeUndefined();
    expect((await seen(known)).progress).toBe(42);
    const { data } = await call(server, {
      url: `/api/reel/getFrienddata/${person.id}`,
      headers: person.headers,
    });
    expect(data.find(({ _id }: { _id: string }) => _id === known).progress).toBe(42);
  });

  it('stores its progress, and reports none when it is ready', async () => {
    const id = await publishReel(server, person);
    await expect.poll(async () => (await seen(id)).state).toBe('ready');
    const { progress } = await server.db
      .selectFrom('reels')
      .select('progress')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(progress).toBeGreaterThanOrEqual(0);
    expect((await seen(id)).progress).toBeUndefined();
  });
});

it('a reel whose row is still in doubt on its node is tried again, and one that does not exist is not', async () => {
  const reelId = newId(new Date());
  const attempt = { data: { reelId, ownerId: person.id }, signal: AbortSignal.timeout(5000), isLast: false };
  expect(await processReel(server.context, attempt)).toBe(false);
  await server.db
    .insertInto('works')
    .values({ id: reelId, kind: 'reel', creator_id: person.id, published_at: null })
    .execute();
  await expect(processReel(server.context, attempt)).rejects.toMatchObject({ code: 'unavailable' });
});

describe('a reel that cannot be processed does not stay in processing', () => {
  it('it fails with a reason that its owner sees, and no file remains', async () => {
    const id = await processingReel();
    await giveUpReel(server.context, id);
    expect(await seen(id)).toMatchObject({
      state: 'failed',
      failure: expect.stringMatching(/on our side .* upload this video again/),
      videourl: '',
    });
    expect((await server.inject({ url: `/api/reel/getReel/${id}` })).statusCode).toBe(404);
    expect(await readdir(join(server.dataDir, 'inbox'))).toEqual([]);
  });

  it('a reel that is ready does not fail', async () => {
    const id = await processingReel();
    await changeWorks(server.db, (trx) =>
      trx
        .updateTable('reels')
        .set({ state: 'ready', published_at: new Date() })
        .where('id', '=', id)
        .execute(),
    );
    await giveUpReel(server.context, id);
    expect((await seen(id)).state).toBe('ready');
  });

  it('a file that turns out broken while it is decoded fails with the reason', async () => {
    const bytes = Buffer.from('not a video at all, and it came here all the same');
    const { payload, headers } = await multipart(Buffer.from(bytes));
    const refused = await server.inject({
      method: 'POST',
      url: '/api/s3Reel/uploadReels',
      payload,
      headers: { ...headers, ...person.headers },
    });
    expect(refused.statusCode).toBe(415);
    const id = await processingReel();
    const { media_key: key } = await server.db
      .selectFrom('reels')
      .select('media_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { writeFile } = await import('node:fs/promises');
    await writeFile(join(server.dataDir, 'inbox', key), bytes);
    await inTransaction(server.db, (trx) =>
      server.jobs.send(trx, reelJob, { reelId: id, ownerId: person.id }),
    );
    await expect.poll(async () => (await seen(id)).state).not.toBe('processing');
    expect(await seen(id)).toMatchObject({
      state: 'failed',
      failure: 'This file cannot be read as a video.',
    });
    await expect.poll(() => readdir(join(server.dataDir, 'inbox'))).toEqual([]);
  });
});

it('a reel whose sound cannot be decoded is published without it, and says so [long]', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-no-sound-'));
  const [clip, unknown] = [join(folder, 'clip.mp4'), join(folder, 'unknown.mov')];
  await makeClip(clip, { seconds: 1, source: 'mandelbrot=size=270x480:rate=25' });
  await makeClipOfTracks(unknown, clip, [{ from: clip, isUnknown: true }]);
  const { id: lost } = await sendReel(server, person, Buffer.from(await readFile(unknown)));
  const heard = await publishReel(server, person);
  await rm(folder, { recursive: true });
  await expect.poll(async () => (await seen(lost)).state).toBe('ready');
  expect((await seen(lost)).soundLost).toBe(true);
  expect((await seen(heard)).soundLost).toBeUndefined();
});

describe('a job', () => {
  it('is retried, and its failure is handled after the last attempt', async () => {
    const { url } = server;
    const kind = { name: 'stubborn', retries: 1, seconds: 60 };
    const jobs = await openJobs(url, [kind], () => undefined);
    let tries = 0;
    const givenUp = new Promise<object>((resolve) => {
      void jobs.work(
        kind,
        1,
        async () => {
          tries += 1;
          throw new Error('no');
        },
        async (data) => resolve(data),
      );
    });
    await inTransaction(server.db, (trx) => jobs.send(trx, kind, { about: 'something' }));
    expect(await givenUp).toEqual({ about: 'something' });
    expect(tries).toBe(2);
    await jobs.stop();
  });

  it('of a person who has one running waits, while jobs of others run', async () => {
    const kind: JobKind<{ who: string; nth: number }> = {
      name: 'owned',
      retries: 0,
      seconds: 120,
      ownerOf: ({ who }) => who,
    };
    const begun: string[] = [];
    const ends = new Map<string, () => void>();
    const jobs = await openJobs(server.url, [kind], () => undefined);
    await jobs.work(kind, 3, async ({ data: { who, nth } }) => {
      begun.push(`${who} ${nth}`);
      await new Promise<void>((resolve) => ends.set(`${who} ${nth}`, resolve));
    });
    const send = (who: string, nth: number) =>
      inTransaction(server.db, (trx) => jobs.send(trx, kind, { who, nth }, { ahead: nth }));
    await send('asha', 0);
    await expect.poll(() => begun).toEqual(['asha 0']);
    for (const [who, nth] of [
      ['asha', 1],
      ['ravi', 0],
      ['mina', 2],
    ] as const)
      await send(who, nth);
    await expect.poll(() => begun.length).toBe(3);
    expect(begun.toSorted()).toEqual(['asha 0', 'mina 2', 'ravi 0']);
    ends.get('asha 0')?.();
    await expect.poll(() => begun.at(3)).toBe('asha 1');
    for (const end of ends.values()) end();
    const states = async () => (await jobsIn(server.db, kind.name)).map(({ state }) => state);
    await expect.poll(states).toEqual(Array(4).fill('completed'));
    await jobs.stop();
  });

  it('is returned to the queue by each process that stops, and uses up a retry', async () => {
    const kind = { name: 'interrupted', retries: 2, seconds: 60 };
    let gaveUp = false;
    let tries = 0;
    const open = async (run: (signal: AbortSignal) => Promise<void>) => {
      const jobs = await openJobs(server.url, [kind], () => undefined);
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      await jobs.work(
        kind,
        1,
        async ({ signal }) => {
          tries += 1;
          begin();
          await run(signal);
        },
        async () => {
          gaveUp = true;
        },
      );
      return { jobs, begun };
    };
    const untilAborted = (signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason), { once: true }),
      );
    for (let stops = 0; stops < 2; stops += 1) {
      const { jobs, begun } = await open(untilAborted);
      if (stops === 0) await inTransaction(server.db, (trx) => jobs.send(trx, kind, {}));
      await begun;
      await jobs.stop();
    }
    const { jobs, begun } = await open(async () => undefined);
    await begun;
    expect(tries).toBe(3);
    const ends = async () =>
      (await jobsIn(server.db, kind.name)).map(({ state, retryCount }) => [state, retryCount]);
    await expect.poll(ends).toEqual([['completed', 2]]);
    expect(gaveUp).toBe(false);
    await jobs.stop();
  });
});
