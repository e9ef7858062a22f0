import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { likePost } from './likes.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
const ids: string[] = [];
beforeAll(async () => {
  server = await startTestServer();
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
  const start = Date.now();
  for (const [place, person] of [asha, binod, asha].entries()) {
    const at = new Date(start + place * 1000);
    const hue = ['#7664e8', '#f9ab10', '#e5447f'][place] ?? '';
    ids.push(await publishPicture(server.db, server.dataDir, person.id, `Photo ${place}`, at, hue));
  }
});
afterAll(() => server.close());

const list = (path: string, query: Record<string, string> = {}) =>
  call(server, { url: `/api/post/${path}`, query });
const captions = (answer: { data: { caption: string }[] }) => answer.data.map(({ caption }) => caption);

describe('posts for everybody (specification §3, §7)', () => {
  it('are listed newest first, with everything that a screen shows', async () => {
    const answer = await list('getallPostsall');
    expect(captions(answer)).toEqual(['Photo 2', 'Photo 1', 'Photo 0']);
    const [newest] = answer.data;
    expect(newest).toMatchObject({
      _id: ids[2],
      userId: asha.id,
      username: asha.username,
      description: 'Photo 2, told at length.',
      width: 640,
      height: 800,
      likes: [],
      likeCount: 0,
    });
    expect(newest.renditions.map(({ width }: { width: number }) => width)).toEqual([360, 640]);
    for (const url of [newest.imageurl, ...newest.renditions.map((one: { url: string }) => one.url)])
      expect((await server.inject({ url })).statusCode).toBe(200);
  });

  it('are listed in pages that do not shift while posts are added', async () => {
    const first = await list('getallPostsall', { limit: '2' });
    expect(captions(await list('getallPostsall', { limit: '2', cursor: first.nextCursor }))).toEqual([
      'Photo 0',
    ]);
  });

  it('of one person are listed alone', async () => {
    expect(captions(await list(`getFrienddata/${asha.id}`))).toEqual(['Photo 2', 'Photo 0']);
  });

  it('list the people who like them, newest first', async () => {
    await likePost(server.context, ids[1] ?? '', asha.id);
    const answer = await list(`getFrienddata/${binod.id}`);
    expect(answer.data[0]).toMatchObject({ likes: [asha.id], likeCount: 1 });
  });

  it('have their neighbours among the public posts of the same person, in the order of the list', async () => {
    const creator = await signUpSomebody(server);
    const at = new Date();
    const own: string[] = [];
    // Two at the same moment: then the order is that of their ids.
    for (const [place, hue] of ['#101010', '#202020', '#303030', '#404040'].entries()) {
      const published = new Date(at.getTime() + Math.floor(place / 2) * 1000);
      own.push(await publishPicture(server.db, server.dataDir, creator.id, `Own ${place}`, published, hue));
    }
    const order = (await list(`getFrienddata/${creator.id}`)).data.map(({ _id }: { _id: string }) => _id);
    expect(order.toSorted()).toEqual(own.toSorted());
    const [first, second, third, last] = order;
    const around = async (id: string, headers = {}) => {
      const { newer, older } = await call(server, { url: `/api/post/getPost/${id}`, headers });
      return [newer, older];
    };
    expect(await around(first)).toEqual([null, second]);
    expect(await around(second)).toEqual([first, third]);
    expect(await around(last)).toEqual([third, null]);

    await call(server, { method: 'DELETE', url: `/api/post/deletePost/${second}`, headers: creator.headers });
    const taken = {
      taken_down_at: new Date(),
      taken_down_as: 'copy' as const,
      taken_down_reason: 'Not theirs',
    };
    await changeWorks(server.db, (trx) =>
      trx.updateTable('posts').set(taken).where('id', '=', third).execute(),
    );
    expect(await around(first)).toEqual([null, last]);
    // Its owner sees it, beside what others see.
    expect(await around(third, creator.headers)).toEqual([first, last]);
    expect(await around(last, creator.headers)).toEqual([first, null]);
  });

  it('of a suspended person are not listed', async () => {
    const gone = await signUpSomebody(server);
    await publishPicture(server.db, server.dataDir, gone.id, 'Gone', new Date(), '#111111');
    const suspended_at = new Date();
    await server.db.updateTable('people').set({ suspended_at }).where('id', '=', gone.id).execute();
    expect(captions(await list('getallPostsall'))).not.toContain('Gone');
  });
});
