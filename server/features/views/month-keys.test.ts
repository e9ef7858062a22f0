import { createHmac, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, newKey } from '#server/platform/ids.ts';
import { payByShowing } from '#testing/fixtures/watching.ts';
import {
  browser,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { maintainMonthKeys, rekeyEvents, rekeyWindows } from './month-keys.ts';
import { addressOf, viewerOf } from './viewers.ts';

let server: TestServer;
let creator: Person;
let reelId: string;
beforeEach(async () => {
  // The server runs without the job that hashes old rows every minute: here each test does it.
  server = await startTestServer({ ROLE: 'web' });
  await payByShowing(server.db);
  creator = await signUpSomebody(server);
  reelId = await readyReel();
});
afterEach(() => server.close());

async function readyReel(): Promise<string> {
  const id = newId(new Date());
  await server.db
    .insertInto('reels')
    .values({
      id,
      creator_id: creator.id,
      media_key: newKey(),
      caption: '',
      credit: '',
      categories: [],
      state: 'ready',
      sha256: randomBytes(32),
      uploaded_at: new Date(),
      published_at: new Date(),
    })
    .execute();
  return id;
}

const address = '127.44.33.22';
const at = (time: string) => {
  server.now.value = new Date(`${time}+05:30`);
};
const see = async (reel = reelId): Promise<boolean> => {
  const answer = await server.inject({
    method: 'POST',
    url: `/api/reel/increaseView/${reel}`,
    remoteAddress: address,
    headers: { 'user-agent': browser },
  });
  expect(answer.statusCode).toBe(200);
  return answer.json().counted;
};
const maintain = () => maintainMonthKeys(server.context);
const events = () =>
  server.db.selectFrom('view_events').selectAll().where('reel_id', '=', reelId).orderBy('seen_at').execute();

/** Months with a key in the folder. */
const months = async () =>
  (await readdir(join(server.dataDir, 'keys'))).flatMap(
    (name) => /^viewers-month\.(\d{6})01\.key$/.exec(name)?.[1] ?? [],
  );

/** Whether the database and the key folder reveal that this address was stored, by hashing it with every key. */
async function canBeReadBack(): Promise<boolean> {
  const folder = join(server.dataDir, 'keys');
  const keys = await Promise.all(
    (await readdir(folder)).map(async (name) =>
      Buffer.from((await readFile(join(folder, name), 'utf8')).trim(), 'hex'),
    ),
  );
  const keyed = (key: Buffer, value: Buffer | string) =>
    createHmac('sha256', key).update(value).digest().subarray(0, 8);
  const once = keys.map((key) => keyed(key, `address ${address}`));
  const twice = keys.flatMap((key) => once.map((hash) => keyed(key, hash)));
  const stored = (await events()).map((row) => row.address);
  return [...once, ...twice].some((hash) => stored.some((row) => row?.equals(hash)));
}

describe('the key of a month', () => {
  it('is made a day before the month begins', async () => {
    at('2026-11-29T23:00');
    await maintain();
    expect(await months()).toEqual(['202611']);
    at('2026-11-30T00:30');
    await maintain();
    expect(await months()).toEqual(['202611', '202612']);
  });

  it('is destroyed 60 days after the month; then an address cannot be tested against the stored views', async () => {
    at('2026-11-30T12:00');
    await see();
    expect(await canBeReadBack()).toBe(true);
    at('2027-01-29T12:00');
    expect(await maintain()).toEqual([]);
    expect(await canBeReadBack()).toBe(true);
    at('2027-01-30T00:01');
    expect(await maintain()).toEqual(['2026-11']);
    expect(await canBeReadBack()).toBe(false);
    expect(await months()).toEqual(['202701']);
    expect(
      await server.db.selectFrom('keyring_keys').select('version').where('version', '=', 20261101).execute(),
    ).toEqual([]);
    expect(await maintain()).toEqual([]);
  });

  it('gives one viewer one hash within a month, and hashes that cannot be compared in two months', async () => {
    at('2026-11-02T12:00');
    await see();
    at('2026-11-20T12:00');
    await see();
    at('2026-12-20T12:00');
    await see();
    const [first, second, third] = await events();
    expect(second?.viewer).toEqual(first?.viewer);
    expect(second?.address).toEqual(first?.address);
    expect(third?.viewer).not.toEqual(first?.viewer);
    expect(third?.address).not.toEqual(first?.address);
  });
});

describe('across the end of a month', () => {
  it('a viewer counts once in 24 hours', async () => {
    at('2026-11-30T23:50');
    expect(await see()).toBe(true);
    at('2026-12-01T00:10');
    expect(await see()).toBe(false);
    at('2026-12-01T23:49');
    expect(await see()).toBe(false);
    at('2026-12-01T23:51');
    expect(await see()).toBe(true);
    at('2026-12-02T00:10');
    expect(await see()).toBe(false);
  });

  it('a viewer has the daily limit only once', async () => {
    const reels = await Promise.all(Array.from({ length: 1001 }, readyReel));
    at('2026-11-30T23:50');
    await Promise.all(reels.slice(0, 501).map(see));
    at('2026-12-01T00:10');
    const counted = await Promise.all(reels.slice(501).map(see));
    expect(counted.filter(Boolean)).toHaveLength(499);
  });
});

describe('views stored by earlier versions', () => {
  const secret = () => server.keyring.secret('viewers');
  const viewer = () => viewerOf(secret(), { personId: undefined, address, userAgent: browser });

  async function storeAsBefore(count: number): Promise<void> {
    const rows = Array.from({ length: count }, () => ({
      id: newId(server.now.value),
      creator_id: creator.id,
      reel_id: reelId,
      viewer: viewer(),
      verdict: 'repeated' as const,
      seen_at: server.now.value,
      address: addressOf(secret(), address),
    }));
    await server.db.insertInto('view_events').values(rows).execute();
  }

  it('are hashed with the key of their month, and then equal new ones', async () => {
    at('2026-11-02T12:00');
    await storeAsBefore(2);
    await server.db
      .insertInto('view_events')
      .values({
        id: newId(server.now.value),
        creator_id: creator.id,
        reel_id: await readyReel(),
        viewer: viewer(),
        verdict: 'counted',
        seen_at: server.now.value,
      })
      .execute();
    expect(await rekeyEvents(server.context)).toBe(3);
    at('2026-11-20T12:00');
    await see();
    const rows = await events();
    expect(new Set(rows.map((row) => row.viewer.toString('hex'))).size).toBe(1);
    expect(new Set(rows.map((row) => row.address?.toString('hex'))).size).toBe(1);
    expect(rows[0]?.viewer).not.toEqual(viewer());
    expect(await rekeyEvents(server.context)).toBe(0);
  });

  it('are hashed in batches that continue where the last one stopped', async () => {
    at('2026-11-02T12:00');
    await storeAsBefore(2001);
    const cut = new AbortController();
    const keyring = {
      ...server.keyring,
      monthKey: (month: string) => {
        cut.abort(new Error('cut off'));
        return server.keyring.monthKey(month);
      },
    };
    await expect(rekeyEvents({ ...server.context, keyring }, cut.signal)).rejects.toThrow('cut off');
    expect((await events()).filter((row) => !row.by_month)).toHaveLength(1);
    expect(await rekeyEvents(server.context)).toBe(1);
  });

  it("prevent the destruction of their month's key until they are hashed", async () => {
    at('2026-08-02T12:00');
    await storeAsBefore(1);
    at('2026-11-02T12:00');
    await server.keyring.monthKey('2026-08');
    expect(await maintain()).toEqual([]);
    await rekeyEvents(server.context);
    expect(await maintain()).toEqual(['2026-08']);
    expect(await canBeReadBack()).toBe(false);
  });

  it('do not count again on the day of the upgrade', async () => {
    const started = new Date();
    await server.db
      .insertInto('view_windows')
      .values({ reel_id: reelId, viewer: viewer(), counted_at: started })
      .execute();
    await rekeyWindows(server.context);
    expect(await see()).toBe(false);
  });
});
