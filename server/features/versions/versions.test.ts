import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { photoIn } from '#testing/fixtures/posts.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { deleteOldVersions } from './versions.ts';

const day = 24 * 3_600_000;
const published = new Date('2026-03-10T08:00:00Z');
let server: TestServer;
let asha: Person;
let operator: Person;
let hues = 0x203040;

beforeAll(async () => {
  server = await startTestServer();
  operator = await signUpSomebody(server, 'Ravi');
  await makeOperator(server, operator.id);
});
afterAll(() => server.close());
// Each test has its own person, because edits are counted by person.
beforeEach(async () => {
  server.now.value = published;
  asha = await signUpSomebody(server);
});

type Kind = 'reel' | 'post';
const kinds: Kind[] = ['reel', 'post'];

/** A new work of this person, with other content each time, a quarter of an hour ago. */
async function publish(kind: Kind, person = asha): Promise<string> {
  if (kind === 'reel') {
    const id = await publishedReel(server.db, person.id, server.now.value, 'Asia/Kolkata');
    await server.db.updateTable('reels').set({ caption: 'First words' }).where('id', '=', id).execute();
    return id;
  }
  hues += 0x010101;
  const hue = `#${hues.toString(16)}`;
  const fileName = await photoIn(server.db, server.dataDir, person.id, hue, server.now.value);
  const form = { fileName, caption: 'First words', description: 'At length' };
  return (await publishPost(server.context, person.id, form)).id;
}

const edit = (kind: Kind, id: string, payload: object, { headers }: Person = asha) =>
  server.inject({ method: 'POST', url: `/api/${kind}/edit/${id}`, headers, payload });
const read = async (kind: Kind, id: string, headers = {}) => {
  const path = kind === 'reel' ? 'getReel' : 'getPost';
  return (await call(server, { url: `/api/${kind}/${path}/${id}`, headers })).data;
};
const operate = (path: string, payload?: object) =>
  call(server, {
    ...(payload ? { method: 'POST' as const, payload } : {}),
    url: `/api/operator/reports${path}`,
    headers: operator.headers,
  });
const versions = async (id: string) => (await operate(`/versions/${id}`)).data;
const report = (kind: Kind, id: string) =>
  call(server, { method: 'POST', url: '/api/report', payload: { kind, id, reason: 'spam' } });
const hoursLater = (hours: number) => {
  server.now.value = new Date(published.getTime() + hours * 3_600_000);
};
const month = (creatorId: string) =>
  server.db
    .selectFrom('creator_months')
    .selectAll()
    .where('creator_id', '=', creatorId)
    .orderBy('month')
    .execute();

