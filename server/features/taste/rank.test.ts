import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextAt } from '#testing/context.ts';
import { searchedReel } from '#testing/fixtures/searched.ts';
import {
  ago,
  countedOn,
  idsOf,
  now,
  people,
  person,
  ranked,
  reel,
  reels,
  watchedInOrder,
} from '#testing/fixtures/taste.ts';
import { openTasteSite, type TasteSite } from '#testing/fixtures/taste-site.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { countTopReels, learnNextReels } from './learning.ts';
import { reelsInOrder } from './rank.ts';
import { saveWatched, switchTaste } from './taste.ts';

/* What people at other sites complain of, as rules. */

let site: TasteSite;
let db: Kysely<Tables>;
/** Two dozen older reels of as many creators, newest first; every third one is about cricket. */
let older: string[];

beforeEach(async () => {
  site = await openTasteSite();
  db = site.db;
  const creators = await people(db, 24);
  older = await reels(
    db,
    creators.map((creator_id, n) => ({
      creator_id,
      at: ago(3 + n),
      categories: [['cricket'], ['dance'], ['food']][n % 3] ?? [],
    })),
  );
});
afterEach(() => site.close());

const ids = async (...asked: Parameters<typeof ranked> extends [unknown, ...infer Rest] ? Rest : never) =>
  idsOf(await ranked(db, ...asked));
const toEnd = (watched: readonly string[]) => watched.map((_id) => ({ _id, toEnd: true }));
const at = (place: number) => older[place] ?? '';

async function viewer(): Promise<string> {
  const id = await person(db);
  await switchTaste(contextAt(db, ago(90)), id, { on: true, adult: true });
  return id;
}

describe('"what I watched comes back"', () => {
  it('is not so for 30 days', async () => {
    const vani = await viewer();
    await saveWatched(contextAt(db, ago(31)), vani, toEnd([at(0)]));
    await saveWatched(contextAt(db, ago(29)), vani, [{ _id: at(1), toEnd: false }]);
    const list = await ids(vani);
    expect(list).toContain(at(0));
    expect(list).not.toContain(at(1));
  });

  it('is not so for what was watched in this visit, or seen on this device', async () => {
    const list = await ids(undefined, { visit: toEnd([at(0)]), seen: [at(1)] });
    expect(list).toContain(at(2));
    expect(list).not.toContain(at(0));
    expect(list).not.toContain(at(1));
  });
});

describe('"less like this changes nothing"', () => {
  it('leaves the reel out at once, and shows fewer of its categories', async () => {
    await countTopReels(contextAt(db, now));
    const most = { visit: toEnd([at(0), at(3)]) };
    const cricketIn = (list: string[]) =>
      list.slice(0, 10).filter((id) => older.indexOf(id) % 3 === 0).length;
    const before = await ids(undefined, most);
    const after = await ids(undefined, { ...most, muted: { reels: [at(6)] } });
    expect(cricketIn(before)).toBeGreaterThanOrEqual(3);
    expect(cricketIn(after)).toBeLessThanOrEqual(1);
    expect(after).not.toContain(at(6));
  });

  it('shows one reel of its creator at most', async () => {
    const creator_id = await person(db);
    const made = await reels(
      db,
      [1, 2, 3, 4].map((days) => ({ creator_id, at: ago(days) })),
    );
    const theirs = (list: string[]) => list.filter((id) => made.includes(id)).length;
    expect(theirs(await ids())).toBe(4);
    expect(theirs(await ids(undefined, { muted: { reels: made.slice(0, 1) } }))).toBe(1);
  });

  it('leaves muted people out at once', async () => {
    const { creator_id } = await db
      .selectFrom('reels')
      .select('creator_id')
      .where('id', '=', at(0))
      .executeTakeFirstOrThrow();
    expect(await ids()).toContain(at(0));
    expect(await ids(undefined, { muted: { people: [creator_id] } })).not.toContain(at(0));
  });

  it('leaves muted words out at once, in either script, and not words that only contain them', async () => {
    const [asha = '', ravi = '', zoya = ''] = await people(db, 3);
    const rangoli = await searchedReel(db, asha, { words: 'My RANGOLI for Diwali' }, ago(1));
    const hindi = await searchedReel(db, ravi, { words: 'दिवाली की रंगोली' }, ago(1));
    const other = await searchedReel(db, zoya, { words: 'Starting to paint' }, ago(1));
    expect(await ids()).toEqual(expect.arrayContaining([rangoli, hindi, other]));
    const list = await ids(undefined, { muted: { words: ['rangoli', 'art'] } });
    expect([rangoli, hindi, other].map((id) => list.includes(id))).toEqual([false, false, true]);
  });

  it('does not fail for words without letters', async () => {
    expect(await ids(undefined, { muted: { words: ["'", '🙂', '& | !'] } })).toContain(at(0));
  });
});

describe('"pages repeat while others post"', () => {
  it('is not so: the pages are those of the list that was made once', async () => {
    const list = await ids();
    const creators = await people(db, 5);
    await reels(
      db,
      creators.map((creator_id) => ({ creator_id, at: now })),
    );
    const pages = [list.slice(0, 10), list.slice(10, 20), list.slice(20)];
    const shown: string[] = [];
    for (const page of pages) shown.push(...idsOf(await reelsInOrder(contextAt(db, now), page, undefined)));
    expect(shown).toEqual(list);
    expect(new Set(shown).size).toBe(older.length);
  });
});

