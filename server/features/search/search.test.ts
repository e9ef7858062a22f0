import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foundAtMost } from '#contract/search.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { contextOn } from '#testing/context.ts';
import { searchedPost, searchedReel } from '#testing/fixtures/searched.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { rankResults } from './ranking.ts';
import { search } from './search.ts';
import { showTag } from './tags.ts';
import { showTrending } from './trending.ts';

let server: TestServer;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer();
  asha = await signUpSomebody(server, 'Asha Rao');
});
afterAll(() => server.close());

const find = (query: { q: string } & Partial<Parameters<typeof search>[1]>, viewer?: Person) =>
  search(contextOn(server.db), { limit: 24, ...query }, viewer?.id);
const reelsBy = async (q: string) => (await find({ q })).reels.data.map(({ caption }) => caption);
const reel = (words: string, more: object = {}) => searchedReel(server.db, asha.id, { words, ...more });

describe('the last of several words', () => {
  it('may be the beginning of a word of the work, or of its categories, also among those that few have watched', async () => {
    await reel('Chanderi weaving at dusk', { categories: ['festivals'] });
    expect(await reelsBy('chanderi weav')).toEqual(['Chanderi weaving at dusk']);
    expect(await reelsBy('chanderi festi')).toEqual(['Chanderi weaving at dusk']);
  });

  it('finds a word with digits among these once it is complete', async () => {
    await reel('Orchha fair2026');
    expect(await reelsBy('orchha fair2026')).toEqual(['Orchha fair2026']);
    await rankResults({ db: server.db });
    expect(await reelsBy('orchha fair')).toEqual(['Orchha fair2026']);
  });
});

describe('the order of results', () => {
  it('is by how well they match, then by how often they were watched, then by age', async () => {
    const ids: Record<string, string> = {};
    for (const words of ['Zumba first', 'Zumba second', 'Zumba watched', 'Zumbaaz begins with it'])
      ids[words] = await reel(words);
    await reel('Said in it alone', { said: 'now we do the zumba' });
    await server.db
      .insertInto('reel_days')
      .values({
        reel_id: ids['Zumba watched'] ?? '',
        creator_id: asha.id,
        day: '2026-01-01',
        verdict: 'counted',
        views: 3,
      })
      .execute();
    await rankResults({ db: server.db });
    await reel('Zumba third');
    expect(await reelsBy('zumba')).toEqual([
      'Zumba watched',
      'Zumba second',
      'Zumba first',
      'Zumba third',
      'Zumbaaz begins with it',
      'Said in it alone',
    ]);
  });

  it('is the same in pages of any size, each result once', async () => {
    for (let n = 0; n < 7; n += 1) await reel(`Paging ${n}`);
    await rankResults({ db: server.db });
    for (let n = 7; n < 12; n += 1) await reel(`Paging ${n}`);
    await reel('Pagings');
    const whole = (await find({ q: 'paging', kind: 'reel' })).reels.data.map(({ _id }) => _id);
    const paged: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const { reels }: Awaited<ReturnType<typeof find>> = await find({
        q: 'paging',
        kind: 'reel',
        limit: 3,
        cursor,
      });
      paged.push(...reels.data.map(({ _id }) => _id));
      cursor = reels.nextCursor;
    }
    expect(whole).toHaveLength(13);
    expect(paged).toEqual(whole);
  });
});

