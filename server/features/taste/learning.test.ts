import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextAt } from '#testing/context.ts';
import { ago, now, people, person, reels, watchedInOrder } from '#testing/fixtures/taste.ts';
import { openTasteSite, type TasteSite } from '#testing/fixtures/taste-site.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { learnNextReels } from './learning.ts';

let site: TasteSite;
let db: Kysely<Tables>;
let works: string[];

beforeEach(async () => {
  site = await openTasteSite();
  db = site.db;
  const creator_id = await person(db);
  works = await reels(
    db,
    Array.from({ length: 120 }, () => ({ creator_id, at: ago(10) })),
  );
});
afterEach(() => site.close());

const work = (place: number) => works[place] ?? '';
const withMail = (hasMail: boolean) => {
  const context = contextAt(db, now);
  return { ...context, outbox: { ...context.outbox, isOn: hasMail } };
};
const learn = (hasMail = true) => learnNextReels(withMail(hasMail));
const nextOf = (reelId: string) =>
  db
    .selectFrom('next_reels')
    .select(['next_id as id', 'people', 'weight'])
    .where('reel_id', '=', reelId)
    .orderBy('weight', 'desc')
    .execute();
const watched = (viewers: readonly string[], places: readonly number[], at = ago(1)) =>
  watchedInOrder(db, viewers, places.map(work), at);

describe('a pair of reels', () => {
  it('counts from five people on', async () => {
    const viewers = await people(db, 5);
    await watched(viewers.slice(0, 4), [0, 1]);
    await learn();
    expect(await nextOf(work(0))).toEqual([]);
    await watched(viewers.slice(4), [0, 1]);
    await learn();
    expect(await nextOf(work(0))).toMatchObject([{ id: work(1), people: 5 }]);
  });

  it('counts each person once, however often they watched it', async () => {
    const viewers = await people(db, 4);
    for (let days = 1; days < 8; days += 1) await watched(viewers, [0, 1], ago(days));
    await learn();
    expect(await nextOf(work(0))).toEqual([]);
  });

  it('weighs more the closer it was watched, and more after than before', async () => {
    await watched(await people(db, 6), [0, 1, 2]);
    await learn();
    const orderOf = async (place: number) => (await nextOf(work(place))).map(({ id }) => works.indexOf(id));
    expect([await orderOf(0), await orderOf(1), await orderOf(2)]).toEqual([
      [1, 2],
      [2, 0],
      [1, 0],
    ]);
  });

  it('counts up to twenty places apart', async () => {
    await watched(
      await people(db, 5),
      Array.from({ length: 22 }, (_, place) => place),
    );
    await learn();
    const places = (await nextOf(work(0))).map(({ id }) => works.indexOf(id));
    expect(places).toEqual(Array.from({ length: 20 }, (_, place) => place + 1));
  });

  it('weighs less if everybody watches the second one anyway', async () => {
    await watched(await people(db, 60), [5]);
    await watched(await people(db, 6), [0, 4]);
    await watched(await people(db, 6), [1, 5]);
    await learn();
    const [[rare], [common]] = [await nextOf(work(0)), await nextOf(work(1))];
    expect(rare?.weight).toBeGreaterThan((common?.weight ?? 1) * 1.3);
  });

  it('is forgotten when its views are older than 60 days, or the reel is gone', async () => {
    const viewers = await people(db, 5);
    await watched(viewers, [0, 1], ago(61));
    await watched(viewers, [2, 3]);
    await learn();
    expect(await nextOf(work(0))).toEqual([]);
    expect(await nextOf(work(2))).toHaveLength(1);
    await changeWorks(db, (trx) =>
      trx.updateTable('reels').set({ deleted_at: now }).where('id', '=', work(3)).execute(),
    );
    await learn();
    expect(await nextOf(work(2))).toEqual([]);
  });

  it('is among the best 100 of its reel', async () => {
    // Each of the others is next to the first one for five people.
    for (let group = 1; group < 113; group += 8)
      await watched(await people(db, 5), [0, ...Array.from({ length: 8 }, (_, n) => group + n)]);
    await learn();
    expect(await nextOf(work(0))).toHaveLength(100);
  });
});

describe('forged accounts', () => {
  it('do not count while they are young, unverified, suspended or watched too little', async () => {
    const viewers = await people(db, 5);
    await watched(viewers, [0, 1]);
    const [one = ''] = viewers;
    const pairsWith = async (values: object, hasMail = true) => {
      await db.updateTable('people').set(values).where('id', '=', one).execute();
      await learn(hasMail);
      return (await nextOf(work(0))).length;
    };
    expect(await pairsWith({ created_at: ago(6) })).toBe(0);
    expect(await pairsWith({ created_at: ago(8) })).toBe(1);
    expect(await pairsWith({ created_at: ago(8) }, false)).toBe(0);
    expect(await pairsWith({ email_verified_at: null })).toBe(0);
    expect(await pairsWith({ email_verified_at: ago(8), suspended_at: now })).toBe(0);
    expect(await pairsWith({ suspended_at: null })).toBe(1);
    await db.deleteFrom('active_people').where('person_id', '=', one).execute();
    expect(await pairsWith({ suspended_at: null })).toBe(0);
  });

  it('need to be one in a hundred of those who watched a popular reel, to put another one behind it', async () => {
    const viewers = await people(db, 600);
    await watched(viewers, [0], ago(2));
    await watched(viewers.slice(0, 5), [0, 1]);
    await learn();
    expect(await nextOf(work(0))).toEqual([]);
    await watched(viewers.slice(5, 6), [0, 1]);
    await learn();
    expect(await nextOf(work(0))).toHaveLength(1);
  });
});

describe('learning', () => {
  it('that is stopped leaves what was learned before, and the next run replaces it', async () => {
    const viewers = await people(db, 5);
    await watched(viewers, [0, 1]);
    await learn();
    const before = await db.selectFrom('next_reels').selectAll().execute();
    await watched(viewers, [2, 3]);
    const stopped = AbortSignal.abort(new Error('stopped'));
    await expect(learnNextReels(withMail(true), stopped)).rejects.toThrow('stopped');
    expect(await db.selectFrom('next_reels').selectAll().execute()).toEqual(before);
    expect(await learn()).toBeGreaterThan(before.length);
  });

  it('stores no viewer, and no table of its own is left', async () => {
    await watched(await people(db, 5), [0, 1]);
    await learn();
    const tables = await db.introspection.getTables();
    expect(tables.map(({ name }) => name).filter((name) => /learn|order/.test(name))).toEqual([]);
  });
});
