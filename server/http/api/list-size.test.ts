import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crowd, fillWithPopularity } from '#testing/fixtures/popular-creator.ts';
import { call, startTestServer, type TestServer } from '#testing/servers/test-server.ts';

/** The largest lists of the API: their size, and that nothing of them is lost (decisions §2). */

let server: TestServer;
let popular: string;
beforeAll(async () => {
  server = await startTestServer();
  popular = await fillWithPopularity(server.db);
});
afterAll(() => server.close());

interface Entity {
  _id: string;
  [field: string]: unknown;
}

/** All pages of a list, as large as possible; `bytes` of each response. */
async function pagesOf(path: string) {
  const pages: { data: Entity[]; bytes: number }[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { limit: '100', ...(cursor ? { cursor } : {}) };
    const response = await server.inject({ url: path, query });
    expect(response.statusCode, response.body).toBe(200);
    const { data, nextCursor } = response.json();
    pages.push({ data, bytes: response.rawPayload.length });
    cursor = nextCursor;
  } while (cursor && pages.length <= crowd);
  return pages;
}

const lists = () =>
  [
    ['/api/reel/getallReels', crowd],
    [`/api/reel/getFrienddata/${popular}`, crowd],
    ['/api/post/getallPostsall', crowd],
    [`/api/post/getFrienddata/${popular}`, crowd],
    ['/api/getallUser', crowd],
    ['/api/getallUser?q=popular', crowd],
    [`/api/followers/${popular}`, crowd - 1],
    [`/api/following/${popular}`, crowd - 1],
  ] as const;

describe('a list of the largest entities', () => {
  it('is sent in pages of at most 400 KB which contain each entity once', async () => {
    for (const [path, size] of lists()) {
      const pages = await pagesOf(path);
      for (const { bytes } of pages) expect(bytes, path).toBeLessThanOrEqual(400_000);
      const ids = pages.flatMap(({ data }) => data.map(({ _id }) => _id));
      expect(ids.length, path).toBe(size);
      expect(new Set(ids).size, path).toBe(size);
    }
  });

  it('ends a page early only if the next entity would not fit', async () => {
    const [first] = await pagesOf('/api/reel/getallReels');
    if (!first) throw new Error('there is no first page');
    expect(first.data.length).toBeLessThan(crowd);
    expect(first.bytes + first.bytes / first.data.length).toBeGreaterThan(390_000);
  });

  it('has the comments of a reel in pages of at most 400 KB', async () => {
    const [reel] = (await call(server, { url: '/api/reel/getallReels?limit=1' })).data;
    const pages = await pagesOf(`/api/reel/comments/${reel._id}`);
    for (const { bytes } of pages) expect(bytes).toBeLessThanOrEqual(400_000);
    expect(pages.flatMap(({ data }) => data)).toHaveLength(crowd);
  });
});

describe('inside an entity', () => {
  const one = async (url: string) => (await call(server, { url })).data;

  it('of a list are the newest 3 comments and 20 people, with their exact counts', async () => {
    const [reel] = await one('/api/reel/getallReels?limit=1');
    expect(reel).toMatchObject({ likeCount: crowd, commentCount: crowd });
    expect(reel.likes).toHaveLength(20);
    expect(reel.comments.map(({ username }: Entity) => username)).toEqual([
      'popular100',
      'popular99',
      'popular98',
    ]);
    const [post] = await one(`/api/post/getFrienddata/${popular}?limit=1`);
    expect(post.likeCount).toBe(crowd);
    expect(post.likes).toHaveLength(20);
    const [person] = await one('/api/getallUser?limit=1');
    expect(person).toMatchObject({ followerCount: crowd - 1, followingCount: crowd - 1 });
    expect([person.followers.length, person.following.length]).toEqual([20, 20]);
  });

  it('that is requested alone are the newest 100 of each', async () => {
    const [listed] = await one('/api/reel/getallReels?limit=1');
    const reel = await one(`/api/reel/getReel/${listed._id}`);
    expect([reel.comments.length, reel.likes.length]).toEqual([crowd, crowd]);
    const [post] = await one('/api/post/getallPostsall?limit=1');
    expect((await one(`/api/post/getPost/${post._id}`)).likes).toHaveLength(crowd);
    const person = await one(`/api/getuser/${popular}`);
    expect([person.followers.length, person.following.length]).toEqual([crowd - 1, crowd - 1]);
  });

  it('people who came at the same time have a fixed order, the same alone as in a list', async () => {
    const [listed] = await one('/api/reel/getallReels?limit=1');
    const alone = await one(`/api/reel/getReel/${listed._id}`);
    expect(listed.likes).toEqual(alone.likes.slice(0, 20));
    expect(listed.likes).toEqual([...listed.likes].sort().reverse());
  });
});