describe('a list of results', () => {
  const ask = (cursor: string) =>
    server.inject({ url: `/api/search?${new URLSearchParams({ q: 'endless', kind: 'reel', cursor })}` });

  it('ends after 500', async () => {
    await changeWorks(server.db, (trx) =>
      sql`
      with made as (
        insert into reels (id, creator_id, media_key, caption, credit, categories, state, sha256, placeholder, width, height,
          uploaded_at, published_at)
        select gen_random_uuid(), ${asha.id}, md5('endless' || n), 'Endless', '', '{}', 'ready', '', '', 1, 1, now(), now()
        from generate_series(1, ${foundAtMost + 5}) n returning id
      )
      insert into search_entries (id, kind, names, words) select id, 'reel', '', 'endles:1A' from made`.execute(
        trx,
      ),
    );
    const last = await find({ q: 'endless', kind: 'reel', limit: 24, cursor: '480' });
    expect(last.reels.data).toHaveLength(20);
    expect(last.reels.nextCursor).toBeNull();
  });

  it.each(['0', '500', '501', '99999999999', '-1', '1e2', ' 24', '24 ', 'x', 'MCAxIDU'])(
    'has no page after %s',
    async (cursor) => {
      const response = await ask(cursor);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({
        code: 'bad_cursor',
        error: 'This page of the list was not found. Please start from the first page.',
      });
    },
  );
});

describe('a statement of a search', () => {
  it('that takes more than two seconds is given up, with one sentence', async () => {
    const before = performance.now();
    await inTransaction(server.db, async (trx) => {
      await sql`lock table search_entries in access exclusive mode`.execute(trx);
      const response = await server.inject({ url: '/api/search?q=kathakali' });
      expect(response.statusCode).toBe(503);
      expect(response.json()).toMatchObject({
        code: 'unavailable',
        error: 'Jhalak cannot do this right now. Please try again in a moment.',
      });
    });
    expect(performance.now() - before).toBeLessThan(5000);
  });
});

