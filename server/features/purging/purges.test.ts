import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newKey } from '#server/platform/ids.ts';
import { contextAt } from '#testing/context.ts';
import { deliverNext } from '#testing/deliver-next.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { removeLater } from '../stored-files/removal.ts';
import { addressesOf, deleteDonePurges, purge, purgeDelivery } from './purges.ts';

/** A test CDN: the calls it received, and how it answers. */
let cdn: HttpServer;
let url: string;
let calls: string[][] = [];
let answer = 204;
let server: TestServer;
let operator: Person;
let mona: Person;

beforeAll(async () => {
  cdn = createServer(async (request, response) => {
    calls.push((await json(request)) as string[]);
    response.writeHead(answer, answer === 302 ? { location: '/' } : {}).end();
  });
  cdn.listen(0, '127.0.0.1');
  await once(cdn, 'listening');
  url = `http://127.0.0.1:${(cdn.address() as AddressInfo).port}/purge?key=secret`;
  // A server without the worker role sends no purges: the tests call the rule, one call at a time.
  server = await startTestServer({
    ROLE: 'web',
    PURGE_URL: url,
    ORIGIN: 'https://jhalak.example',
    MEDIA_ORIGIN: 'https://media.example',
  });
  operator = await signUpSomebody(server, 'Ravi');
  await makeOperator(server, operator.id);
});
afterAll(async () => {
  await server.close();
  cdn.close();
});
beforeEach(async () => {
  mona = await signUpSomebody(server, 'Mona');
});
afterEach(async () => {
  await server.db.deleteFrom('purges').execute();
  calls = [];
  answer = 204;
});

const origins = { site: 'https://jhalak.example', media: 'https://media.example' };
const start = new Date();
const atSecond = (seconds: number) => new Date(start.getTime() + seconds * 1000);
const warned: unknown[] = [];
const next = (now = new Date(Date.now() + 5000), target: { url: string | undefined } = { url }) => {
  const logger = { error: (said: object) => void warned.push(said) };
  return deliverNext(
    contextAt(server.db, now),
    purgeDelivery({ db: server.db, logger }, { ...target, origins }),
  );
};
/** How many are not done. */
const waiting = async () =>
  (await server.db.selectFrom('purges').select('id').where('done_at', 'is', null).execute()).length;

const act = (path: string, payload: object) =>
  call(server, { method: 'POST', url: `/api/operator/${path}`, headers: operator.headers, payload });
