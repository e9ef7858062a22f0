import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tasteLimits } from '#contract/taste.ts';
import { crowd, fillWithPopularity } from '#testing/fixtures/popular-creator.ts';
import { idsOf, reel, reels } from '#testing/fixtures/taste.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { deleteOldTaste } from './taste.ts';

let server: TestServer;
let creator: Person;
let works: string[];
const day = 24 * 60 * 60 * 1000;
const start = new Date('2026-11-20T09:00:00Z');
beforeAll(async () => {
  server = await startTestServer();
  server.now.value = start;
  creator = await signUpSomebody(server, 'Chitra');
  works = await reels(
    server.db,
    ['cricket', 'cricket', 'food', 'dance'].map((category) => ({
      ...{ creator_id: creator.id, at: start, caption: `About ${category}`, categories: [category] },
    })),
  );
});
afterAll(() => server.close());

const work = (place: number) => works[place] ?? '';
const ask = (method: 'GET' | 'PUT' | 'POST' | 'DELETE', url: string, who?: Person, payload?: object) =>
  call(server, { method, url, ...(who ? { headers: who.headers } : {}), ...(payload ? { payload } : {}) });
const switchOn = (who: Person) => ask('PUT', '/api/taste', who, { on: true, adult: true });
const watch = (who: Person, ...places: number[]) =>
  ask('POST', '/api/taste/watched', who, {
    watched: places.map((place) => ({ _id: work(place), toEnd: true })),
  });
const tasteOf = (who: Person) => ask('GET', '/api/taste', who);
const rowsOf = async ({ id }: Person) => {
  const [people, watches] = [
    await server.db.selectFrom('taste_people').selectAll().where('person_id', '=', id).execute(),
    await server.db.selectFrom('taste_watches').selectAll().where('person_id', '=', id).execute(),
  ];
  return { people: people.length, watches: watches.length };
};
const nothing = { people: 0, watches: 0 };

async function deleteReels(ids: readonly string[]): Promise<void> {
  for (const table of ['reels', 'works'] as const)
    await server.db.deleteFrom(table).where('id', 'in', ids).execute();
}

describe('without consent', () => {
  it('nothing is stored, however much somebody watches and asks', async () => {
    const vani = await signUpSomebody(server);
    expect(await watch(vani, 0, 1)).toMatchObject({ kept: false });
    await ask('POST', '/api/feed/forYou', vani, { visit: [{ _id: work(0), toEnd: true }] });
    expect(await rowsOf(vani)).toEqual(nothing);
    expect(await tasteOf(vani)).toMatchObject({ since: null, categories: [], watched: [], count: 0 });
  });

  it('and without the word that one is 18 or older it cannot be switched on', async () => {
    const vani = await signUpSomebody(server);
    for (const payload of [{ on: true }, { on: true, adult: false }]) {
      const answer = await server.inject({
        method: 'PUT',
        url: '/api/taste',
        headers: vani.headers,
        payload,
      });
      expect([answer.statusCode, answer.json()]).toMatchObject([
        400,
        { error: 'Please confirm that you are 18 or older.', params: { what: 'adult' } },
      ]);
    }
    expect(await rowsOf(vani)).toEqual(nothing);
  });
});

describe('a taste that is switched on', () => {
  it('is what was watched since, by category, with the newest first', async () => {
    const vani = await signUpSomebody(server);
    await switchOn(vani);
    await watch(vani, 0);
    server.now.value = new Date(start.getTime() + 60_000);
    await watch(vani, 2, 1);
    await switchOn(vani);
    const taste = await tasteOf(vani);
    expect(taste).toMatchObject({ since: start.toISOString(), count: 3 });
    expect(idsOf(taste.watched)).toEqual([work(2), work(1), work(0)]);
    expect(taste.watched[0]).toMatchObject({
      caption: 'About food',
      username: creator.username,
      toEnd: true,
    });
    const shares = taste.categories.map(
      ({ category, share }: { category: { id: string }; share: number }) => [category.id, share],
    );
    expect(shares).toEqual([
      ['cricket', 2 / 3],
      ['food', 1 / 3],
    ]);
  });

  it('holds a reel once, to the end if it was ever watched to the end', async () => {
    const vani = await signUpSomebody(server);
    await switchOn(vani);
    await watch(vani, 0);
    const watched = [{ _id: work(0), toEnd: false }];
    await ask('POST', '/api/taste/watched', vani, { watched });
    expect((await tasteOf(vani)).watched).toMatchObject([{ toEnd: true }]);
  });

  it('has no works of one’s own, and none that do not exist', async () => {
    await switchOn(creator);
    expect(await watch(creator, 0)).toMatchObject({ kept: true });
    const watched = [{ _id: creator.id, toEnd: true }];
    await ask('POST', '/api/taste/watched', creator, { watched });
    expect(await tasteOf(creator)).toMatchObject({ watched: [], count: 0 });
  });

  it('ranks by what is stored, and not by what the device tells', async () => {
    const vani = await signUpSomebody(server);
    await switchOn(vani);
    await watch(vani, 0, 1, 3);
    const visit = [{ _id: work(2), toEnd: true }];
    const { ranked } = await ask('POST', '/api/feed/forYou', vani, { visit });
    expect(idsOf(ranked)).toEqual([work(2)]);
  });

  it('keeps the newest 1,000', async () => {
    const vani = await signUpSomebody(server);
    await switchOn(vani);
    const many = await reels(
      server.db,
      Array.from({ length: tasteLimits.watched + 10 }, () => ({ creator_id: creator.id, at: start })),
    );
    for (let from = 0; from < many.length; from += 50) {
      server.now.value = new Date(server.now.value.getTime() + 1000);
      const watched = many.slice(from, from + 50).map((_id) => ({ _id, toEnd: true }));
      await ask('POST', '/api/taste/watched', vani, { watched });
    }
    const { count, watched } = await tasteOf(vani);
    expect([count, watched.length]).toEqual([tasteLimits.watched, 100]);
    expect(many.slice(-50)).toContain(watched[0]._id);
    await deleteReels(many);
  });
});