describe.each(kinds)('editing a %s (decisions §3)', (kind) => {
  it('changes its words for everybody and is marked; coins, date and place stay', async () => {
    const id = await publish(kind);
    const newer = await publish(kind);
    const earned = await month(asha.id);
    const before = await read(kind, id);
    expect(before.editedAt).toBeUndefined();
    hoursLater(2);
    const answer = await edit(kind, id, { caption: 'Better words' });
    expect(answer.statusCode).toBe(200);
    expect(answer.json().data).toEqual({
      ...before,
      caption: 'Better words',
      editedAt: '2026-03-10T10:00:00.000Z',
    });
    expect(await read(kind, id)).toEqual(answer.json().data);
    const list = kind === 'reel' ? '/api/reel/getallReels' : '/api/post/getallPostsall';
    const listed: { _id: string; caption: string }[] = (await call(server, { url: `${list}?limit=2` })).data;
    expect(new Set(listed.map(({ _id }) => _id))).toEqual(new Set([id, newer]));
    expect(listed.find(({ _id }) => _id === id)?.caption).toBe('Better words');
    expect(await month(asha.id)).toEqual(earned);
  });

  it('reaches lists that were cached', async () => {
    const id = await publish(kind);
    const list = kind === 'reel' ? '/api/reel/getallReels' : '/api/post/getallPostsall';
    const captionOf = async () =>
      (await call(server, { url: list })).data.find(({ _id }: { _id: string }) => _id === id)?.caption;
    await expect.poll(captionOf).toBe('First words');
    await edit(kind, id, { caption: 'Better words' });
    expect(await captionOf()).toBe('Better words');
  });

  it('sent twice is one edit, and what is like this already is none', async () => {
    const id = await publish(kind);
    hoursLater(1);
    const first = (await edit(kind, id, { caption: 'Better words' })).json();
    hoursLater(2);
    expect((await edit(kind, id, { caption: 'Better words' })).json()).toEqual(first);
    expect((await edit(kind, id, {})).json()).toEqual(first);
    expect(await versions(id)).toHaveLength(1);
  });

  it('leaves the earlier versions for operators, newest first', async () => {
    const id = await publish(kind);
    hoursLater(1);
    await edit(kind, id, { caption: 'Second words' });
    hoursLater(2);
    await edit(kind, id, { caption: '' });
    expect(await versions(id)).toMatchObject([
      { kind, caption: 'Second words', replacedAt: '2026-03-10T10:00:00.000Z' },
      { kind, caption: 'First words', replacedAt: '2026-03-10T09:00:00.000Z' },
    ]);
    const first = await operate(`/versions/${id}?limit=1`);
    const { data } = await operate(`/versions/${id}?limit=1&cursor=${first.nextCursor}`);
    expect(data).toMatchObject([{ caption: 'First words' }]);
    await report(kind, id);
    const reports: { targetId: string; edits: number }[] = (await operate('')).data;
    expect(reports.find(({ targetId }) => targetId === id)?.edits).toBe(2);
  });

  it('is refused with a sentence while a report about it is undecided', async () => {
    const id = await publish(kind);
    await report(kind, id);
    const refused = await edit(kind, id, { caption: 'Better words' });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'reported']);
    expect(refused.json().error).toBe(
      'We are looking at a report about this. You can edit it once that is decided.',
    );
    expect((await read(kind, id)).caption).toBe('First words');
    expect(await versions(id)).toEqual([]);
    const reports: { _id: string; targetId: string }[] = (await operate('')).data;
    await operate(`/close/${reports.find(({ targetId }) => targetId === id)?._id}`, { reason: 'Harmless' });
    expect((await edit(kind, id, { caption: 'Better words' })).statusCode).toBe(200);
  });

  it('is refused to others, and after a take-down', async () => {
    const id = await publish(kind);
    const binod = await signUpSomebody(server, 'Binod');
    const foreign = await edit(kind, id, { caption: 'Mine' }, binod);
    expect([foreign.statusCode, foreign.json().code]).toEqual([403, 'not_yours']);
    await operate('/take-down', {
      target: `${kind}:${id}`,
      what: 'copy',
      rule: 'spam',
      reason: 'Not theirs',
    });
    const hidden = await edit(kind, id, { caption: 'Better words' });
    expect([hidden.statusCode, hidden.json().error]).toEqual([
      403,
      'You can edit this only while it is public.',
    ]);
    expect((await read(kind, id, asha.headers)).caption).toBe('First words');
  });

  it('ends with the work, whose earlier versions operators can still read', async () => {
    const id = await publish(kind);
    await edit(kind, id, { caption: 'Better words' });
    const path = kind === 'reel' ? 'deleteReel' : 'deletePost';
    await call(server, { method: 'DELETE', url: `/api/${kind}/${path}/${id}`, headers: asha.headers });
    expect(await versions(id)).toMatchObject([{ caption: 'First words' }]);
    expect((await edit(kind, id, { caption: 'Again' })).statusCode).toBe(404);
    expect((await edit(kind, '018f0000-0000-7000-8000-000000000000', {})).statusCode).toBe(404);
  });

  it.each([
    ['too long', 'x'.repeat(2201)],
    ['no text', 7],
    ['with a character that cannot be stored', 'a\u0000b'],
  ])('a caption %s is refused', async (_, caption) => {
    const id = await publish(kind);
    expect((await edit(kind, id, { caption })).statusCode).toBe(400);
    expect((await read(kind, id)).caption).toBe('First words');
  });

  it('is kept in one version for each edit when many arrive at once', async () => {
    const id = await publish(kind);
    const words = Array.from({ length: 5 }, (_, place) => `Words ${place}`);
    const answers = await Promise.all(words.map((caption) => edit(kind, id, { caption })));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(5).fill(200));
    const said = (await versions(id)).map(({ caption }: { caption: string }) => caption);
    expect([...said, (await read(kind, id)).caption].sort()).toEqual(['First words', ...words]);
  });
});

