import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls } from '#testing/access/calls.ts';
import { openWorld, type World } from '#testing/access/fixtures.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { dumpOf } from '#testing/models/database-dump.ts';
import { call, startTestServer, type TestServer } from '#testing/servers/test-server.ts';

let server: TestServer;
let world: World;
beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
  world = await openWorld(server);
});
afterAll(() => server.close());

const mark = 'forged-mark';
const number = 987_654_321;
/** Fields that no client may set, under every name that a table or a response uses. */
const forged = {
  _id: '018f0000-0000-7000-8000-0000000f0e9d',
  creator_id: '018f0000-0000-7000-8000-0000000f0e9d',
  creatorId: '018f0000-0000-7000-8000-0000000f0e9d',
  person_id: '018f0000-0000-7000-8000-0000000f0e9d',
  userName: mark,
  role: 'operator',
  isAdmin: true,
  state: 'ready',
  views: number,
  likes: [mark],
  likeCount: number,
  like_count: number,
  comments: [{ text: mark }],
  commentCount: number,
  shareviews: number,
  followers: [mark],
  followerCount: number,
  coins: number,
  totalCoins: number,
  breakdown: { views: number, reels: number },
  paise: number,
  duplicate: false,
  createdAt: '1999-09-09T09:09:09.000Z',
  published_at: '1999-09-09T09:09:09.000Z',
  suspended_at: '1999-09-09T09:09:09.000Z',
  finish: 0,
  type: 'image',
  imageurl: `https://evil.example/${mark}.jpg`,
  videourl: `https://evil.example/${mark}.mp4`,
  fileUrl: `file:///etc/${mark}`,
  userProfilePic: `https://evil.example/${mark}.jpg`,
  profilePic: `https://evil.example/${mark}.jpg`,
  picture_key: mark,
  media_key: mark,
  password_hash: mark,
  constructor: { prototype: { polluted: mark } },
};

const everything = () => dumpOf(server.db, { schemas: ['public', 'pgboss'] });
const operators = async () =>
  (await server.db.selectFrom('people').select('id').where('role', '=', 'operator').execute()).length;

const withBody = endpoints
  .filter((endpoint) => endpoint.body)
  .map((endpoint) => [nameOf(endpoint), endpoint] as const);

describe.each(withBody)('%s stores nothing that a client forges', (name, endpoint) => {
  const send = async (more: object | string) => {
    const asked = await calls[name]?.ask(world, 'owner');
    if (!asked) throw new Error(`${name} has no request`);
    // A body may be optional.
    const body = (asked.payload ?? {}) as object;
    const payload =
      typeof more === 'string'
        ? `{${more},${JSON.stringify(body).slice(1)}`.replace(',}', '}')
        : { ...body, ...without(more, body) };
    return await server.inject({
      method: endpoint.method,
      url: asked.url,
      headers: { 'content-type': 'application/json', ...world.owner.headers, ...asked.headers },
      payload,
    });
  };

  it('in addition to the expected fields, or as a prototype', async () => {
    const before = await operators();
    for (const more of [forged, `"__proto__":{"polluted":"${mark}","role":"operator"}`]) {
      expect((await send(more)).statusCode).toBeLessThan(500);
      expect(({} as { polluted?: string }).polluted).toBeUndefined();
    }
    const stored = await everything();
    for (const trace of [mark, String(number), '1999-09-09', '0000000f0e9d'])
      expect(stored).not.toContain(trace);
    expect(await operators()).toBe(before);
  });

  it('in the name of another person', async () => {
    const { id, username } = world.other;
    const before = await theirs(id);
    const response = await send({ userId: id, userName: username, senderId: id });
    expect(response.statusCode).toBeLessThan(500);
    expect(await theirs(id)).toBe(before);
  });

  it("as another person in fields for the caller's id", async () => {
    const asked = await calls[name]?.ask(world, 'owner');
    if (!asked?.payload || !('userId' in asked.payload)) return;
    const before = await dumpOf(server.db);
    const response = await server.inject({
      method: endpoint.method,
      url: asked.url,
      headers: world.owner.headers,
      payload: { ...asked.payload, userId: world.other.id },
    });
    expect(response.statusCode).toBe(endpoint.access === 'operator' ? 404 : 403);
    expect(await dumpOf(server.db)).toBe(before);
  });
});

/** The forged fields that are not part of the valid request. */
function without(more: object, own: object): object {
  return Object.fromEntries(Object.entries(more).filter(([field]) => !(field in own)));
}

/** Every row of every table that names a person, except the last use of their session. */
const theirs = (id: string) => dumpOf(server.db, { rows: sql`to_jsonb(t)::text like ${`%${id}%`}` });

describe('other people’s files', () => {
  const post = (url: string, payload: object) =>
    server.inject({ method: 'POST', url, headers: world.owner.headers, payload });

  it('cannot be published by others', async () => {
    const [video, photo] = [
      await world.upload('video', world.other),
      await world.upload('photo', world.other),
    ];
    for (const [url, payload] of [
      ['/api/reel/add', { videoKey: video }],
      ['/api/post/add', { fileName: photo }],
      ['/api/story/add', { fileName: photo }],
    ] as const) {
      const refused = await post(url, payload);
      expect([url, refused.statusCode, refused.json().code]).toEqual([url, 409, 'upload_unknown']);
    }
    const own = await world.upload('video', world.owner);
    for (const thumbnillurl of [
      `/media/${photo}/thumbnail.webp`,
      'https://evil.example/media/x/thumbnail.webp',
      'file:///etc/passwd',
      '../../../etc/passwd',
    ]) {
      const refused = await post('/api/reel/add', { videoKey: own, thumbnillurl });
      expect([thumbnillurl, refused.statusCode]).toEqual([thumbnillurl, 409]);
    }
    expect((await call(server, { url: `/api/reel/getFrienddata/${world.other.id}` })).data).toEqual([]);
  });
});