async function publish(hue: string): Promise<{ id: string; folders: string[] }> {
  const id = await publishPicture(server.db, server.dataDir, mona.id, 'Of the sea', new Date(), hue);
  const { media_key } = await server.db
    .selectFrom('posts')
    .select('media_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, folders: Object.values(origins).map((origin) => `${origin}/media/${media_key}/`) };
}
const all = () => calls.flat();

describe('external caches are purged', () => {
  it('of all content of a suspended person, once', async () => {
    const [one, other] = [await publish('#111111'), await publish('#222222')];
    await act(`people/suspend/${mona.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    expect(await next()).toBe('done');
    expect(all()).toEqual(
      expect.arrayContaining([...one.folders, ...other.folders, `https://jhalak.example/user/${mona.id}`]),
    );
    expect(await next()).toBeUndefined();
    expect(calls).toHaveLength(1);
  });

  it('of content that is taken down', async () => {
    const { id, folders } = await publish('#333333');
    await act('reports/take-down', {
      target: `post:${id}`,
      what: 'copy',
      rule: 'spam',
      reason: 'Not theirs',
    });
    expect(await next()).toBe('done');
    expect(calls).toEqual([folders]);
  });

  it('of content that is deleted', async () => {
    const { id, folders } = await publish('#444444');
    await call(server, { method: 'DELETE', url: `/api/post/deletePost/${id}`, headers: mona.headers });
    expect(await next()).toBe('done');
    expect(calls).toEqual([folders]);
  });

  it('of content of a deleted account, which is withheld in the meantime', async () => {
    const { folders } = await publish('#555555');
    const file = `${new URL(folders[0] ?? '').pathname}photo.jpg`;
    expect((await server.inject({ url: file })).statusCode).toBe(200);
    await call(server, { method: 'DELETE', url: `/api/delete/${mona.id}`, headers: mona.headers });
    // No worker is running, so the files are still there.
    await expect.poll(async () => (await server.inject({ url: file })).statusCode).toBe(404);
    expect(await next()).toBe('done');
    expect(all()).toEqual(expect.arrayContaining(folders));
  });

  it('only after two seconds, when every process withholds the files', async () => {
    await purge(server.db, { keys: ['k'] }, start);
    expect(await next(atSecond(1.9))).toBeUndefined();
    expect(await next(atSecond(2))).toBe('done');
  });

  it('of nothing if the transaction is rolled back', async () => {
    const failing = server.db.transaction().execute(async (trx) => {
      await purge(trx, { keys: ['a'] }, start);
      throw new Error('cut off');
    });
    await expect(failing).rejects.toThrow('cut off');
    expect(await next()).toBeUndefined();
  });
});

describe('a call that fails', () => {
  it.each([500, 404, 302])('with %s is retried with growing pauses until it succeeds', async (status) => {
    await purge(server.db, { keys: ['k'] }, atSecond(-2));
    answer = status;
    expect(await next(atSecond(0))).toBe('failed');
    expect(await next(atSecond(1.9))).toBeUndefined();
    expect(await next(atSecond(2))).toBe('failed');
    expect(await next(atSecond(5.9))).toBeUndefined();
    expect(await waiting()).toBe(1);
    answer = 200;
    expect(await next(atSecond(6))).toBe('done');
    expect(calls).toHaveLength(3);
    expect(await waiting()).toBe(0);
  });

  it('is retried at least every five minutes, after a week once a day, and given up after a year', async () => {
    await purge(server.db, { keys: ['k'] }, atSecond(-2));
    const gone = { url: 'http://127.0.0.1:9/purge' };
    let at = 0;
    for (let tries = 0; tries < 12; tries += 1) {
      expect(await next(atSecond(at), gone)).toBe('failed');
      at += 311;
    }
    const day = 24 * 3600;
    expect(await next(atSecond(7 * day), gone)).toBe('failed');
    for (let days = 8; days < 30; days += 1) {
      expect(await next(atSecond(days * day - 60), gone)).toBeUndefined();
      expect(await next(atSecond(days * day + 11 * (days - 7)), gone)).toBe('failed');
    }
    expect(await waiting()).toBe(1);
    expect(await next(atSecond(365 * day), gone)).toBe('given_up');
    expect(await next(atSecond(400 * day), gone)).toBeUndefined();
  });

  it('is repeated after weeks without a response, and then done', async () => {
    await purge(server.db, { keys: ['k'] }, atSecond(-30 * 24 * 3600));
    expect(await next(atSecond(0), { url: 'http://127.0.0.1:9/purge' })).toBe('failed');
    expect(await next(atSecond(25 * 3600))).toBe('done');
    expect(calls).toHaveLength(1);
  });

  it('is made by one process at a time', async () => {
    for (let index = 0; index < 5; index += 1) await purge(server.db, { keys: [`k${index}`] }, start);
    await Promise.all(Array.from({ length: 20 }, () => next()));
    expect(all().filter((address) => address.startsWith(origins.site))).toHaveLength(5);
    expect(new Set(all()).size).toBe(10);
  });
});

it('without PURGE_URL no purges are queued, and finished rows are deleted after an hour', async () => {
  await purge(server.db, { keys: ['k'] }, atSecond(-2));
  expect(await next(start, { url: undefined })).toBe('done');
  expect(calls).toEqual([]);
  await deleteDonePurges(contextAt(server.db, atSecond(3500)));
  expect(await server.db.selectFrom('purges').selectAll().execute()).toHaveLength(1);
  await deleteDonePurges(contextAt(server.db, atSecond(3700)));
  expect(await server.db.selectFrom('purges').selectAll().execute()).toEqual([]);
});

it('many files are purged in batches of a few hundred', async () => {
  const keys = Array.from({ length: 450 }, (_, index) => `k${index}`);
  await purge(server.db, { keys, paths: ['/user/x'] }, start);
  for (let outcome = await next(); outcome; outcome = await next()) expect(outcome).toBe('done');
  expect(calls.map((list) => list.length).sort()).toEqual([100, 400, 401]);
  expect(addressesOf({ keys: ['k'], paths: [] }, { site: 'https://a.example', media: '' })).toEqual([
    'https://a.example/media/k/',
  ]);
});

it('a CDN is purged of files that a job deletes, such as an anonymous download after its hour, once they are deleted', async () => {
  const worker = await startTestServer({ PURGE_URL: url, ORIGIN: 'https://jhalak.example' });
  try {
    const key = newKey();
    await worker.storage.inWorkspace(async (folder) => {
      await writeFile(join(folder, 'video.mp4'), 'a video');
      await worker.storage.publish(key, folder);
    });
    const file = async () => (await worker.app.inject({ url: `/media/${key}/video.mp4` })).statusCode;
    expect(await file()).toBe(200);
    const statuses: number[] = [];
    cdn.once('request', async () => statuses.push(await file()));
    await inTransaction(worker.db, (trx) => removeLater(trx, worker.jobs, [key]));
    await expect.poll(() => calls).toEqual([[`https://jhalak.example/media/${key}/`]]);
    await expect.poll(() => statuses).toEqual([404]);
  } finally {
    await worker.close();
  }
});

it('a worker sends purges by itself, and its metrics show how many wait', async () => {
  const worker = await startTestServer({ PURGE_URL: url, ORIGIN: 'https://jhalak.example' });
  try {
    answer = 500;
    await purge(worker.db, { keys: ['k'] }, new Date());
    await expect.poll(() => calls).toEqual([['https://jhalak.example/media/k/']]);
    await expect.poll(() => worker.metrics.text()).toContain('jhalak_purges_total{outcome="failed"} 1');
    expect(await worker.metrics.text()).toContain('jhalak_purges_waiting 1');
    answer = 204;
    await worker.db
      .updateTable('purges')
      .set({ next_try_at: new Date(0) })
      .execute();
    await expect.poll(() => worker.metrics.text()).toContain('jhalak_purges_waiting 0');
  } finally {
    await worker.close();
  }
});
