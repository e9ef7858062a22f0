import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { ago, person, reel } from '#testing/fixtures/taste.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { freshDatabase, type TestDatabase } from '#testing/servers/postgres.ts';
import { creatorOf, creatorsOf, putWorks } from './works.ts';

let database: TestDatabase;
let db: Kysely<Tables>;
let asha: string;
beforeAll(async () => {
  database = await freshDatabase();
  db = await openDatabase(database.url, 3);
  asha = await person(db);
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const published = async (id: string) =>
  await db.selectFrom('works').select(['published_at', 'categories']).where('id', '=', id).executeTakeFirst();
const down = { taken_down_at: ago(0), taken_down_as: 'waiting' } as const;

it.each([
  ['is public', { state: 'ready' } as const, ago(1)],
  ['is in processing', { state: 'processing', published_at: null } as const, null],
  ['has failed', { state: 'failed' } as const, null],
  ['is deleted', { deleted_at: ago(0) }, null],
  ['is taken down', down, null],
])('has when a reel was published, or nothing unless it is public: one that %s', async (_, state, at) => {
  const id = await reel(db, { creator_id: asha, at: ago(1), categories: ['dance'] });
  await changeWorks(db, (trx) => trx.updateTable('reels').set(state).where('id', '=', id).execute());
  expect(await published(id)).toEqual({ published_at: at, categories: ['dance'] });
});

it('is changed again when a work becomes public again, or has other categories', async () => {
  const id = await reel(db, { creator_id: asha, at: ago(1) });
  const change = (values: object) =>
    changeWorks(db, (trx) => trx.updateTable('reels').set(values).where('id', '=', id).execute());
  await change(down);
  await change({ taken_down_at: null, taken_down_as: null, categories: ['music'] });
  expect(await published(id)).toEqual({ published_at: ago(1), categories: ['music'] });
});

// The tests have the trigger that refuses it on one PostgreSQL only.
it.skipIf(inject('nodes').length > 1)('what it lacks, a test refuses at the commit', async () => {
  const id = await reel(db, { creator_id: asha, at: ago(1) });
  const hide = db
    .updateTable('reels')
    .set({ deleted_at: ago(0) })
    .where('id', '=', id);
  await expect(hide.execute()).rejects.toThrow(`works does not say what reels has of ${id}`);
  expect(await published(id)).toMatchObject({ published_at: ago(1) });
});

it('leads from an id, however it is written, to the creator, who is looked up once', async () => {
  const [one, other] = [
    await reel(db, { creator_id: asha, at: ago(1) }),
    await reel(db, { creator_id: asha, at: ago(1), deleted_at: ago(0) }),
  ];
  expect(await creatorOf(db, one.toUpperCase())).toBe(asha);
  expect(await creatorOf(db, randomUUID())).toBeUndefined();
  await db.deleteFrom('works').where('id', '=', one).execute();
  expect(await creatorOf(db, one)).toBe(asha);
  expect(await creatorsOf(db, [other.toUpperCase(), one, randomUUID()])).toEqual(
    new Map([
      [one, asha],
      [other, asha],
    ]),
  );
});

it('is filled with all works at once, and a second time changes nothing', async () => {
  await reel(db, { creator_id: asha, at: ago(1) });
  const all = () => db.selectFrom('works').selectAll().orderBy('id').execute();
  const fill = () => inTransaction(db, (trx) => putWorks(trx, 'reel'));
  await fill();
  const before = await all();
  await db.deleteFrom('works').execute();
  await fill();
  expect(await all()).toEqual(before);
  await fill();
  expect(await all()).toEqual(before);
});
