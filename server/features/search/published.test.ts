import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { categories } from '#contract/categories.ts';
import { anotherFilm, sendReel } from '#testing/fixtures/reels.ts';
import { searchedReel } from '#testing/fixtures/searched.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { someOf } from '#testing/share.ts';

/* A reel and a photo that are published, found and hidden by calls alone. */

let server: TestServer;
let operator: Person;
beforeAll(async () => {
  server = await startTestServer();
  operator = await signUpSomebody(server, 'Olga Operator');
  await makeOperator(server, operator.id);
});
afterAll(() => server.close());

const send = (person: Person, url: string, payload: object = {}) =>
  call(server, { method: 'POST', url, headers: person.headers, payload });

interface Scene {
  creator: Person;
  reel: string;
  post: string;
  /** A word of theirs alone, and what others have, too. */
  word: string;
  tag: string;
  category: string;
}

async function publish(word: string, category: string): Promise<Scene> {
  const creator = await signUpSomebody(server);
  const tag = `tagged${word}`;
  const caption = `${word} #${tag}`;
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const photo = await sharp({ create: { width: 320, height: 400, channels: 3, background: '#000', noise } })
    .jpeg()
    .toBuffer();
  const { payload, headers } = await multipart(Buffer.from(photo), 'file', 'photo.jpg', 'image/jpeg');
  const sent = { method: 'POST' as const, url: '/api/s3Post/uploadPosts', payload };
  const { fileName } = await call(server, { ...sent, headers: { ...headers, ...creator.headers } });
  const { data } = await send(creator, '/api/post/add', { fileName, caption });
  const { id } = await sendReel(server, creator, await anotherFilm(), { caption, category: [category] });
  await expect
    .poll(async () => (await server.inject({ url: `/api/reel/getReel/${id}` })).statusCode)
    .toBe(200);
  // With two more people it is a trend.
  for (let n = 0; n < 2; n += 1) {
    const other = await signUpSomebody(server);
    await searchedReel(server.db, other.id, { words: `#${tag}`, categories: [category] });
  }
  return { creator, reel: id, post: data._id, word, tag, category };
}

/** Where the works and the person are shown, to a viewer or to everybody. */
async function places({ creator, reel, post, word, tag, category }: Scene, viewer?: Person) {
  const get = async (url: string) =>
    (await server.inject({ url, ...(viewer ? { headers: viewer.headers } : {}) })).json();
  const [found, misspelt, tags, name, page, trending, counts] = await Promise.all([
    get(`/api/search?q=${word}`),
    get(`/api/search?q=${word.slice(0, 4) + word.slice(5)}`),
    get(`/api/search?q=${tag}`),
    get(`/api/search?q=${creator.username}`),
    get(`/api/tag/${tag}`),
    get('/api/trending'),
    get('/api/count/getCategoryCounts'),
  ]);
  const ids = (list: { data: { _id: string }[] }) => list.data.map(({ _id }) => _id);
  const peopleOf = (list: { id?: string; label?: string; people: number }[], one: string) =>
    list.find(({ id, label }) => id === one || label === one)?.people ?? 0;
  return {
    results: [ids(found.reels).includes(reel), ids(found.posts).includes(post)],
    similar: [ids(misspelt.reels).includes(reel), ids(misspelt.posts).includes(post)],
    suggestion: misspelt.suggestion,
    counted: tags.tags.data.find((one: { label: string }) => one.label === tag)?.works,
    people: ids(name.people).includes(creator.id),
    tagPage: [ids(page.reels).includes(reel), ids(page.posts).includes(post), page.data.works],
    trending: [peopleOf(trending.tags, tag), peopleOf(trending.categories, category)],
    inCategory: counts.data.find(({ id }: { id: string }) => id === category).count,
  };
}

const shown = (word: string) => ({
  ...{ results: [true, true], similar: [true, true], suggestion: word, counted: 4 },
  ...{ people: true, tagPage: [true, true, 4], trending: [3, 3], inCategory: 1 },
});
const hidden = {
  ...{ results: [false, false], similar: [false, false], suggestion: null, counted: 2 },
  ...{ people: false, tagPage: [false, false, 2], trending: [0, 0] },
};

/** The calls that hide what somebody has published; the viewer for whom they do so, if not for everybody. */
const hidings: Record<string, (scene: Scene) => Promise<Person | undefined>> = {
  async 'its owner deletes it'({ creator, reel, post }) {
    for (const url of [`/api/reel/deleteReel/${reel}`, `/api/post/deletePost/${post}`])
      await call(server, { method: 'DELETE', url, headers: creator.headers });
    return undefined;
  },
  async 'an operator takes it down'({ reel, post }) {
    for (const target of [`reel:${reel}`, `post:${post}`])
      await send(operator, '/api/operator/reports/take-down', {
        target,
        what: 'content',
        rule: 'spam',
        reason: 'Not theirs',
      });
    return undefined;
  },
  async 'its owner is suspended'({ creator }) {
    await send(operator, `/api/operator/people/suspend/${creator.id}`, {
      rule: 'spam',
      days: 7,
      reason: 'Not them',
    });
    return undefined;
  },
  async 'its owner deletes the account'({ creator }) {
    const url = `/api/delete/${creator.id}`;
    await call(server, { method: 'DELETE', url, headers: creator.headers });
    return undefined;
  },
  async 'the viewer blocks its owner'({ creator }) {
    const viewer = await signUpSomebody(server);
    await send(viewer, `/api/block/${creator.id}`);
    return viewer;
  },
  async 'its owner blocks the viewer'({ creator }) {
    const viewer = await signUpSomebody(server);
    await send(creator, `/api/block/${viewer.id}`);
    return viewer;
  },
};

/** Words that are not alike, one for each scene. */
const words = ['brondiku', 'stalmefo', 'grupalint', 'vixtorba', 'knobelar', 'dramishu'];

describe('what is published by calls is found', () => {
  it.each(someOf(Object.keys(hidings), 3))('and nowhere from the next request on when %s', async (hiding) => {
    const place = Object.keys(hidings).indexOf(hiding);
    const scene = await publish(words[place] ?? '', categories[place]?.id ?? '');
    expect(await places(scene)).toEqual(shown(scene.word));
    const viewer = await hidings[hiding]?.(scene);
    const people = ['its owner deletes it', 'an operator takes it down'].includes(hiding);
    // The number of a category is the same for everybody: it includes reels of people whom the viewer does not see.
    const inCategory = viewer ? 1 : 0;
    expect(await places(scene, viewer)).toEqual({ ...hidden, people, inCategory });
  });
});
