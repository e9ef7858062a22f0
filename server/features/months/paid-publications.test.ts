import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import type { Storage } from '#server/platform/storage.ts';
import { contextAt } from '#testing/context.ts';
import { madeReel, uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { reopenMonths } from '#testing/fixtures/watching.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { deleteAccount } from '../account-deletion/account-deletion.ts';
import { auditLedger } from '../earnings/audit.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { publishStory } from '../posts-and-stories/stories.ts';
import { deleteReel } from '../reels/deletion.ts';
import { closeMonths } from './closing.ts';

/** Noon of the 15th of November 2026 in India. */
const noon = new Date('2026-11-15T06:30:00Z');
/** A quarter of an hour after the end of November, when it is closed. */
const december = new Date('2026-11-30T18:45:00Z');
const month = '2026-11';

let server: TestServer;
let storage: Storage;
let folder: string;
let creator: Person;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(join(tmpdir(), 'jhalak-paid-'));
  storage = await openDiskStorage(folder);
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  server.now.value = noon;
  await reopenMonths(server.db);
  creator = await signUpSomebody(server);
});

const context = () => ({ ...contextAt(server.db, server.now.value), storage });
const reel = (made: { seconds?: number; still?: boolean } = {}) => madeReel(context(), creator.id, made);
async function reels(many: number): Promise<string[]> {
  const ids: string[] = [];
  for (let made = 0; made < many; made += 1) {
    server.now.value = new Date(server.now.value.getTime() + 1000);
    ids.push(await reel());
  }
  return ids;
}

async function photos(many: number): Promise<void> {
  for (let made = 0; made < many; made += 1) {
    server.now.value = new Date(server.now.value.getTime() + 1000);
    const upload = () => uploadedPhoto(server.db, creator.id, server.now.value);
    await publishPost(context(), creator.id, { fileName: await upload(), caption: '', description: '' });
    await publishStory(context(), creator.id, { fileName: await upload(), statusText: '' });
  }
}

const ask = (what: string) =>
  call(server, { url: `/api/user-earnings/${what}`, headers: creator.headers }).then(({ data }) => data);
const detail = (of = month) => ask(`month/${creator.id}/${of}?limit=50`);
const differences = async () => (await auditLedger(context())).differences;

interface Line {
  kind: string;
  count: number;
  paid: number;
  coins: number;
}
const linesOf = ({ lines }: { lines: Line[] }) =>
  lines
    .filter(({ count }) => count > 0)
    .map(({ kind, count, paid, coins }) => `${kind} ${count} ${paid} ${coins}`);
const withdraw = (totalRupee: string, of = month) =>
  server.inject({
    method: 'POST',
    url: '/api/user-earnings/request',
    headers: creator.headers,
    payload: { userId: creator.id, month: of, totalRupee },
  });

describe('publications of a month', () => {
  it('beyond 50 reels, 30 photos and 30 stories are public, earn nothing, and are marked as unpaid', async () => {
    const published = await reels(52);
    await photos(31);
    const data = await detail();
    expect(linesOf(data)).toEqual(['reels 52 50 250', 'posts 31 30 60', 'stories 31 30 30']);
    expect(data.totalCoins).toBe(340);
    const items: { _id: string; kind: string; unpaid: string | null; publishedCoins: number }[] = [];
    for (let cursor = ''; items.length < 114; ) {
      const url = `/api/user-earnings/month/${creator.id}/${month}?limit=50${cursor}`;
      const page = await call(server, { url, headers: creator.headers });
      items.push(...page.data.items);
      cursor = `&cursor=${encodeURIComponent(page.nextCursor)}`;
    }
    const over = items.filter(({ unpaid }) => unpaid);
    // The newest of each kind are beyond the limit.
    expect(over.map(({ kind }) => kind).sort()).toEqual(['post', 'reel', 'reel', 'story']);
    expect(over.filter(({ kind }) => kind === 'reel').map(({ _id }) => _id)).toEqual([
      published[51],
      published[50],
    ]);
    expect(over).toMatchObject(Array(4).fill({ unpaid: 'over_month', publishedCoins: 0 }));
    const { data: shown } = await call(server, { url: `/api/reel/getFrienddata/${creator.id}` });
    expect(shown[0]._id).toBe(published[51]);
    expect(await differences()).toEqual([]);
  });

  it('that are deleted in the month make room for the next ones [long]', async () => {
    const [first = ''] = await reels(51);
    await deleteReel(context(), first, creator.id);
    expect(linesOf(await detail())).toEqual(['reels 50 50 250']);
    const [item] = (await detail()).items;
    expect(item).toMatchObject({ unpaid: null, publishedCoins: 5 });
    expect(await differences()).toEqual([]);
  });

  it('pay at most 0.93 rupees, so that a script cannot reach a withdrawal with them', async () => {
    await reels(120);
    await photos(60);
    server.now.value = december;
    await closeMonths(context());
    const refused = await withdraw('1.20');
    expect(refused.json()).toMatchObject({ code: 'below_minimum' });
    const [record] = (await ask(`history/${creator.id}`)).data;
    expect(record).toMatchObject({ monthKey: month, reels: 120, totalCoins: 340, state: 'too_little' });
    expect(await differences()).toEqual([]);
  });
});

describe('a reel', () => {
  it.each([
    ['shorter than a second', { seconds: 0.9 }, 'too_short'],
    ['of one still picture', { seconds: 20, still: true }, 'still'],
  ] as const)('%s is public and earns nothing for its publication', async (_, made, reason) => {
    const id = await reel(made);
    const data = await detail();
    expect(data.totalCoins).toBe(0);
    expect(data.items).toMatchObject([{ _id: id, unpaid: reason, publishedCoins: 0 }]);
    const { data: shown } = await call(server, { url: `/api/reel/getFrienddata/${creator.id}` });
    expect(shown).toMatchObject([{ _id: id }]);
    expect(await differences()).toEqual([]);

    await deleteReel(context(), id, creator.id);
    expect(await differences()).toEqual([]);
  });

  it('whose publication does not pay subtracts nothing from the month when its account is deleted', async () => {
    await reel({ seconds: 0.5 });
    await reel();
    await deleteAccount(context(), creator.id, creator.id);
    expect(await differences()).toEqual([]);
  });

  it('of one second pays', async () => {
    await reel({ seconds: 1 });
    expect((await detail()).totalCoins).toBe(5);
    expect(await differences()).toEqual([]);
  });
});