describe('"refresh shows the same twenty"', () => {
  it('is not so for what was seen', async () => {
    const list = await ids();
    const again = await ids(undefined, { seen: list.slice(0, 10) }, { seed: 2 });
    expect(again.filter((id) => list.slice(0, 10).includes(id))).toEqual([]);
    expect(again.length).toBe(list.length - 10);
  });

  it('is not so for what was not seen either: the order differs', async () => {
    expect(await ids()).not.toEqual(await ids(undefined, {}, { seed: 2 }));
  });
});

describe('"an empty page after filtering"', () => {
  it('is not shown: the next ones follow', async () => {
    const spammer = await person(db);
    const all = await reels(
      db,
      Array.from({ length: 1000 }, (_, n) => ({ creator_id: spammer, at: ago(1 + n / 1000) })),
    );
    const muted = { people: [spammer] };
    expect((await ids(undefined, { muted })).length).toBe(older.length);
    expect((await ids(undefined, { seen: all.slice(0, 400), muted })).length).toBe(older.length);
  });

  it('is not shown to somebody about whom nothing is known', async () => {
    const list = await ranked(db);
    expect(list.map(({ why }) => why.code)).toContain('newest');
    expect(list.length).toBe(older.length);
  });
});

describe('what others watched next', () => {
  beforeEach(async () => {
    await watchedInOrder(db, await people(db, 6), [at(20), at(21)], ago(1));
    await learnNextReels(contextAt(db, now));
  });

  it('comes first, and says after which reel', async () => {
    const [best] = await ranked(db, undefined, { visit: toEnd([at(20)]) });
    const why = { code: 'watched', reelId: at(20), caption: 'A reel' };
    expect(best).toMatchObject({ _id: at(21), why });
  });

  it('does not follow a reel that was not watched to the end', async () => {
    const list = await ranked(db, undefined, { visit: [{ _id: at(20), toEnd: false }] });
    expect(list.filter(({ why }) => why.code === 'watched')).toEqual([]);
  });
});

describe('the fair share', () => {
  const fresh = { views: 0 };
  const news = async (...asked: Parameters<typeof ranked> extends [unknown, ...infer Rest] ? Rest : never) =>
    idsOf((await ranked(db, ...asked)).filter(({ why }) => why.code === 'new'));

  it('takes works of the last day that fewer than 100 have seen', async () => {
    const [asha = '', ravi = '', zoya = ''] = await people(db, 3);
    const few = await reel(db, { creator_id: asha, at: ago(0.5), views: 99 });
    await reel(db, { creator_id: ravi, at: ago(0.5), views: 100 });
    await reel(db, { creator_id: zoya, at: ago(1.01), views: 0 });
    expect(await news()).toEqual([few]);
  });

  it('takes at most three of a creator and day: the first ones, also if those were deleted', async () => {
    const creator_id = await person(db);
    const made = await reels(
      db,
      [0, 1, 2, 3, 4, 5].map((n) => ({ creator_id, at: ago(0.5 - n / 100), ...fresh })),
    );
    await changeWorks(db, (trx) =>
      trx
        .updateTable('reels')
        .set({ deleted_at: now })
        .where('id', '=', made[0] ?? '')
        .execute(),
    );
    const seen = new Set<string>();
    for (let seed = 0; seed < 20; seed += 1)
      for (const id of await news(undefined, {}, { seed })) seen.add(id);
    expect([...seen].sort()).toEqual(made.slice(1, 3));
  });

  it('takes no copies, nothing held, and only verified addresses where there is mail', async () => {
    const [asha = '', ravi = '', unverified = ''] = await people(db, 3);
    await db.updateTable('people').set({ email_verified_at: null }).where('id', '=', unverified).execute();
    const held = { taken_down_at: now, taken_down_as: 'waiting' } as const;
    await reel(db, { creator_id: asha, at: ago(0.5), ...fresh, duplicate: true });
    await reel(db, { creator_id: ravi, at: ago(0.5), ...fresh, ...held });
    const theirs = await reel(db, { creator_id: unverified, at: ago(0.5), ...fresh });
    expect(await news()).toEqual([]);
    expect(await news(undefined, {}, { hasMail: false })).toEqual([theirs]);
  });

  it('gives every one its turn, on a site with more of them than are looked through [long]', async () => {
    const creators = await people(db, 250);
    const made = await reels(
      db,
      Array.from({ length: 560 }, (_, n) => {
        return { creator_id: creators[n % 250] ?? '', at: ago((n + 1) / 570), ...fresh };
      }),
    );
    const shown = new Map<string, number>();
    for (let seed = 0; seed < 80; seed += 1) {
      const list = await news(undefined, {}, { seed });
      for (const id of list) shown.set(id, (shown.get(id) ?? 0) + 1);
      await db
        .updateTable('reels')
        .set((eb) => ({ views: eb('views', '+', 1) }))
        .where('id', 'in', list)
        .execute();
    }
    expect(made.filter((id) => !shown.has(id))).toEqual([]);
  });
});

describe('the most watched ones', () => {
  it('are those of the last seven days', async () => {
    await countedOn(db, ago(2), at(20), 50);
    await countedOn(db, ago(9), at(21), 500);
    await countTopReels(contextAt(db, now));
    const list = await ranked(db);
    expect(idsOf(list.filter(({ why }) => why.code === 'popular'))).toEqual([at(20)]);
  });
});