it('20 edits a day are possible, of reels and posts together', async () => {
  const [reel, post] = [await publish('reel'), await publish('post')];
  for (let place = 0; place < 20; place += 1) {
    const [kind, id] = place % 2 === 0 ? (['reel', reel] as const) : (['post', post] as const);
    expect((await edit(kind, id, { caption: `Words ${place}` })).statusCode).toBe(200);
  }
  const refused = await edit('post', post, { caption: 'Once more' });
  expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
  expect((await read('post', post)).caption).toBe('Words 19');
});

it('the description of a post changes alone, and so do credit and categories of a reel', async () => {
  const [reel, post] = [await publish('reel'), await publish('post')];
  await edit('post', post, { description: 'Told again' });
  expect(await read('post', post)).toMatchObject({ caption: 'First words', description: 'Told again' });
  await edit('reel', reel, { creadit: 'Meena', category: ['dance', 'dance', 'food'] });
  const { caption, creadit, category } = await read('reel', reel);
  expect([caption, creadit, category.map(({ id }: { id: string }) => id)]).toEqual([
    'First words',
    'Meena',
    ['dance', 'food'],
  ]);
  expect(await versions(post)).toMatchObject([{ caption: 'First words', description: 'At length' }]);
});

describe('the categories of a reel', () => {
  const counts = async () => {
    const { data } = await call(server, { url: '/api/count/getCategoryCounts' });
    const all: { id: string; count: number }[] = data;
    return ['dance', 'food', 'music'].map((id) => all.find((one) => one.id === id)?.count ?? 0);
  };

  it('are counted anew', async () => {
    const id = await publish('reel');
    await edit('reel', id, { category: ['dance', 'food'] });
    const [dance = 0, food = 0, music = 0] = await counts();
    await edit('reel', id, { category: ['food', 'music'] });
    expect(await counts()).toEqual([dance - 1, food, music + 1]);
    expect((await versions(id))[0].category).toEqual(['dance', 'food']);
    await edit('reel', id, { category: [] });
    expect(await counts()).toEqual([dance - 1, food - 1, music]);
    const { data } = await call(server, { url: '/api/operator/categories', headers: operator.headers });
    for (const { count, reels } of data) expect(count).toBe(reels);
  });

  it('are at most three, and known ones', async () => {
    const id = await publish('reel');
    const unknown = await edit('reel', id, { category: ['nonsense'] });
    expect([unknown.statusCode, unknown.json().code]).toEqual([400, 'unknown_category']);
    const many = await edit('reel', id, { category: ['dance', 'food', 'music', 'art'] });
    expect(many.json().error).toBe('Choose at most 3 categories.');
    expect((await read('reel', id)).category).toEqual([]);
  });
});

it('a reel that is not public yet cannot be edited', async () => {
  const id = await publish('reel');
  await changeWorks(server.db, (trx) =>
    trx.updateTable('reels').set({ state: 'processing' }).where('id', '=', id).execute(),
  );
  expect((await edit('reel', id, { caption: 'Better words' })).json().code).toBe('not_allowed');
});

describe('the earlier versions', () => {
  it('are deleted after 180 days', async () => {
    const id = await publish('reel');
    await edit('reel', id, { caption: 'Better words' });
    for (const [days, left] of [
      [179, 1],
      [181, 0],
    ] as const) {
      await deleteOldVersions({ db: server.db, clock: () => new Date(published.getTime() + days * day) });
      expect(await versions(id), `${days}`).toHaveLength(left);
    }
  });

  it('are deleted with the account', async () => {
    const id = await publish('post');
    await edit('post', id, { caption: 'Better words' });
    await call(server, { method: 'DELETE', url: `/api/delete/${asha.id}`, headers: asha.headers });
    expect(await versions(id)).toEqual([]);
  });
});
