import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteAccount } from '#server/features/account-deletion/account-deletion.ts';
import { listStories } from '#server/features/posts-and-stories/stories.ts';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { isWhole } from '#testing/share.ts';
import { before, contextAt, type Demo } from './demo.ts';
import { publishMissing } from './keep-stories.ts';
import { runningAt, stories, timeOf } from './pictures/stories.ts';
import { idOf, joinPeople } from './society.ts';

const begun = new Date('2026-11-23T12:00:00+05:30');
const day = 24 * 60 * 60 * 1000;
const later = (days: number) => before(begun, -days);
const page = { limit: 100, cursor: undefined };
/** Whose stories are drawn and published: in `npm test` a share of them, as if the others had left. */
const tellers = isWhole ? stories.map(({ by }) => by) : ['dev.darya', 'sana.silks', 'ishaan.nights'];
const told = stories.filter(({ by }) => tellers.includes(by));
const textsOf = (some: typeof told) => some.map(({ text }) => text).toSorted();

let server: TestServer;
let demo: Demo;
beforeAll(async () => {
  server = await startTestServer();
  const { db, storage, keyring } = server;
  const ids = await joinPeople(db, 'of the demo 42', begun);
  const { signal } = new AbortController();
  demo = { db, storage, keyring, timeZone: 'Asia/Kolkata', now: begun, ids, signal };
  for (const username of new Set(stories.map(({ by }) => by)))
    if (!tellers.includes(username))
      await deleteAccount(contextAt(demo, begun), idOf(ids, username), idOf(ids, username));
});
afterAll(() => server.close());

const shownAt = async (now: Date) =>
  (await listStories(contextAt(demo, now), page)).data.map(({ statustext }) => statustext).toSorted();

it('at any time each story of the demo has a number that was published in the last 24 hours', () => {
  for (const now of [begun, later(0.3), later(5.5), later(400)]) {
    const numbers = runningAt(now, begun);
    expect(new Set(numbers.map((number) => number % stories.length)).size).toBe(stories.length);
    for (const number of numbers) {
      const age = now.getTime() - timeOf(number, begun).getTime();
      expect(age).toBeGreaterThanOrEqual(0);
      expect(age).toBeLessThan(day);
    }
  }
});

it('the demo publishes its stories, seen by some, and again those that are over, unless their creator has left', async () => {
  await publishMissing(demo, begun);
  await publishMissing(demo, later(0.01));
  expect(await shownAt(later(0.01))).toEqual(textsOf(told));
  const rows = await server.db.selectFrom('stories').select(['duplicate', 'seen_by']).execute();
  expect(rows.filter(({ duplicate }) => duplicate)).toEqual([]);
  expect(Math.min(...rows.map(({ seen_by }) => seen_by))).toBeGreaterThan(0);

  const left = idOf(demo.ids, 'ishaan.nights');
  await deleteAccount(contextAt(demo, later(0.4)), left, left);
  const others = textsOf(told.filter(({ by }) => by !== 'ishaan.nights'));
  expect(await shownAt(later(0.5))).not.toEqual(others);
  await publishMissing(demo, later(0.5));
  expect(await shownAt(later(0.5))).toEqual(others);
});