describe('a search', () => {
  it('by one or two letters finds people, tags and categories only', async () => {
    await reel('Qi gong in the park #qigong');
    const person = await signUpSomebody(server, 'Qiara Mehta');
    const found = await find({ q: 'qi' });
    expect(found.reels.data).toEqual([]);
    expect(found.people.data.map(({ _id }) => _id)).toEqual([person.id]);
    expect(found.tags.data).toEqual([{ tag: 'kigong', label: 'qigong', works: 1 }]);
    expect((await find({ q: 'cr' })).categories.map(({ id }) => id)).toEqual(['cricket', 'art']);
  });

  it('shows a tag as most of its public works write it now', async () => {
    const shown = async () => (await find({ q: 'kathakali' })).tags.data.map(({ label }) => label);
    const first = await reel('#kathakaali');
    expect(await shown()).toEqual(['kathakaali']);
    const others = [await reel('#Kathakali'), await reel('#Kathakali')];
    expect(await shown()).toEqual(['Kathakali']);
    const remove = (ids: string[]) =>
      changeWorks(server.db, (trx) =>
        trx.updateTable('reels').set({ deleted_at: new Date() }).where('id', 'in', ids).execute(),
      );
    await remove(others);
    expect(await shown()).toEqual(['kathakaali']);
    await remove([first]);
    expect(await shown()).toEqual([]);
  });

  it('finds a reel by its captions in each language, however long those of the first one are', async () => {
    const id = await reel('Told in two languages');
    const manyWords = Array.from({ length: 1200 }, (_, n) => `word${n}`).join(' ');
    for (const [language, said] of [
      ['en', manyWords],
      ['hi', 'गुलमोहर'],
    ]) {
      const cues = (said?.match(/(?:\S+ ?){1,30}/g) ?? []).map((text) => `00:01.000 --> 00:02.000\n${text}`);
      const file = Buffer.from(`WEBVTT\n\n${cues.join('\n\n')}\n`);
      const { payload, headers } = await multipart(file, 'file', 'captions.vtt', 'text/vtt');
      await call(server, {
        method: 'POST',
        url: `/api/reel/captions/${id}/${language}`,
        headers: { ...headers, ...asha.headers },
        payload,
      });
    }
    for (const q of ['word7', 'gulmohar']) expect(await reelsBy(q), q).toEqual(['Told in two languages']);
  });

  it('suggests what is public, and finds it at once', async () => {
    const id = await reel('Thiruvathira');
    const found = await find({ q: 'tiruvatira' });
    expect(found.reels.data).toHaveLength(1);
    expect(found.suggestion).toBe('thiruvathira');
    await changeWorks(server.db, (trx) =>
      trx.updateTable('reels').set({ deleted_at: new Date() }).where('id', '=', id).execute(),
    );
    const gone = await find({ q: 'tiruvatira' });
    expect([gone.reels.data, gone.suggestion]).toEqual([[], null]);
  });

  it('suggests the misspelt words as they were published, and the others as they were typed', async () => {
    await reel('Shakuntala dances Bharatnatyam in Chhattisgarh');
    const { suggestion } = await find({ q: 'Shakuntala ka bharatnatiam  CHHATTISGARH!' });
    expect(suggestion).toBe('Shakuntala ka bharatnatyam CHHATTISGARH');
  });

  it('seeks similar words only for words that fewer than ten works have', async () => {
    for (let n = 1; n < 10; n += 1) await reel(`Jacaranda ${n}`);
    await reel('Jacarenda xylophone');
    const asked = 'jacaranda xylophone pantomime';
    expect(await reelsBy(asked)).toEqual(['Jacarenda xylophone']);
    await reel('Jacaranda 10');
    expect(await reelsBy(asked)).toEqual([]);
  });

  it('of nothing, of signs, and of signs of the search itself finds nothing', async () => {
    for (const q of ['', '🙂', '&|!:*', "'", '%_', '\\'])
      expect((await find({ q })).reels.data, q).toEqual([]);
  });

  it('follows a change of a name and of a caption', async () => {
    const person = await signUpSomebody(server, 'Wilfreda');
    await call(server, {
      method: 'POST',
      url: '/api/profile/edit',
      headers: person.headers,
      payload: { name: 'Quintessa' },
    });
    expect((await find({ q: 'wilfreda' })).people.data).toEqual([]);
    expect((await find({ q: 'quintessa' })).people.data).toHaveLength(1);
    // Nobody else has the old name, and others have a part of the new one.
    const words = await server.db.selectFrom('search_words').select('word').execute();
    expect(words.map(({ word }) => word)).not.toContain('wilfreda');
    expect(words.map(({ word }) => word)).toContain('quintessa');
    const id = await reel('Origambo one');
    await call(server, {
      method: 'POST',
      url: `/api/reel/edit/${id}`,
      headers: asha.headers,
      payload: { caption: 'Velvet paper two #kiri' },
    });
    expect(await reelsBy('origambo one')).toEqual([]);
    expect(await reelsBy('velvet')).toEqual(['Velvet paper two #kiri']);
  });
});

/** Everything that takes a work or its creator out of the public, and the viewer for whom it is so. */
const hidings: Record<string, (scene: Scene) => Promise<Person | undefined>> = {
  'its creator is suspended': async ({ creator, set }) =>
    set('people', creator.id, sql`suspended_at = now()`),
  'it is deleted': async ({ id, table, set }) => set(table, id, sql`deleted_at = now()`),
  'it is taken down': async ({ id, table, set }) =>
    set(table, id, sql`taken_down_at = now(), taken_down_as = 'copy', taken_down_reason = 'A copy'`),
  'it waits for an operator': async ({ id, table, set }) =>
    set(table, id, sql`taken_down_at = now(), taken_down_as = 'waiting'`),
  'it is processing': async ({ id, table, set }) =>
    table === 'reels' ? set(table, id, sql`state = 'processing'`) : set(table, id, sql`deleted_at = now()`),
  'the viewer has blocked its creator': async ({ creator }) => {
    const viewer = await signUpSomebody(server);
    await call(server, { method: 'POST', url: `/api/block/${creator.id}`, headers: viewer.headers });
    return viewer;
  },
  'its creator has blocked the viewer': async ({ creator }) => {
    const viewer = await signUpSomebody(server);
    await call(server, { method: 'POST', url: `/api/block/${viewer.id}`, headers: creator.headers });
    return viewer;
  },
};

