import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, newKey } from '#server/platform/ids.ts';
import { contextAt } from '#testing/context.ts';
import { payByShowing } from '#testing/fixtures/watching.ts';
import {
  browser,
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { createViewRecorder } from './recorder.ts';
import { deleteOldWindows } from './views.ts';

let server: TestServer;
let creator: Person;
let reelId: string;
beforeAll(async () => {
  server = await startTestServer();
  // Tests of watched views are in watched.test.ts.
  await payByShowing(server.db);
});
afterAll(() => server.close());
beforeEach(async () => {
  creator = await signUpSomebody(server);
  reelId = await readyReel(creator.id);
});

/** Creates a public reel without files, which are not needed for counting. */
async function readyReel(
  creatorId: string,
  more: { duplicate?: boolean; state?: 'ready' | 'processing' } = {},
) {
  const id = newId(new Date());
  await server.db
    .insertInto('reels')
    .values({
      id,
      creator_id: creatorId,
      media_key: newKey(),
      caption: '',
      credit: '',
      categories: [],
      state: 'ready',
      sha256: Buffer.from(id),
      uploaded_at: new Date(),
      published_at: new Date(),
      ...more,
    })
    .execute();
  return id;
}

const see = (options: { address?: string; agent?: string; person?: Person; reel?: string } = {}) =>
  server.inject({
    method: 'POST',
    url: `/api/reel/increaseView/${options.reel ?? reelId}`,
    remoteAddress: options.address ?? '127.9.9.9',
    headers: { 'user-agent': options.agent ?? browser, ...options.person?.headers },
  });
const month = async () =>
  (
    await server.db
      .selectFrom('creator_months')
      .select('views')
      .where('creator_id', '=', creator.id)
      .execute()
  ).reduce((sum, row) => sum + row.views, 0);
const verdicts = async () =>
  Object.fromEntries(
    (
      await server.db
        .selectFrom('reel_months')
        .select(['verdict', 'views'])
        .where('reel_id', '=', reelId)
        .execute()
    ).map((row) => [row.verdict, row.views]),
  );

describe('the displayed count increases with every accepted view, and counted ones earn (decisions §4)', () => {
  it('a view counts once for each viewer and reel in 24 hours', async () => {
    const start = Date.now();
    const hour = 3_600_000;
    for (const [hours, counted] of [
      [0, true],
      [1, false],
      [23.9, false],
      [24, true],
      [25, false],
      [48, true],
    ] as const) {
      server.now.value = new Date(start + hours * hour);
      expect((await see()).json().counted, `after ${hours} hours`).toBe(counted);
    }
    expect((await see()).json().views).toBe(7);
    expect(await month()).toBe(3);
    expect(await verdicts()).toEqual({ counted: 3, repeated: 4 });
    server.now.value = new Date();
  });

  it('a view counts again after old windows were deleted', async () => {
    const start = Date.now();
    const hour = 3_600_000;
    const windows = async () =>
      (
        await server.db
          .selectFrom('view_windows')
          .select('counted_at')
          .where('reel_id', '=', reelId)
          .execute()
      ).length;
    for (const [hours, counted, left] of [
      [0, true, 1],
      [23.9, false, 1],
      [24.1, true, 1],
      [47, false, 1],
    ] as const) {
      server.now.value = new Date(start + hours * hour);
      await deleteOldWindows(contextAt(server.db, server.now.value));
      expect((await see()).json().counted, `after ${hours} hours`).toBe(counted);
      expect(await windows()).toBe(left);
    }
    await deleteOldWindows(contextAt(server.db, new Date(start + 49 * hour)));
    expect(await windows()).toBe(0);
    server.now.value = new Date();
  });

  it('two people behind one address are two viewers, one person on two devices is one', async () => {
    const [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
    expect((await see({ person: asha })).json().counted).toBe(true);
    expect((await see({ person: binod })).json().counted).toBe(true);
    expect(
      (await see({ person: asha, address: '127.8.8.8', agent: `${browser} Mobile` })).json().counted,
    ).toBe(false);
    expect(await month()).toBe(2);
  });

  it('an IPv6 network of a household is one viewer, whichever of its addresses it uses', async () => {
    expect((await see({ address: '2001:db8:0:1::5' })).json().counted).toBe(true);
    expect((await see({ address: '2001:db8:0:1:ffff:1:2:3' })).json().counted).toBe(false);
    expect((await see({ address: '2001:db8:0:2::5' })).json().counted).toBe(true);
    const events = await server.db
      .selectFrom('view_events')
      .select('address')
      .where('reel_id', '=', reelId)
      .execute();
    expect(new Set(events.map(({ address }) => address?.toString('hex'))).size).toBe(2);
  });

  it('a reel of a suspended person is answered with 404', async () => {
    const suspend = (at: Date | null) =>
      server.db.updateTable('people').set({ suspended_at: at }).where('id', '=', creator.id).execute();
    await suspend(new Date());
    expect((await see()).statusCode).toBe(404);
    await suspend(null);
    expect((await see()).json()).toMatchObject({ views: 1, counted: true });
  });

  it.each<[string, () => Promise<Parameters<typeof see>[0]>, string]>([
    ["the creator's own", async () => ({ person: creator }), 'own'],
    ["a known bot's", async () => ({ agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }), 'bot'],
    ['one without a user agent', async () => ({ agent: '' }), 'bot'],
  ])('%s never earns, and is stored with its reason', async (_whose, who, reason) => {
    expect((await see(await who())).json()).toMatchObject({ views: 1, counted: false });
    expect(await month()).toBe(0);
    expect(await verdicts()).toEqual({ [reason]: 1 });
  });

  it('a view of a duplicate never earns', async () => {
    reelId = await readyReel(creator.id, { duplicate: true });
    expect((await see()).json()).toMatchObject({ views: 1, counted: false });
    expect(await verdicts()).toEqual({ copy: 1 });
  });

  it('a viewer over the daily limit no longer earns', async () => {
    const reels = await Promise.all(Array.from({ length: 1001 }, () => readyReel(creator.id)));
    const answers = await Promise.all(reels.map((reel) => see({ reel, address: '127.3.0.1' })));
    expect(answers.every((answer) => answer.statusCode === 200)).toBe(true);
    expect(answers.filter((answer) => answer.json().counted)).toHaveLength(1000);
  });

  it('two servers at the same time do not exceed the limit', async () => {
    const now = new Date();
    const reels = await Promise.all(Array.from({ length: 1200 }, () => readyReel(creator.id)));
    const view = (reel: string) => ({
      reelId: reel,
      viewer: Buffer.from('one pair of eyes'),
      personId: undefined,
      bot: false,
      at: now,
    });
    const recorders = [1, 2].map(() => createViewRecorder(contextAt(server.db, now)));
    const answers = await Promise.all(reels.map((reel, index) => recorders[index % 2]?.(view(reel))));
    expect(answers.filter((answer) => answer?.counted)).toHaveLength(1000);
  });
});

describe('views that arrive together', () => {
  it('each get their own number, and none is lost or counted twice', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => see({ address: `127.5.${index >> 8}.${index & 255}` })),
    );
    const numbers = answers.map((answer) => answer.json().views).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(await month()).toBe(300);
    expect(
      (await server.db.selectFrom('view_events').select('id').where('reel_id', '=', reelId).execute()).length,
    ).toBe(300);
  });

  it('of one viewer in parallel count once', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => see()));
    expect(answers.filter((answer) => answer.json().counted)).toHaveLength(1);
  });

  it('are recorded even if one of them is of an unknown reel', async () => {
    const [good, bad] = await Promise.all([see(), see({ reel: newId(new Date()) })]);
    expect([good.statusCode, bad.statusCode]).toEqual([200, 404]);
  });
});

it('a reel that is not public cannot be viewed', async () => {
  expect((await see({ reel: await readyReel(creator.id, { state: 'processing' }) })).statusCode).toBe(404);
});

it('cannot be traced to a person by the stored data of the viewer', async () => {
  await see({ address: '127.77.66.55' });
  const [event] = await server.db
    .selectFrom('view_events')
    .selectAll()
    .where('reel_id', '=', reelId)
    .execute();
  expect(event?.viewer).toHaveLength(16);
  expect(JSON.stringify(event)).not.toContain('127.77');
});

it('the count is public', async () => {
  await see();
  expect((await call(server, { url: `/api/reel/getReel/${reelId}` })).data.views).toBe(1);
});
