import { once } from 'node:events';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUpAt, untilPublic, uploadTo } from '#testing/clients/api-client.ts';
import { senderTo } from '#testing/clients/tus-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { personIn, publishedReel } from '#testing/fixtures/earnings.ts';
import { figureIn } from '#testing/metric-value.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { behindOurProxy, startProxy } from '#testing/servers/proxy.ts';
import { browser } from '#testing/servers/test-server.ts';
import { openDatabase } from '../platform/database/database.ts';

/* Two `web` and one `worker` processes with one database and one media folder, started in parallel on a database without tables. */
let database: Awaited<ReturnType<typeof freshDatabase>>;
let data: Awaited<ReturnType<typeof dataFolder>>;
let webs: [Program, Program];
let worker: Program;
const start = (settings: Record<string, string>) =>
  startProgram({
    DATABASE_URL: database.url,
    DATA_DIR: data.path,
    METRICS_PORT: '0',
    ...behindOurProxy,
    DRAIN_SECONDS: '2',
    ...settings,
  });
beforeAll(async () => {
  [database, data] = await Promise.all([freshDatabase('template1'), dataFolder()]);
  const roles = ['web', 'web', 'worker'];
  const started = await Promise.all(roles.map((ROLE) => start({ ROLE })));
  [webs, worker] = [started.slice(0, 2) as [Program, Program], started[2] as Program];
});
afterAll(async () => {
  await Promise.all([...webs, worker].map((program) => program.stop()));
  await database.drop();
  await data.remove();
});

const statusOf = async (url: string) => (await fetch(url)).status;
async function figure(program: Program, name: string, labels: Record<string, string>) {
  const address = /Metrics are at (\S+)/.exec(program.said().out)?.[1] ?? '';
  return figureIn(await (await fetch(address)).text(), name, labels);
}

describe('roles', () => {
  it('a worker serves only health checks; a web serves people', async () => {
    for (const { origin } of [worker, ...webs]) {
      expect(await statusOf(`${origin}/healthz`)).toBe(200);
      expect(await statusOf(`${origin}/readyz`)).toBe(200);
    }
    for (const path of ['/', '/api/config', '/api/docs', '/media/x/y.mp4'])
      expect(await statusOf(`${worker.origin}${path}`)).toBe(404);
    for (const { origin } of webs) {
      expect(await statusOf(`${origin}/`)).toBe(200);
      expect(await statusOf(`${origin}/api/config`)).toBe(200);
    }
  });

  it('a video sent to one web waits while no worker runs, is processed by the next one, and plays from the other web', async () => {
    await worker.stop();
    const [{ origin }, other] = webs;
    const creator = await signUpAt(origin, 'zoya');
    const clip = join(data.path, 'clip.mp4');
    await makeClip(clip, { seconds: 1 });
    const { fileName } = await uploadTo(origin, creator.token, await readFile(clip));
    const { body } = await creator.send('POST', '/api/reel/add', { videoKey: fileName, caption: 'Made' });
    const { _id } = (body as unknown as { data: { _id: string } }).data;
    const waiting = () => figure(webs[0], 'jhalak_queue_jobs', { queue: 'reel', state: 'waiting' });
    await expect.poll(waiting).toBe(1);
    worker = await start({ ROLE: 'worker' });
    await untilPublic(other.origin, _id);
    const { data: reel } = await (await fetch(`${other.origin}/api/reel/getReel/${_id}`)).json();
    expect(await statusOf(`${other.origin}${reel.videourl}`)).toBe(200);
    // The session of one web is valid at the other.
    const me = await fetch(`${other.origin}/api/user-earnings/withdraw-status/${creator.id}`, {
      headers: { authorization: `Bearer ${creator.token}` },
    });
    expect(me.status).toBe(200);
  });
});

describe('a resumable upload', () => {
  it('continues at another web while the first one still has the old connection, and is checked once', async () => {
    const [first, second] = webs;
    const { token } = await signUpAt(first.origin, 'farid');
    const [here, there] = [senderTo(first.origin, token), senderTo(second.origin, token)];
    const clip = join(data.path, 'pieces.mp4');
    await makeClip(clip, { seconds: 1, source: 'testsrc2=size=270x480:rate=25' });
    const bytes = new Uint8Array(await readFile(clip));
    const half = bytes.length >> 1;
    const address = (await here.begin('reel', bytes.length)).headers.get('location') ?? '';
    const hanging = await here.startSending(address, bytes, half);
    const arrived = async () => (await stat(join(data.path, 'inbox', address.split('/').at(-1) ?? ''))).size;
    await expect.poll(arrived).toBe(half);
    // The client reconnected by another network: the old request releases its lock.
    expect(await there.offset(address)).toBe(half);
    expect((await there.patch(address, half, bytes.subarray(half))).status).toBe(204);
    await hanging.cut();
    const answers = await Promise.all([here, there, here, there].map((sender) => sender.finish(address)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.fileName)).size).toBe(1);
  });
});

