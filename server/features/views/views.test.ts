import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId, newKey } from '#server/platform/ids.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import {
  browser,
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

/* Showings, which raise the displayed count. What counts is in watched.test.ts. */
let server: TestServer;
let creator: Person;
let reelId: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  creator = await signUpSomebody(server);
  reelId = await readyReel(creator.id);
});

/** Creates a public reel without files, which are not needed for counting. */
async function readyReel(creatorId: string, state: 'ready' | 'processing' = 'ready') {
  const id = newId(new Date());
  await changeWorks(server.db, (trx) =>
    trx
      .insertInto('reels')
      .values({
        id,
        creator_id: creatorId,
        media_key: newKey(),
        caption: '',
        credit: '',
        categories: [],
        state,
        sha256: Buffer.from(id),
        uploaded_at: new Date(),
        published_at: new Date(),
      })
      .execute(),
  );
  return id;
}

const see = (options: { address?: string; agent?: string; person?: Person; reel?: string } = {}) =>
  server.inject({
    method: 'POST',
    url: `/api/reel/increaseView/${options.reel ?? reelId}`,
    remoteAddress: options.address ?? '127.9.9.9',
    headers: { 'user-agent': options.agent ?? browser, ...options.person?.headers },
  });
const verdicts = async () =>
  Object.fromEntries(
    (
      await server.db
        .selectFrom('reel_days')
        .select(['verdict', 'views'])
        .where('reel_id', '=', reelId)
        .execute()
    ).map((row) => [row.verdict, row.views]),
  );

describe('a showing', () => {
  it('increases the displayed count, which is public, each time', async () => {
    for (const views of [1, 2, 3]) expect((await see()).json()).toMatchObject({ views, counted: false });
    expect((await call(server, { url: `/api/reel/getReel/${reelId}` })).data.views).toBe(3);
    expect(await verdicts()).toEqual({ shown: 3 });
  });

  it.each<[string, () => Promise<Parameters<typeof see>[0]>, string]>([
    ["to the reel's creator", async () => ({ person: creator }), 'own'],
    ['to a known bot', async () => ({ agent: 'Mozilla/5.0 (compatible; Googlebot/2.1)' }), 'bot'],
    ['to a program', async () => ({ agent: 'curl/8.5.0' }), 'bot'],
    ['to a client without a user agent', async () => ({ agent: '' }), 'bot'],
  ])(
    '%s gets no lease, so it can never count, and is stored with its reason',
    async (_whose, who, reason) => {
      expect((await see(await who())).json()).toMatchObject({ views: 1, counted: false, lease: null });
      expect(await verdicts()).toEqual({ shown: 1, [reason]: 1 });
    },
  );

  it('of a suspended person’s reel is answered with 404, and so is one of a reel that is not public', async () => {
    const suspend = (at: Date | null) =>
      server.db.updateTable('people').set({ suspended_at: at }).where('id', '=', creator.id).execute();
    await suspend(new Date());
    expect((await see()).statusCode).toBe(404);
    await suspend(null);
    expect((await see()).json()).toMatchObject({ views: 1 });
    expect((await see({ reel: await readyReel(creator.id, 'processing') })).statusCode).toBe(404);
  });
});

describe('showings that arrive together', () => {
  it('each get their own number, and none is lost or counted twice', async () => {
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, index) => see({ address: `127.5.${index >> 8}.${index & 255}` })),
    );
    const numbers = answers.map((answer) => answer.json().views).sort((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: 300 }, (_, index) => index + 1));
    expect(await verdicts()).toEqual({ shown: 300 });
  });

  it('are recorded even if one of them is of an unknown reel', async () => {
    const [good, bad] = await Promise.all([see(), see({ reel: newId(new Date()) })]);
    expect([good.statusCode, bad.statusCode]).toEqual([200, 404]);
  });
});
