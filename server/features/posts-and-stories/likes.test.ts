import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { uploadedPhoto } from '#testing/fixtures/earnings.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { countLockWaits } from '#testing/servers/lock-waits.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { undoLikes } from './account-deletion.queries.ts';
import { unlikePost } from './likes.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
let postId: string;
let hues = 0;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
const march = new Date('2026-03-20T10:00:00Z');
const april = new Date('2026-04-02T10:00:00Z');
const may = new Date('2026-05-02T10:00:00Z');
beforeEach(async () => {
  server.now.value = march;
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server, 'Binod')];
  hues += 1;
  const hue = `#${(hues * 30).toString(16).padStart(2, '0')}4466`;
  postId = await publishPicture(server.db, server.dataDir, asha.id, 'A photo', march, hue);
});

const like = (person: Person, id = postId) =>
  server.inject({ method: 'POST', url: `/api/post/like/${id}`, headers: person.headers });
const unlike = (person: Person) =>
  server.inject({ method: 'DELETE', url: `/api/post/like/${postId}`, headers: person.headers });
const shown = async () =>
  (await call(server, { url: `/api/post/getFrienddata/${asha.id}` })).data[0].likeCount;
const counted = async (month: string) => {
  const row = await server.db
    .selectFrom('creator_months')
    .select('likes')
    .where('creator_id', '=', asha.id)
    .where('month', '=', month)
    .executeTakeFirst();
  return row?.likes ?? 0;
};

describe('likes of a post, which earn coins for its creator (decisions §4)', () => {
  it('count once for each person, also with parallel requests', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => signUpSomebody(server)));
    await Promise.all(people.flatMap((person) => [like(person), like(person)]));
    expect(await shown()).toBe(6);
    expect(await counted('2026-03')).toBe(6);
  });

  it('taken back while their person deletes the account lower the count once', async () => {
    await like(binod);
    const { promise: ends, resolve: end } = Promise.withResolvers<void>();
    const { promise: isUndone, resolve: hasUndone } = Promise.withResolvers<void>();
    const undoing = inTransaction(server.db, async (trx) => {
      await unlikePost({ ...server.context, db: trx }, postId, binod.id);
      hasUndone();
      await ends;
    });
    await isUndone;
    const deleting = inTransaction(server.db, (trx) => undoLikes(trx, binod.id, march));
    await expect.poll(() => countLockWaits(server.db)).toBeGreaterThan(0);
    end();
    await undoing;
    expect(await deleting).toEqual([]);
    expect(await shown()).toBe(0);
  });

  it('by the creator are shown but do not earn', async () => {
    await like(asha);
    expect(await shown()).toBe(1);
    expect(await counted('2026-03')).toBe(0);
  });

  it('undone in the same month do not earn, and repeated ones do', async () => {
    await like(binod);
    await Promise.all([unlike(binod), unlike(binod)]);
    expect(await counted('2026-03')).toBe(0);
    expect(await shown()).toBe(0);
    await like(binod);
    expect(await counted('2026-03')).toBe(1);
  });

  it('undone in a later month keep their coin, and repeated ones earn no second one', async () => {
    await like(binod);
    server.now.value = april;
    await unlike(binod);
    await like(binod);
    expect(await shown()).toBe(1);
    expect([await counted('2026-03'), await counted('2026-04')]).toEqual([1, 0]);
    server.now.value = may;
    await unlike(binod);
    expect([await counted('2026-03'), await counted('2026-05')]).toEqual([1, 0]);
  });

  it('undone in their month and repeated in a later month earn there', async () => {
    await like(binod);
    await unlike(binod);
    server.now.value = april;
    await like(binod);
    expect([await counted('2026-03'), await counted('2026-04')]).toEqual([0, 1]);
  });

  it('find no post if the creator blocks the person, and are refused without a session', async () => {
    await server.inject({ method: 'POST', url: `/api/block/${binod.id}`, headers: asha.headers });
    expect((await like(binod)).statusCode).toBe(404);
    const response = await server.inject({ method: 'POST', url: `/api/post/like/${postId}` });
    expect(response.statusCode).toBe(401);
    expect(await shown()).toBe(0);
  });

  it('of 60 throw-away accounts, 600 in all, are shown, and the first 250 of the month pay [long]', async () => {
    const photos: string[] = [];
    for (let made = 0; made < 10; made += 1) {
      const fileName = await uploadedPhoto(server.db, asha.id, march);
      const form = { method: 'POST' as const, url: '/api/post/add', payload: { fileName } };
      photos.push((await call(server, { ...form, headers: asha.headers })).data._id);
    }
    const accounts = await Promise.all(Array.from({ length: 60 }, () => signUpSomebody(server)));
    for (const account of accounts) {
      const answers = await Promise.all(photos.map((id) => like(account, id)));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual(photos.map(() => 200));
    }
    const url = `/api/user-earnings/month/${asha.id}/2026-03?limit=50`;
    const { data } = await call(server, { url, headers: asha.headers });
    expect(await counted('2026-03')).toBe(600);
    // Eleven photos earn 22 coins, 250 likes 25.
    expect(data).toMatchObject({ totalCoins: 47, unpaidLikes: { count: 350, coins: 35 } });
  });
});
