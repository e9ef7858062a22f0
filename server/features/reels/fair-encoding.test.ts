import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions } from 'fastify';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import { anotherOf, freshClip, sendReel } from '#testing/fixtures/reels.ts';
import { figure } from '#testing/report-figure.ts';
import { readerOf } from '#testing/servers/processes.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

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
/** Number of failed attempts of all reel jobs. */
async function retriesOf(server: TestServer): Promise<number> {
  const { rows } = await sql<{ retries: number }>`
    select coalesce(sum(retry_count), 0)::int as retries from pgboss.job where name = 'reel'`.execute(
    server.db,
  );
  return rows[0]?.retries ?? 0;
}

/** Number of a person's reels whose processing has begun. */
async function startedOf(server: TestServer, { id }: Person): Promise<number> {
  const { rows } = await sql<{ started: number }>`
    select count(started_on)::int as started from pgboss.job where name = 'reel' and group_id = ${id}`.execute(
    server.db,
  );
  return rows[0]?.started ?? 0;
}

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

  it("five reels of one account delay another person's clip by at most the running one", async () => {
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
    expect(await retriesOf(server)).toBe(0);
  }, 300_000);
});

it('reels of one account sent in parallel are queued one hour apart', async () => {
  const server = await startTestServer({ ROLE: 'web', DATABASE_URL: 'postgres://unused' });
  try {
    const [one, other] = [await signUpSomebody(server), await signUpSomebody(server)];
    const bytes = await freshClip();
    await Promise.all(Array.from({ length: 4 }, () => publish(server, one, anotherOf(Buffer.from(bytes)))));
    await publish(server, other, anotherOf(Buffer.from(bytes)));
    const { rows } = await sql<{ owner: string; behind: number }>`
      select group_id as owner, (max(priority) over () - priority) / 3600 as behind
      from pgboss.job where name = 'reel' order by priority desc`.execute(server.db);
    expect(rows.filter(({ owner }) => owner === one.id).map(({ behind }) => behind)).toEqual([0, 1, 2, 3]);
    expect(rows.find(({ owner }) => owner === other.id)?.behind).toBe(0);
  } finally {
    await server.close();
  }
});

it('reels of many accounts of one network are queued a minute apart, and one of another network before them', async () => {
  const server = await startTestServer({ ROLE: 'web', DATABASE_URL: 'postgres://unused' });
  try {
    const from = (person: Person, remoteAddress: string) => ({
      person,
      server: { ...server, inject: (options: InjectOptions) => server.inject({ ...options, remoteAddress }) },
    });
    const together = [];
    for (const last of [1, 2, 3]) together.push(from(await signUpSomebody(server), `2001:db8:1:${last}::1`));
    const alone = from(await signUpSomebody(server), '2001:db8:2:1::1');
    const bytes = await freshClip();
    for (const { server, person } of [...together, alone]) await publish(server, person, anotherOf(bytes));
    const { rows } = await sql<{ owner: string; minutes: number }>`
      select group_id as owner, round(
        (-priority - extract(epoch from created_on - timestamptz '2026-01-01 00:00:00Z')) / 60)::int as minutes
      from pgboss.job where name = 'reel'`.execute(server.db);
    const minutesOf = ({ person }: { person: Person }) =>
      rows.find(({ owner }) => owner === person.id)?.minutes;
    expect([...together, alone].map(minutesOf)).toEqual([0, 1, 2, 0]);
  } finally {
    await server.close();
  }
});

describe('a task that takes longer than its slice', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ MEDIA_WORKERS: '1', MEDIA_SLICE_SECONDS: '1' });
  });
  afterAll(() => server.close());

  it("pauses while another person's is made, continues afterwards, and loses no retry", async () => {
    const [patient, other] = [await signUpSomebody(server), await signUpSomebody(server)];
    // Its slice ends while it is held.
    const long = await publishHeld(server, patient, anotherOf(await clipOf(2, 270, 480)));
    const second = await publish(server, patient, await freshClip());
    const clip = await publish(server, other, await freshClip());
    await expect.poll(() => startedOf(server, other)).toBe(1);
    long.goOn();
    expect(await untilReady(server, clip)).toEqual([clip]);
    const order = await untilReady(server, long.id, second);
    expect(order).toEqual([clip, long.id, second]);
    expect(await retriesOf(server)).toBe(0);
  }, 300_000);

  it('is not paused if nobody else waits', async () => {
    const patient = await signUpSomebody(server);
    const first = await publish(server, patient, anotherOf(await clipOf(8, 854, 480)));
    const second = await publish(server, patient, await freshClip());
    const order = await untilReady(server, first, second);
    expect(order.indexOf(first)).toBeLessThan(order.indexOf(second));
  }, 300_000);
});