describe('forgetting', () => {
  it('of one reel, or of all, is at once', async () => {
    const vani = await signUpSomebody(server);
    await switchOn(vani);
    await watch(vani, 0, 1, 2);
    await ask('DELETE', `/api/taste/watched?reel=${work(1)}`, vani);
    expect(idsOf((await tasteOf(vani)).watched)).toEqual([work(0), work(2)]);
    await ask('DELETE', '/api/taste/watched', vani);
    expect(await rowsOf(vani)).toEqual({ people: 1, watches: 0 });
  });

  it('by switching it off leaves nothing, and nothing is added afterwards', async () => {
    const vani = await signUpSomebody(server);
    await switchOn(vani);
    await watch(vani, 0);
    await ask('PUT', '/api/taste', vani, { on: false });
    expect(await rowsOf(vani)).toEqual(nothing);
    expect(await watch(vani, 1)).toMatchObject({ kept: false });
    expect(await rowsOf(vani)).toEqual(nothing);
  });

  it('is not undone by what is saved at the same moment', async () => {
    const vani = await signUpSomebody(server);
    for (let tries = 0; tries < 5; tries += 1) {
      await switchOn(vani);
      await Promise.all([
        ...[0, 1, 2, 3].map((place) => watch(vani, place)),
        ask('PUT', '/api/taste', vani, { on: false }),
      ]);
      expect(await rowsOf(vani)).toEqual(nothing);
    }
  });

  it('is after 180 days by itself', async () => {
    const vani = await signUpSomebody(server);
    server.now.value = start;
    await switchOn(vani);
    await watch(vani, 0);
    server.now.value = new Date(start.getTime() + 10 * day);
    await watch(vani, 1);
    await deleteOldTaste({ db: server.db, clock: () => new Date(start.getTime() + 181 * day) });
    expect(idsOf((await tasteOf(vani)).watched)).toEqual([work(1)]);
    server.now.value = start;
  });

  it('is of a deleted account too', async () => {
    const vani = await signUpSomebody(server);
    await switchOn(vani);
    await watch(vani, 0);
    await ask('DELETE', `/api/delete/${vani.id}`, vani);
    expect(await rowsOf(vani)).toEqual(nothing);
  });
});

describe('the list For you', () => {
  it('is for visitors, too, and its first page are the first reels of the list', async () => {
    const { ranked, data } = await ask('POST', '/api/feed/forYou', undefined, {});
    expect(ranked.length).toBeGreaterThan(0);
    expect(idsOf(data)).toEqual(idsOf(ranked).slice(0, tasteLimits.page));
  });

  it('is of at most 400 KB with the largest reels, and loses none of them', async () => {
    await deleteReels(works);
    await fillWithPopularity(server.db, crowd);
    const answer = await server.inject({ method: 'POST', url: '/api/feed/forYou', payload: {} });
    const { ranked, data } = answer.json();
    expect(answer.rawPayload.length).toBeLessThanOrEqual(400_000);
    expect([ranked.length, data.length]).toEqual([crowd, tasteLimits.page]);
    const payload = { ids: idsOf(ranked).slice(-tasteLimits.page) };
    const page = await server.inject({ method: 'POST', url: '/api/feed/reels', payload });
    expect(page.rawPayload.length).toBeLessThanOrEqual(400_000);
    expect(idsOf(page.json().data)).toEqual(payload.ids);
  });
});

describe('Following', () => {
  it('has reels of the people whom one follows, newest first, in pages, and of nobody else', async () => {
    const vani = await signUpSomebody(server);
    const mine: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const followed = await signUpSomebody(server);
      await ask('POST', `/api/follow/${followed.id}`, vani);
      for (let made = 0; made < 4; made += 1)
        mine.push(
          await reel(server.db, {
            creator_id: followed.id,
            at: new Date(start.getTime() - (n * 5 + made * 3) * 60_000),
          }),
        );
    }
    await reel(server.db, { creator_id: creator.id, at: start });
    const times = await server.db
      .selectFrom('reels')
      .select('id')
      .where('id', 'in', mine)
      .orderBy('published_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    const shown: string[] = [];
    for (let cursor = ''; ; ) {
      const page = await ask('GET', `/api/feed/following?limit=5${cursor}`, vani);
      shown.push(...idsOf(page.data));
      if (!page.nextCursor) break;
      expect(page.data).toHaveLength(5);
      cursor = `&cursor=${page.nextCursor}`;
    }
    expect(shown).toEqual(times.map(({ id }) => id));
  });

  it('is empty for who follows nobody', async () => {
    const vani = await signUpSomebody(server);
    expect(await ask('GET', '/api/feed/following', vani)).toMatchObject({ data: [], nextCursor: null });
  });
});
