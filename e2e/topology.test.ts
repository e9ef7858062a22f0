import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { providePackages } from '#deploy/loopback/packages.ts';
import type { Part } from '#deploy/loopback/parts.ts';
import { query } from '#deploy/loopback/pgbouncer.ts';
import { startTopology, type Topology } from '#deploy/loopback/topology.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { type Client, signUpAt, signUpSeveral, untilPublic, uploadTo } from '#testing/clients/api-client.ts';
import { senderTo } from '#testing/clients/tus-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { reelsAt } from '#testing/fixtures/months.ts';
import { freshClip } from '#testing/fixtures/reels.ts';
import { type Load, startLoad } from '#testing/load/load.ts';
import { endLoad, payeesIn } from '#testing/load/load-scenarios.ts';
import { expectRowsToAgree } from '#testing/models/ledger-consistency.ts';
import { figure } from '#testing/report-figure.ts';

/*
 * The topology that `npm run topology` starts, under load, while its parts are replaced and killed.
 * `npm run reliability -- topology` kills each ten times (docs/reliability.md).
 */
const kills = Number(process.env.PART_KILLS ?? 1);

let folder: string;
let topology: Topology;
let creator: Client;
let load: Load;
const seen: string[] = [];

beforeAll(async () => {
  providePackages();
  folder = await mkdtemp(join(tmpdir(), 'jhalak-topology-'));
  // This test takes the place of another proxy of ours, on the same machine: each person here has an address of their own.
  topology = await startTopology(folder, { S3_TIMEOUT_SECONDS: '2' });
  creator = await signUpAt(topology.origin, 'creator');
  const painter = await signUpAt(topology.origin, 'painter');
  const payee = await signUpAt(topology.origin, 'payee');
  const db = await openDatabase(topology.pooled, 2);
  const payees = await payeesIn(db, payee, 6);
  seen.push(...(await reelsAt(db, painter.id, new Date(), 3)));
  await db.destroy();
  load = startLoad({
    origin: async () => topology.origin,
    creators: [
      creator,
      painter,
      ...(await signUpSeveral(topology.origin, 'others', process.env.PART_KILLS ? 8 : 0)),
    ],
    seen,
    payees,
    viewers: 4,
    pause: 100,
    reelPause: 15_000,
  });
}, 300_000);
afterAll(async () => {
  await load?.stop().catch(() => undefined);
  await topology?.stop();
  await rm(folder, { recursive: true, force: true });
});

const statusOf = (url: string) =>
  fetch(url, { signal: AbortSignal.timeout(30_000) }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => undefined,
  );
/** Waits until reels are published and watched after this moment. */
async function untilAllGoesOn(): Promise<void> {
  const { posts, views } = { posts: load.done.posts.size, views: load.done.views };
  const timeout = { timeout: 60_000 };
  await expect.poll(() => load.done.posts.size, timeout).toBeGreaterThan(posts + 1);
  await expect.poll(() => load.done.views, timeout).toBeGreaterThan(views + 10);
}

