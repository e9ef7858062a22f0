import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { searchedPerson, searchedReel } from '#testing/fixtures/searched.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { indexWork, removeFromIndex } from '../search-index/search-index.ts';
import { rankResults } from './ranking.ts';

let db: Kysely<Tables>;
let drop: () => Promise<void>;
let creator: string;
let reels: string[] = [];

beforeAll(async () => {
  const database = await freshDatabase();
  drop = database.drop;
  db = await openDatabase(database.url, 2);
  creator = await searchedPerson(db, { name: 'Asha Rao', username: 'asha' });
});
afterAll(async () => {
  await db.destroy();
  await drop();
});
beforeEach(async () => {
  await sql`truncate reels, reel_days, search_entries, tags, work_tags cascade`.execute(db);
  reels = [];
  for (let n = 0; n < 7; n += 1) reels.push(await searchedReel(db, creator, { words: `Reel ${n}` }));
});

/** A reel is watched so often in all, on two days. */
async function watched(place: number, views: number): Promise<void> {
  for (const [day, part] of [
    ['2026-01-01', 1],
    ['2026-01-02', views - 1],
  ] as const)
    await db
      .insertInto('reel_days')
      .values({ reel_id: reels[place] ?? '', creator_id: creator, day, verdict: 'counted', views: part })
      .execute();
}

const placesWhere = async (condition: ReturnType<typeof sql<boolean>>) =>
  (await db.selectFrom('search_entries').select('id').where(condition).orderBy('id').execute()).map(
    ({ id }) => reels.indexOf(id),
  );
const popular = () => placesWhere(sql`popularity > 0`);
const tiers = [sql`is_first`, sql`is_top and not is_first`, sql`is_upper and not is_top`, sql`not is_upper`];
const tier = (place: number) => placesWhere(sql<boolean>`${tiers[place]}`);

it('counts views, and puts the most watched of a kind into the first tiers, whichever batches they are in', async () => {
  for (const [place, views] of [
    [1, 5],
    [4, 9],
    [6, 7],
  ] as const)
    await watched(place, views);
  await rankResults({ db }, { batch: 2, ends: [2, 3, 5] });
  expect(await popular()).toEqual([1, 4, 6]);
  expect(await tier(0)).toEqual([4, 6]);
  expect(await tier(1)).toEqual([1]);
  expect(await tier(2)).toEqual([3, 5]);
  expect(await tier(3)).toEqual([0, 2]);
  await watched(0, 20);
  await rankResults({ db }, { batch: 2, ends: [2, 3, 5] });
  expect(await tier(0)).toEqual([0, 4]);
  expect(await tier(1)).toEqual([6]);
});

it('puts the newest of those that were watched as often into the first tier', async () => {
  await rankResults({ db }, { batch: 3, ends: [2, 3, 5] });
  expect(await tier(0)).toEqual([5, 6]);
});

it('writes no more than a batch of entries with one statement', async () => {
  for (const place of reels.keys()) await watched(place, 2);
  await rankResults({ db }, { batch: 2, ends: [2, 3, 5] });
  const { rows } = await sql<{ changed: number }>`
    select count(*)::int as changed from search_entries group by xmin order by 1 desc`.execute(db);
  expect(rows[0]?.changed).toBeLessThanOrEqual(2);
});

it('keeps what it has counted when it is interrupted, and the next one goes on', async () => {
  for (const place of reels.keys()) await watched(place, 2);
  const { signal } = new AbortController();
  vi.spyOn(signal, 'throwIfAborted')
    .mockReturnValueOnce(undefined)
    .mockReturnValueOnce(undefined)
    .mockImplementation(() => {
      throw new Error('stopped');
    });
  await expect(rankResults({ db }, { batch: 2, ends: [2, 3, 5], signal })).rejects.toThrow('stopped');
  expect(await popular()).toEqual([0, 1, 2, 3]);
  await rankResults({ db }, { batch: 2, ends: [2, 3, 5] });
  expect(await popular()).toEqual([0, 1, 2, 3, 4, 5, 6]);
});

it('deletes a hashtag that no work has any more', async () => {
  const [gone, stays] = [
    await searchedReel(db, creator, { words: '#asharaowedding #rangoli' }),
    await searchedReel(db, creator, { words: '#rangoli' }),
  ];
  await inTransaction(db, (trx) => removeFromIndex(trx, [gone]));
  await rankResults({ db });
  expect(await db.selectFrom('tags').select('key').execute()).toEqual([{ key: 'rangoli' }]);
  const entries = await db.selectFrom('search_entries').select('names').where('kind', '=', 'tag').execute();
  expect(entries).toEqual([{ names: 'rangoli' }]);
  // A new one can have it.
  await searchedReel(db, creator, { words: '#asharaowedding' });
  expect(await db.selectFrom('work_tags').select('label').orderBy('label').execute()).toEqual([
    { label: 'asharaowedding' },
    { label: 'rangoli' },
  ]);
  await inTransaction(db, (trx) => removeFromIndex(trx, [stays]));
});

it('leaves a hashtag that somebody publishes with at this moment', async () => {
  const gone = await searchedReel(db, creator, { words: '#marigold' });
  await inTransaction(db, (trx) => removeFromIndex(trx, [gone]));
  const id = newId(new Date());
  await inTransaction(db, async (trx) => {
    await indexWork(trx, { kind: 'reel', id, text: '#marigold' }, new Date());
    await rankResults({ db });
  });
  expect(await db.selectFrom('work_tags').select(['work_id', 'label']).execute()).toEqual([
    { work_id: id, label: 'marigold' },
  ]);
});