interface Scene {
  creator: Person;
  id: string;
  table: 'reels' | 'posts';
  set: (table: string, id: string, change: ReturnType<typeof sql>) => Promise<undefined>;
}

const setColumns: Scene['set'] = async (where, which, change) => {
  await changeWorks(server.db, (trx) =>
    sql`update ${sql.table(where)} set ${change} where id = ${which}`.execute(trx),
  );
  return undefined;
};

/** Words that are not alike, one for each scene. */
const words = [
  ...['brondiku', 'stalmefo', 'grupalint', 'vixtorba', 'knobelar', 'dramishu', 'fluntega'],
  ...['tsimorak', 'plevandu', 'jorgistel', 'humblikar', 'srenovati', 'gadrumil', 'chyvolent'],
];

describe.each(['reels', 'posts'] as const)('of %s', (table) => {
  it.each(Object.keys(hidings))('nothing is found, counted or suggested where %s', async (hiding) => {
    const word = words.pop() ?? '';
    const creator = await signUpSomebody(server, `Creator${word}`);
    const text = `${word} #${word}`;
    const id =
      table === 'reels'
        ? await searchedReel(server.db, creator.id, { words: text })
        : await searchedPost(server.db, creator.id, text);
    const places = async (viewer?: Person) => {
      const [right, wrong, name] = await Promise.all(
        [word, word.slice(0, 4) + word.slice(5), `Creator${word}`].map((q) => find({ q }, viewer)),
      );
      const tag = await showTag(contextOn(server.db), { tag: word, limit: 24 }, viewer?.id).catch(
        () => undefined,
      );
      return {
        works: [right, wrong].flatMap((found) => [...(found?.reels.data ?? []), ...(found?.posts.data ?? [])])
          .length,
        tags: right?.tags.data.length,
        suggested: wrong?.suggestion === word,
        people: name?.people.data.length,
        tagPage: tag !== undefined,
      };
    };
    expect(await places()).toEqual({ works: 2, tags: 1, suggested: true, people: 1, tagPage: true });
    const viewer = await hidings[hiding]?.({ creator, id, table, set: setColumns });
    const people = hiding.includes('creator') ? 0 : 1;
    expect(await places(viewer)).toEqual({ works: 0, tags: 0, suggested: false, people, tagPage: false });
  });
});

describe.each(['reels', 'posts'] as const)('a trend of three people with %s', (table) => {
  it.each(Object.keys(hidings))('is none where of one of them %s', async (hiding) => {
    const tag = `trend${table}${Object.keys(hidings).indexOf(hiding)}`.replaceAll(
      /\d/g,
      (digit) => 'abcdefghij'[Number(digit)] ?? '',
    );
    const publish = async (creator: Person) =>
      table === 'reels'
        ? await searchedReel(server.db, creator.id, { words: `#${tag}` })
        : await searchedPost(server.db, creator.id, `#${tag}`);
    const people = await Promise.all([1, 2, 3].map(() => signUpSomebody(server)));
    const isTrend = async (viewer?: Person) => {
      const { tags } = await showTrending(contextOn(server.db), viewer?.id);
      return tags.some(({ label }) => label === tag);
    };
    const [creator] = people;
    if (!creator) throw new Error('nobody came');
    // However often one person publishes, it counts once.
    for (let n = 0; n < 4; n += 1) await publish(creator);
    expect(await isTrend()).toBe(false);
    const id = await publish(creator);
    await changeWorks(server.db, (trx) =>
      sql`update ${sql.table(table)} set deleted_at = now() where creator_id = ${creator.id} and id <> ${id}`.execute(
        trx,
      ),
    );
    for (const other of people.slice(1)) await publish(other);
    expect(await isTrend()).toBe(true);
    const viewer = await hidings[hiding]?.({ creator, id, table, set: setColumns });
    expect(await isTrend(viewer)).toBe(false);
  });
});
