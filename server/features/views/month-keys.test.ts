import { createHmac, randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { newId, newKey } from '#server/platform/ids.ts';
import {
  browser,
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { maintainMonthKeys } from './month-keys.ts';

let server: TestServer;
let creator: Person;
let reelId: string;
beforeEach(async () => {
  server = await startTestServer({ ROLE: 'web' });
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
const increase = async (reel: string, watched: object[]) =>
  await call(server, {
    method: 'POST',
    url: `/api/reel/increaseView/${reel}`,
    remoteAddress: address,
    headers: { 'user-agent': browser },
    payload: { viewer: 'a browser of one person', watched },
  });
/** Watches a reel for five seconds. */
async function watch(reel = reelId): Promise<void> {
  const { lease } = await increase(reel, []);
  server.now.value = new Date(server.now.value.getTime() + 5000);
  const watched = [{ lease, seconds: 5 }];
  const payload = { watched };
  const { counted } = await call(server, { method: 'POST', url: '/api/reel/watched', payload });
  expect(counted).toBe(1);
}
const maintain = () => maintainMonthKeys(server.context);
const events = () =>
  server.db.selectFrom('views').selectAll().where('reel_id', '=', reelId).orderBy('watched_at').execute();

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
  const stored = (await events()).map((row) => row.network);
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
    await watch();
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
    await watch();
    at('2026-11-20T12:00');
    await watch();
    at('2026-12-20T12:00');
    await watch();
    const [first, second, third] = await events();
    expect(second?.viewer).toEqual(first?.viewer);
    expect(second?.network).toEqual(first?.network);
    expect(third?.viewer).not.toEqual(first?.viewer);
    expect(third?.network).not.toEqual(first?.network);
  });
});
