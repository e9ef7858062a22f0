import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '../../../testing/server.ts';
import { newId, newKey } from '../../platform/ids.ts';
import { openJobs } from '../../platform/jobs.ts';
import { giveUpReel } from './processing.ts';

let server: TestServer;
let person: Person;
beforeAll(async () => {
  server = await startTestServer();
  person = await signUpSomebody(server);
});
afterAll(() => server.close());

async function processingReel(): Promise<string> {
  const id = newId(new Date());
  await server.db
    .insertInto('reels')
    .values({
      id,
      creator_id: person.id,
      media_key: newKey(),
      caption: '',
      credit: '',
      categories: [],
      state: 'processing',
      sha256: Buffer.from(id),
      uploaded_at: new Date(),
    })
    .execute();
  return id;
}

const seen = async (id: string) =>
  (await call(server, { url: `/api/reel/getReel/${id}`, headers: person.headers })).data;

describe('a reel that cannot be made does not hang in processing', () => {
  it('is given up with a reason that its owner reads, and no file is left', async () => {
    const id = await processingReel();
    await giveUpReel(server.db, server.storage, id);
    expect(await seen(id)).toMatchObject({
      state: 'failed',
      failure: expect.stringMatching(/three tries/),
      videourl: '',
    });
    expect((await server.inject({ url: `/api/reel/getReel/${id}` })).statusCode).toBe(404);
    expect(await readdir(join(server.dataDir, 'inbox'))).toEqual([]);
  });

  it('that is ready already is not given up', async () => {
    const id = await processingReel();
    await server.db
      .updateTable('reels')
      .set({ state: 'ready', published_at: new Date() })
      .where('id', '=', id)
      .execute();
    await giveUpReel(server.db, server.storage, id);
    expect((await seen(id)).state).toBe('ready');
  });

  it('whose bytes turn out broken only while they are decoded fails with the reason', async () => {
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
    await writeFile(server.storage.inboxPath(key), bytes);
    await server.jobs.send(server.db, { name: 'reel', retries: 2, seconds: 900 }, { reelId: id });
    for (let tries = 0; tries < 200 && (await seen(id)).state === 'processing'; tries += 1) await sleep(50);
    expect(await seen(id)).toMatchObject({ state: 'failed', failure: 'This file is not a video.' });
    expect(await readdir(join(server.dataDir, 'inbox'))).toEqual([]);
  });
});

describe('a job', () => {
  it('is tried again, and heard of when its last try has failed', async () => {
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
    await jobs.send(server.db, kind, { about: 'something' });
    expect(await givenUp).toEqual({ about: 'something' });
    expect(tries).toBe(2);
    await jobs.stop();
  });
});
