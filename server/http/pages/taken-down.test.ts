import { afterAll, beforeAll, expect, it } from 'vitest';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { signUpOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { loadSite } from './page-renderer.ts';

let server: TestServer;
let asha: Person;
let seer: Person;
let photo: string;
beforeAll(async () => {
  server = await startTestServer({ ORIGIN: 'https://jhalak.example' }, { site: await loadSite() });
  [asha, seer] = await Promise.all([signUpSomebody(server, 'Asha'), signUpOperator(server, 'Seer')]);
  photo = await publishPicture(server.db, server.dataDir, asha.id, 'Of the sea', new Date());
});
afterAll(() => server.close());

it('what shows a child leaves every served place at once, when it is decided', async () => {
  const { db } = server;
  const caption = 'Zebrafinch';
  const reel = await publishedReel(db, asha.id, new Date(), 'Asia/Kolkata');
  const edit = { method: 'POST', url: `/api/reel/edit/${reel}`, payload: { caption } } as const;
  expect((await server.inject({ ...edit, headers: asha.headers })).statusCode).toBe(200);
  const page = encodeURIComponent(`https://jhalak.example/videoplayer?reel=${reel}`);
  const keyOf = async (table: 'posts' | 'reels', id: string) =>
    (await db.selectFrom(table).select('media_key').where('id', '=', id).executeTakeFirstOrThrow()).media_key;
  const photoKey = await keyOf('posts', photo);
  const fetched = (url: string) => server.inject({ url, headers: { accept: 'text/html, */*' } });
  const holds = async (url: string) => (await fetched(url)).body;
  const lists = [
    ...['/api/reel/getallReels', `/api/reel/getFrienddata/${asha.id}`, `/api/search?q=${caption}`],
    ...['/api/post/getallPostsall', `/api/post/getFrienddata/${asha.id}`],
    ...['/', `/user/${asha.id}`, '/ShowPosts'],
  ];
  const places = [
    ...[`/api/reel/getReel/${reel}`, `/api/oembed?url=${page}`, `/embed/${reel}`],
    ...[`/videoplayer?reel=${reel}`, `/post/${photo}`, `/api/post/getPost/${photo}`],
    `/media/${photoKey}/photo.jpg`,
  ];
  const named = async () => {
    const bodies = await Promise.all([...lists, ...places].map(holds));
    return [...lists, ...places].filter(
      (_, place) => bodies[place]?.includes(reel) || bodies[place]?.includes(photoKey),
    );
  };
  // Read twice, so that caches have them.
  await named();
  expect((await named()).length).toBeGreaterThan(6);
  expect(await Promise.all(places.map(async (url) => (await fetched(url)).statusCode))).toEqual(
    places.map(() => 200),
  );
  for (const target of [`reel:${reel}`, `post:${photo}`])
    await call(server, {
      ...{ method: 'POST', url: '/api/operator/reports/take-down', headers: seer.headers },
      payload: { target, rule: 'child_safety', what: 'content', reason: 'It shows a child.' },
    });
  const answers = async () => await Promise.all(places.map(async (url) => (await fetched(url)).statusCode));
  await expect.poll(answers).toEqual(places.map(() => 404));
  const left = await Promise.all(lists.map(holds));
  expect(lists.filter((_, place) => left[place]?.includes(reel) || left[place]?.includes(photoKey))).toEqual(
    [],
  );
});