describe('limits are shared', () => {
  /** Sends requests from one address to both webs in turn, this many in parallel; returns how many were admitted. */
  async function letThrough(path: string, address: string, requests: number, atOnce: number) {
    const statuses: number[] = [];
    const send = async (place: number) => {
      const answer = await fetch(`${webs[place % 2]?.origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
        body: '{}',
      });
      statuses.push(answer.status);
      if (answer.status === 429) expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
      await answer.arrayBuffer();
    };
    for (let sent = 0; sent < requests; sent += atOnce)
      await Promise.all(Array.from({ length: atOnce }, (_, place) => send(sent + place)));
    return statuses.filter((status) => status !== 429).length;
  }

  // A process exceeds the limit by at most an eighth.
  const [least, most] = [300, 300 + 2 * 37];
  it.each([
    ['one after the other', '/api/contact/contact', { requests: 440, atOnce: 1 }],
    ['forty at once', '/api/contact/contact', { requests: 440, atOnce: 40 }],
    ['two hundred at once', '/api/feedback/feed', { requests: 600, atOnce: 200 }],
  ])(`%s: %s admits ${least} to ${most}`, async (_what, path, { requests, atOnce }) => {
    const address = `203.0.113.${atOnce}`;
    const through = await letThrough(path, address, requests, atOnce);
    expect(through).toBeGreaterThanOrEqual(least);
    expect(through).toBeLessThanOrEqual(most);
    // It stays so at either of them.
    expect(await letThrough(path, address, 2, 1)).toBe(0);
    expect(await letThrough(path, '203.0.113.250', 1, 1)).toBe(1);
  });

  it('and the table contains no names', async () => {
    const db = await openDatabase(database.url, 1);
    const { rows } = await sql<{ key: Buffer; row: string }>`
      select key, rate_limits::text as row from rate_limits`.execute(db);
    await db.destroy();
    expect(rows.length).toBeGreaterThan(2);
    for (const { key, row } of rows) {
      expect(key).toHaveLength(16);
      expect(row).not.toContain('203.0');
    }
  });
});

describe('a server that shuts down', () => {
  it('behind a proxy loses no requests: both webs are replaced under load', async () => {
    const db = await openDatabase(database.url, 2);
    const now = new Date();
    const reel = await publishedReel(db, await personIn(db, now), now, 'Asia/Kolkata');
    const proxy = await startProxy();
    for (const { origin } of webs) proxy.add(origin);
    await expect.poll(() => statusOf(`${proxy.origin}/healthz`)).toBe(200);
    proxy.lost.length = 0;

    let isOn = true;
    const statuses = new Map<string, number>();
    let seen = 0;
    const visitor = async (paths: [method: string, path: string][]) => {
      for (let turn = 0; isOn; turn += 1) {
        const [method, path] = paths[turn % paths.length] ?? ['GET', '/'];
        const answer = await fetch(`${proxy.origin}${path}`, { method, headers: { 'user-agent': browser } });
        await answer.arrayBuffer();
        if (method === 'POST' && answer.ok) seen += 1;
        const what = `${method} ${answer.status}`;
        statuses.set(what, (statuses.get(what) ?? 0) + 1);
      }
    };
    const view: [string, string] = ['POST', `/api/reel/increaseView/${reel}`];
    const visitors = Array.from({ length: 8 }, () =>
      visitor([view, ['GET', '/'], ['GET', '/api/config'], view]),
    );
    const answers = () => [...statuses.values()].reduce((sum, count) => sum + count, 0);
    await expect.poll(answers).toBeGreaterThan(50);
    for (const place of [0, 1] as const) {
      const ended = once(webs[place].child, 'close');
      webs[place].child.kill('SIGTERM');
      expect(await ended).toEqual([0, null]);
      webs[place] = await start({ ROLE: 'web' });
      proxy.add(webs[place].origin);
      await expect.poll(() => proxy.answered.get(webs[place].origin) ?? 0).toBeGreaterThan(10);
    }
    isOn = false;
    await Promise.all(visitors);
    await proxy.close();
    expect(proxy.lost).toEqual([]);
    expect([...statuses.keys()].sort()).toEqual(['GET 200', 'POST 200']);
    const { views } = await db
      .selectFrom('reels')
      .select('views')
      .where('id', '=', reel)
      .executeTakeFirstOrThrow();
    expect(views).toBe(seen);
    await db.destroy();
  });
});
