import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Asked, blockRuleOf, blockRules, type Scene } from '#testing/access/blocks.ts';
import { openWorld, type World } from '#testing/access/fixtures.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

const nobody = '018f0000-0000-7000-8000-000000000000';
const relations = ['nobody blocks', 'the viewer blocks', 'the viewer is blocked'] as const;
type Relation = (typeof relations)[number];

let server: TestServer;
let world: World;
const scenes = {} as Record<Relation, Scene>;
beforeAll(async () => {
  server = await startTestServer();
  world = await openWorld(server);
  for (const relation of relations) scenes[relation] = await openScene(relation);
});
afterAll(() => server.close());

const post = (url: string, { headers }: Person, payload?: object) =>
  call(server, { method: 'POST', url, headers, ...(payload ? { payload } : {}) });

/** The other person acts on what the viewer and the third person have, before one of them blocks the other. */
async function openScene(relation: Relation): Promise<Scene> {
  const [viewer, other, third] = await Promise.all([
    signUpSomebody(server, 'Vani'),
    signUpSomebody(server, 'Omar'),
    signUpSomebody(server, 'Tara'),
  ]);
  const [reel, photo, story] = [await world.reel(other), await world.post(other), await world.story(other)];
  const [reelOfThird, postOfThird, ownReel] = [
    await world.reel(third),
    await world.post(third),
    await world.reel(viewer),
  ];
  const said = { text: 'Said by the other', sentAs: reelOfThird };
  const comment = (await post(`/api/reel/comment/${reelOfThird}`, other, said)).data._id;
  for (const id of [reelOfThird, ownReel]) await post(`/api/reel/like/${id}`, other);
  await post(`/api/post/like/${postOfThird}`, other);
  await post(`/api/reel/like/${reel}`, viewer);
  await post(`/api/post/like/${photo}`, viewer);
  await post(`/api/follow/${third.id}`, other);
  await post(`/api/follow/${other.id}`, third);
  await post(`/api/follow/${other.id}`, viewer);
  if (relation === 'the viewer blocks') await post(`/api/block/${other.id}`, viewer);
  if (relation === 'the viewer is blocked') await post(`/api/block/${viewer.id}`, other);
  return { viewer, other, third, reel, post: photo, story, comment, reelOfThird, postOfThird };
}

async function ask(relation: Relation, method: string, asked: Asked, scene = scenes[relation]) {
  const { headers } = scene.viewer;
  return await server.inject({ method: method as 'GET', headers, ...asked });
}
type Answer = Awaited<ReturnType<typeof ask>>;

/** Status, headers and body, without what differs between any two requests. */
function contentOf({ statusCode, headers, json }: Answer) {
  const { date: _date, 'x-request-id': _id, ...kept } = headers;
  // Each request and each report has its own number.
  const { requestId: _requestId, number: _number, ...body } = json();
  return { statusCode, headers: kept, body };
}

const tracesOf = ({ other, reel, post: photo, story, comment }: Scene) => [
  other.id,
  `"${other.username}"`,
  reel,
  photo,
  story,
  comment,
];
const showsOther = (scene: Scene, { body }: Answer) => tracesOf(scene).some((trace) => body.includes(trace));

it('every call of the contract says how it treats a block', () => {
  const named = endpoints.map(nameOf);
  expect(named.filter((name) => !blockRuleOf(name))).toEqual([]);
  expect(Object.keys(blockRules).filter((name) => !named.includes(name))).toEqual([]);
});

it('every call that shows other people reads who asks', () => {
  const open = endpoints.filter(
    (endpoint) => endpoint.access === 'anyone' && typeof blockRuleOf(nameOf(endpoint)) !== 'string',
  );
  expect(open.map(nameOf)).toEqual([]);
});