describe('before the web servers', () => {
  it('a video uploaded in chunks is processed, and is served by the cache, whole and in ranges', async () => {
    const path = join(folder, 'clip.mp4');
    await makeClip(path, { seconds: 2, source: 'testsrc2=size=270x480:rate=25' });
    const { origin } = topology;
    const bytes = new Uint8Array(await readFile(path));
    // In chunks, each to the web server that nginx chooses; HEAD returns the offset.
    const sender = senderTo(origin, creator.token);
    const address = (await sender.begin('reel', bytes.length)).headers.get('location') ?? '';
    const half = bytes.length >> 1;
    expect((await sender.patch(address, 0, bytes.slice(0, half))).status).toBe(204);
    expect(await sender.offset(address)).toBe(half);
    expect((await sender.patch(address, half, bytes.slice(half))).status).toBe(204);
    expect(await sender.offset(address)).toBe(bytes.length);
    const { body } = await sender.finish(address);
    const added = await creator.send('POST', '/api/reel/add', { videoKey: body.fileName });
    const { _id } = (added.body as unknown as { data: { _id: string } }).data;
    await untilPublic(origin, _id);
    const { data: reel } = await (await fetch(`${origin}/api/reel/getReel/${_id}`)).json();
    const whole = await fetch(`${origin}${reel.videourl}`);
    const film = Buffer.from(await whole.arrayBuffer());
    expect([whole.status, film.subarray(4, 8).toString()]).toEqual([200, 'ftyp']);
    for (let turn = 0; turn < 4; turn += 1) {
      const part = await fetch(`${origin}${reel.videourl}`, { headers: { range: 'bytes=100-199' } });
      expect(part.status).toBe(206);
      expect(Buffer.from(await part.arrayBuffer())).toEqual(film.subarray(100, 200));
      expect(part.headers.get('x-cache')).toBe('HIT');
    }
  });

  it('pages and lists are cached for everybody, and signed-in people never get a cached response', async () => {
    const list = `${topology.origin}/api/reel/getallReels?limit=5`;
    const kept = async () => (await fetch(list)).headers.get('x-cache');
    await expect.poll(kept, { interval: 10 }).toBe('HIT');
    const path = `/api/user-earnings/withdraw-status/${creator.id}`;
    for (let turn = 0; turn < 3; turn += 1) {
      const headers = { authorization: `Bearer ${creator.token}` };
      const mine = await fetch(`${topology.origin}${path}`, { headers });
      expect([mine.status, mine.headers.get('x-cache')]).toEqual([200, 'BYPASS']);
      expect((await fetch(`${topology.origin}${path}`)).status).toBe(401);
    }
  });

  it('sessions and rate limits are the same at every web server', async () => {
    for (const origin of topology.webOrigins) {
      const headers = { authorization: `Bearer ${creator.token}` };
      const path = `/api/user-earnings/withdraw-status/${creator.id}`;
      expect((await fetch(`${origin}${path}`, { headers })).status).toBe(200);
    }
    // From one address, to both in turns: 300 are allowed, and some more, since one server may not know the other's latest counts.
    let through = 0;
    for (let sent = 0; sent < 400; sent += 1) {
      const answer = await fetch(`${topology.origin}/api/contact/contact`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.77' },
        body: '{}',
      });
      await answer.arrayBuffer();
      if (answer.status !== 429) through += 1;
    }
    expect(through).toBeGreaterThanOrEqual(300);
    expect(through).toBeLessThanOrEqual(300 + 2 * 37);
  });

  it('the health of a web server is not public', async () => {
    expect(await statusOf(`${topology.origin}/readyz`)).toBe(404);
    for (const origin of topology.webOrigins) expect(await statusOf(`${origin}/readyz`)).toBe(200);
  });
});

it('both web servers are replaced under load, and no request is lost', async () => {
  const answers = new Map<string, number>();
  let isOn = true;
  const note = (what: string) => answers.set(what, (answers.get(what) ?? 0) + 1);
  const paths = [
    ['POST', `/api/reel/increaseView/${seen[0]}`],
    ['GET', '/'],
    ['GET', '/api/config'],
    ['GET', '/api/reel/getallReels?limit=3'],
  ] as const;
  const visitor = async (first: number) => {
    for (let turn = first; isOn; turn += 1) {
      const [method, path] = paths[turn % paths.length] ?? paths[0];
      // Not the viewers: those of the load are counted one by one.
      const headers = { 'user-agent': 'bot', 'x-forwarded-for': `10.200.${turn % 250}.${first}` };
      const answer = await fetch(`${topology.origin}${path}`, { method, headers }).catch((error) => error);
      if (answer instanceof Response) await answer.arrayBuffer();
      note(answer instanceof Response ? `${method} ${answer.status}` : `${method} ${answer.cause}`);
    }
  };
  const visitors = Array.from({ length: 6 }, (_, place) => visitor(place));
  const answered = () => [...answers.values()].reduce((sum, count) => sum + count, 0);
  await expect.poll(answered).toBeGreaterThan(100);
  for (const web of topology.webs) {
    expect(await web.stop()).toBe(0);
    await web.start();
    const before = answered();
    await expect.poll(answered).toBeGreaterThan(before + 50);
  }
  isOn = false;
  await Promise.all(visitors);
  figure('both webs replaced under load', { answers: answered(), lost: 0 });
  expect([...answers.keys()].sort()).toEqual(['GET 200', 'POST 200']);
}, 240_000);

