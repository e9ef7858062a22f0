import type { Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextAt } from '#testing/context.ts';
import { ago, countedOn, idsOf, now, people, ranked, reel, watchedInOrder } from '#testing/fixtures/taste.ts';
import { openTasteSite, type TasteSite } from '#testing/fixtures/taste-site.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { listFollowedReels } from './following.ts';
import { countTopReels, learnNextReels } from './learning.ts';
import { reelsInOrder } from './rank.ts';
import { saveWatched, showTaste, switchTaste } from './taste.ts';

/* What is not public, or between two people of whom one has blocked the other, is in no list. */

let site: TasteSite;
let db: Kysely<Tables>;
let vani: string;
let asha: string;
/** Asha's: one that Vani watched, and what others watched next, which is everywhere in her lists. */
let past: string;
let next: string;

beforeEach(async () => {
  site = await openTasteSite();
  db = site.db;
  const [first = '', second = '', ...others] = await people(db, 8);
  [vani, asha] = [first, second];
  past = await reel(db, { creator_id: asha, at: ago(3), categories: ['dance'] });
  next = await reel(db, { creator_id: asha, at: ago(0.1), categories: ['dance'], views: 0 });
  await db.insertInto('follows').values({ follower_id: vani, followee_id: asha, followed_at: now }).execute();
  await watchedInOrder(db, others, [past, next], ago(0.05));
  await countedOn(db, now, next, 6);
  const context = contextAt(db, now);
  await learnNextReels(context);
  await countTopReels(context);
  await switchTaste(context, vani, { on: true, adult: true });
});
afterEach(() => site.close());

const watch = async (id: string) => {
  await saveWatched(contextAt(db, ago(40)), vani, [{ _id: id, toEnd: true }]);
};
const block = (blocker_id: string, blocked_id: string) =>
  db.insertInto('blocks').values({ blocker_id, blocked_id, blocked_at: now }).execute();
const change = (values: object) => changeWorks(db, (trx) => trx.updateTable('reels').set(values).execute());

const states: [string, () => Promise<unknown>][] = [
  ['suspended', () => db.updateTable('people').set({ suspended_at: now }).where('id', '=', asha).execute()],
  ['blocked by the viewer', () => block(vani, asha)],
  ['who has blocked the viewer', () => block(asha, vani)],
  ['whose account is deleted', () => db.deleteFrom('people').where('id', '=', asha).execute()],
  ['whose reels are deleted', () => change({ deleted_at: now })],
  ['whose reels are taken down', () => change({ taken_down_at: now, taken_down_as: 'waiting' })],
  ['whose reels are processing', () => change({ state: 'processing', published_at: null })],
];

const lists: [string, () => Promise<unknown[]>][] = [
  ['For you', () => ranked(db, vani)],
  ['For you, of a visit', () => ranked(db, undefined, { visit: [{ _id: past, toEnd: true }] })],
  ['the reels of a page', () => reelsInOrder(contextAt(db, now), [past, next], vani)],
  ['Following', async () => (await listFollowedReels(contextAt(db, now), { limit: 24 }, vani)).data],
  [
    'the page about a taste',
    async () => {
      const { watched, categories } = await showTaste(contextAt(db, now), vani);
      return [...watched, ...categories];
    },
  ],
];

describe.each(lists)('%s', (list, read) => {
  // Nobody is signed in, so there are no blocks.
  const known = list === 'For you, of a visit' ? states.filter(([state]) => !/block/.test(state)) : states;

  it('shows what is public', async () => {
    await watch(past);
    expect(await read()).not.toEqual([]);
  });

  it.each(known)('shows nothing of somebody %s', async (_state, hide) => {
    await watch(past);
    await hide();
    expect(await read()).toEqual([]);
  });
});

describe('a reason', () => {
  it('names no reel that is not public any more', async () => {
    await watch(past);
    expect((await ranked(db, vani)).map(({ why }) => why.code)).toContain('watched');
    await changeWorks(db, (trx) =>
      trx.updateTable('reels').set({ deleted_at: now }).where('id', '=', past).execute(),
    );
    const list = await ranked(db, vani);
    expect(idsOf(list)).toEqual([next]);
    expect(list.map(({ why }) => why.code)).not.toContain('watched');
  });
});

describe('what is kept of a reel', () => {
  it('is not added while it is not public', async () => {
    await change({ taken_down_at: now, taken_down_as: 'waiting' });
    await watch(past);
    expect(await db.selectFrom('taste_watches').selectAll().execute()).toEqual([]);
  });
});