const decided = endpoints.flatMap((endpoint) => {
  const rule = blockRuleOf(nameOf(endpoint));
  return rule === undefined || typeof rule === 'string'
    ? []
    : [[nameOf(endpoint), endpoint.method, rule] as const];
});
describe.each(decided)('%s', (_name, method, rule) => {
  const blocked = relations.filter((relation) => relation !== 'nobody blocks');

  if ('hides' in rule) {
    it.each(relations)('leaves a person out exactly if one blocks the other: %s', async (relation) => {
      const scene = rule.fresh ? await openScene(relation) : scenes[relation];
      const answer = await ask(relation, method, rule.hides(scene), scene);
      expect(answer.statusCode, answer.body).toBe(200);
      const shows = rule.shows ? rule.shows(answer.json()) : showsOther(scene, answer);
      expect(shows, answer.body).toBe(relation === 'nobody blocks');
    });
    return;
  }
  if ('ignores' in rule) {
    it.each(blocked)('answers the same as without a block: %s', async (relation) => {
      const [plain, answer] = [
        await ask('nobody blocks', method, rule.ignores(scenes['nobody blocks'])),
        await ask(relation, method, rule.ignores(scenes[relation])),
      ];
      expect(answer.statusCode, answer.body).toBe(200);
      expect(contentOf(answer).body).toEqual(contentOf(plain).body);
    });
    return;
  }
  it.each(relations)('answers as to an unknown id exactly if one blocks the other: %s', async (relation) => {
    // A block by this call must not change the scene of the others.
    const scene = rule.knownToBlocker ? await openScene(relation) : scenes[relation];
    const thing = scene[rule.of];
    const id = typeof thing === 'string' ? thing : thing.id;
    const answer = await ask(relation, method, rule.isMissing(id), scene);
    const unknown = await ask(relation, method, rule.isMissing(nobody), scene);
    const isKnown = relation === 'nobody blocks' || (relation === 'the viewer blocks' && rule.knownToBlocker);
    if (isKnown) expect(contentOf(answer)).not.toEqual(contentOf(unknown));
    else expect(contentOf(answer)).toEqual(contentOf(unknown));
  });
});

describe.each(relations.filter((relation) => relation !== 'nobody blocks'))('where %s', (relation) => {
  it('nothing embedded in what a third person published shows the other one, and counts are exact', async () => {
    const { third, reelOfThird, postOfThird } = scenes[relation];
    const [reel, photo, person, followers] = await Promise.all(
      [
        `/api/reel/getReel/${reelOfThird}`,
        `/api/post/getPost/${postOfThird}`,
        `/api/getuser/${third.id}`,
        `/api/followers/${third.id}`,
      ].map((url) => ask(relation, 'GET', { url })),
    );
    for (const answer of [reel, photo, person, followers]) {
      expect(answer?.statusCode).toBe(200);
      expect(answer && showsOther(scenes[relation], answer)).toBe(false);
    }
    expect(reel?.json().data).toMatchObject({ likeCount: 1, likes: [], commentCount: 1, comments: [] });
    expect(photo?.json().data).toMatchObject({ likeCount: 1, likes: [] });
    expect(person?.json().data).toMatchObject({
      followerCount: 1,
      followers: [],
      followingCount: 1,
      following: [],
    });
  });

  it('captions for a reel of the other one are refused as for an unknown reel', async () => {
    const { viewer, reel } = scenes[relation];
    const send = async (id: string) => {
      const { payload, headers } = await multipart(
        new Uint8Array(Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nHello')),
      );
      return await server.inject({
        method: 'POST',
        url: `/api/reel/captions/${id}/en`,
        payload,
        headers: { ...headers, ...viewer.headers },
      });
    };
    expect(contentOf(await send(reel))).toEqual(contentOf(await send(nobody)));
  });

  it('visitors see both, and the answer to them is the one that caches keep', async () => {
    // A new one, which is on the first page.
    const { other, reel, viewer } = await openScene(relation);
    const visitor = await server.inject({ url: '/api/reel/getallReels?limit=100' });
    expect(visitor.body).toContain(reel);
    expect(visitor.headers).toMatchObject({
      'cache-control': expect.stringMatching(/^public, /),
      vary: expect.stringContaining('authorization'),
    });
    const own = await server.inject({ url: '/api/reel/getallReels?limit=100', headers: viewer.headers });
    expect([own.body.includes(reel), own.headers['cache-control']]).toEqual([false, 'no-store']);
    // The other order: the answer to the person with a block is not given to visitors.
    const again = await server.inject({ url: '/api/reel/getallReels?limit=100' });
    expect(again.body).toContain(reel);
    expect((await server.inject({ url: `/api/getuser/${other.id}` })).statusCode).toBe(200);
  });
});

it('headers do not show whether somebody has blocked the caller', async () => {
  const headersFor = async (relation: Relation) =>
    contentOf(await ask(relation, 'GET', { url: '/api/reel/getallReels?limit=1' })).headers;
  const plain = await headersFor('nobody blocks');
  const { 'content-length': _length, ...same } = await headersFor('the viewer is blocked');
  expect(plain).toMatchObject(same);
  expect(
    Object.keys(plain)
      .filter((name) => name !== 'content-length')
      .sort(),
  ).toEqual(Object.keys(same).sort());
});
