import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call, type Person, signUpSomebody, startTestServer, type TestServer } from '#testing/server.ts';
import { publishPicture } from '#testing/society.ts';

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

const like = (person: Person) =>
  server.inject({ method: 'POST', url: `/api/post/like/${postId}`, headers: person.headers });
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

describe('likes of a post, which its creator is paid for (decisions §4)', () => {
  it('count once per person, however often and however many at once', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, () => signUpSomebody(server)));
    await Promise.all(people.flatMap((person) => [like(person), like(person)]));
    expect(await shown()).toBe(6);
    expect(await counted('2026-03')).toBe(6);
  });

  it('of one’s own are shown and not counted', async () => {
    await like(asha);
    expect(await shown()).toBe(1);
    expect(await counted('2026-03')).toBe(0);
  });

  it('taken back in the same month are not counted, and given again they are', async () => {
    await like(binod);
    await Promise.all([unlike(binod), unlike(binod)]);
    expect(await counted('2026-03')).toBe(0);
    expect(await shown()).toBe(0);
    await like(binod);
    expect(await counted('2026-03')).toBe(1);
  });

  it('taken back in a later month stay counted, and given again count no second time', async () => {
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

  it('taken back at once and given again in a later month count there', async () => {
    await like(binod);
    await unlike(binod);
    server.now.value = april;
    await like(binod);
    expect([await counted('2026-03'), await counted('2026-04')]).toEqual([0, 1]);
  });

  it('are refused to whom the creator blocks, and without signing in', async () => {
    await server.inject({ method: 'POST', url: `/api/block/${binod.id}`, headers: asha.headers });
    expect((await like(binod)).statusCode).toBe(403);
    const response = await server.inject({ method: 'POST', url: `/api/post/like/${postId}` });
    expect(response.statusCode).toBe(401);
    expect(await shown()).toBe(0);
  });
});