describe('killed under load', { timeout: 120_000 + kills * 240_000 }, () => {
  /** Kills the part repeatedly; `meanwhile` checks what works while it is down. */
  async function killing(part: Part, meanwhile: () => Promise<void>, start = () => part.start()) {
    let most = 0;
    for (let kill = 0; kill < kills; kill += 1) {
      await sleep(100 + Math.random() * 1000);
      // So that nginx has Home in its cache.
      await statusOf(`${topology.origin}/`);
      await part.kill();
      try {
        await meanwhile();
      } finally {
        await start();
      }
      const begun = performance.now();
      await untilAllGoesOn();
      most = Math.max(most, performance.now() - begun);
    }
    figure(`${part.name} killed ${kills} times`, { 'all goes on within (s)': most / 1000 });
  }

  it.each([0, 1] as const)('web server %i: the other one answers', async (place) => {
    await killing(topology.webs[place] as Part, async () => {
      for (let turn = 0; turn < 10; turn += 1) expect(await statusOf(`${topology.origin}/`)).toBe(200);
      await untilAllGoesOn();
    });
  });

  it.each([0, 1] as const)('worker %i: the other one transcodes the videos', async (place) => {
    await killing(topology.workers[place] as Part, async () => {
      const { fileName } = await uploadTo(topology.origin, creator.token, await freshClip());
      const { body } = await creator.send('POST', '/api/reel/add', { videoKey: fileName });
      const { _id } = (body as unknown as { data: { _id: string } }).data;
      const shown = async () => await statusOf(`${topology.origin}/api/reel/getReel/${_id}`);
      await expect.poll(shown, { timeout: 180_000, interval: 500 }).toBe(200);
    });
  });

  it('the replica: nothing fails, and it catches up', async () => {
    await killing(topology.replica, untilAllGoesOn, async () => undefined);
    await expect.poll(followed).toBe(true);
    await topology.replica.stop();
    await untilAllGoesOn();
    await topology.replica.start();
    await expect.poll(followed).toBe(true);
  });

  it('PostgreSQL: it is restarted, and no other program needs to be', async () => {
    await killing(
      topology.primary,
      async () => undefined,
      async () => undefined,
    );
    await expect.poll(followed).toBe(true);
  });

  it('pgbouncer: 503 until it is back, while cached pages are served', async () => {
    await killing(topology.pgbouncer, async () => {
      expect(await statusOf(`${topology.origin}/`)).toBe(200);
      const ask = async () => await statusOf(`${topology.webOrigins[0]}/readyz`);
      await expect.poll(ask).toBe(503);
      const signIn = await fetch(`${topology.origin}/api/signin`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: 'creator@people.example', password: 'a long password' }),
      });
      expect([signIn.status, Number(signIn.headers.get('retry-after')) > 0]).toEqual([503, true]);
    });
  });

  it('the S3 server: uploads are answered with 503, everything else works', async () => {
    await killing(topology.s3, async () => {
      const sent = uploadTo(topology.origin, creator.token, await freshClip());
      await expect(sent).rejects.toThrow(/503: .*We cannot reach our file storage/);
      expect(await statusOf(`${topology.origin}/api/reel/getallReels`)).toBe(200);
      await signUpAt(topology.origin, `while${Date.now()}`);
    });
  });

  it('nginx: it restarts and reaches the same web servers', async () => {
    await killing(topology.nginx, async () => expect(await statusOf(`${topology.origin}/`)).toBeUndefined());
  });
});

/** Whether the replica has replayed everything that the primary has written. */
async function followed(): Promise<boolean> {
  const [written] = await query(topology.urls.primary, 'select pg_current_wal_lsn()::text as at');
  const behind = `select pg_wal_lsn_diff(pg_last_wal_replay_lsn(), '${written?.at}') >= 0 as caught`;
  return (await query(topology.urls.replica, behind))[0]?.caught === true;
}

it('the replica replaces a stopped primary, and no program needs a restart', async () => {
  await topology.primary.stop();
  await topology.promote();
  await untilAllGoesOn();
  for (const origin of topology.webOrigins) expect(await statusOf(`${origin}/readyz`)).toBe(200);
});

it('nothing acknowledged is lost, and nothing is stored twice', async () => {
  // While no web server could answer, the proxy sent its own error page. On a fast machine creators reach a limit.
  await endLoad(load, [200, 429, 502, 503, 504, 'cut']);
  const db = await openDatabase(topology.pooled, 2);
  try {
    const { posts } = await expectRowsToAgree(db, load.done, seen);
    const stored = (await readdir(join(folder, 'store', 'objects'))).map((name) => decodeURIComponent(name));
    const keys = new Set(stored.map((name) => name.split('/').slice(0, 2).join('/')));
    const living = posts.filter(({ deleted_at }) => !deleted_at);
    expect(living.length).toBeGreaterThan(0);
    expect(living.filter(({ media_key }) => !keys.has(`media/${media_key}`))).toEqual([]);
  } finally {
    await db.destroy();
  }
}, 300_000);
