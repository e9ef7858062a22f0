import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { photoIn } from '#testing/fixtures/posts.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { deleteStory } from './deletion.ts';
import { deleteSeenStories } from './seen-stories.ts';
import { publishStory } from './stories.ts';

const hour = 3_600_000;
const start = new Date('2026-03-10T08:00:00Z');
let server: TestServer;
let asha: Person;
let ravi: Person;
let meena: Person;
let hues = 0x102030;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.now.value = start;
  await server.db.updateTable('stories').set({ deleted_at: start }).execute();
  [asha, ravi, meena] = await Promise.all([
    signUpSomebody(server, 'Asha'),
    signUpSomebody(server, 'Ravi'),
    signUpSomebody(server, 'Meena'),
  ]);
});

async function story(person: Person, hours = 0): Promise<string> {
  server.now.value = new Date(start.getTime() + hours * hour);
  hues += 0x010101;
  const hue = `#${hues.toString(16)}`;
  const fileName = await photoIn(server.db, server.dataDir, person.id, hue, server.now.value);
  return (await publishStory(server.context, person.id, { fileName, statusText: 'On the roof' })).id;
}

const get = (path: string, person?: Person) =>
  call(server, { url: `/api/story/${path}`, ...(person ? { headers: person.headers } : {}) });
const see = (id: string, { headers }: Person) =>
  server.inject({ method: 'POST', url: `/api/story/seen/${id}`, headers });
const follow = (whom: Person, { headers }: Person) =>
  call(server, { method: 'POST', url: `/api/follow/${whom.id}`, headers });
const seenBy = async (person: Person) =>
  (await get(`getFriendStorydata/${person.id}`, person)).data.map((one: { seenBy: number }) => one.seenBy);
const people = async () => (await get('people')).data.map((one: { userId: string }) => one.userId);

describe('the people with stories', () => {
  it('are each there once, by their newest story, and only for its 24 hours', async () => {
    await story(asha);
    await story(ravi, 1);
    const newest = await story(asha, 2);
    await expect.poll(people).toEqual([asha.id, ravi.id]);
    expect((await get('people')).data[0]).toMatchObject({ storyId: newest, username: asha.username });

    server.now.value = new Date(start.getTime() + 25 * hour);
    await expect.poll(people).toEqual([asha.id]);
    server.now.value = new Date(start.getTime() + 26 * hour);
    await expect.poll(people).toEqual([]);
  });

  it('are listed in pages', async () => {
    await story(asha);
    await story(ravi, 1);
    await expect.poll(people).toEqual([ravi.id, asha.id]);
    const first = await get('people?limit=1');
    expect(first.data).toMatchObject([{ userId: ravi.id }]);
    const second = await get(`people?limit=1&cursor=${first.nextCursor}`);
    expect(second).toMatchObject({ data: [{ userId: asha.id }], nextCursor: null });
  });

  it('are there by the one before if the newest is deleted', async () => {
    const before = await story(asha);
    const newest = await story(asha, 1);
    await deleteStory(server.context, newest, asha.id);
    await expect.poll(async () => (await get('people')).data).toMatchObject([{ storyId: before }]);
  });
});

describe("a person's row of stories", () => {
  it('has the people whom they follow, and up to which story they saw whose', async () => {
    const [first, second] = [await story(asha), await story(asha, 1)];
    await story(ravi, 2);
    await follow(ravi, meena);
    await see(second, meena);
    await see(first, meena);
    expect(await get('row', meena)).toMatchObject({
      followed: [{ userId: ravi.id }],
      seen: [{ userId: asha.id, storyId: second }],
    });
  });

  it('has nothing of a story whose 24 hours are over', async () => {
    const id = await story(asha);
    await follow(asha, meena);
    await see(id, meena);
    server.now.value = new Date(start.getTime() + 24 * hour);
    expect(await get('row', meena)).toMatchObject({ followed: [], seen: [] });
  });
});

describe('how many people saw a story', () => {
  it('counts each signed-in person once, and not its owner', async () => {
    const id = await story(asha);
    for (const person of [ravi, ravi, meena, asha]) expect((await see(id, person)).statusCode).toBe(200);
    await Promise.all([see(id, ravi), see(id, ravi)]);
    expect(await seenBy(asha)).toEqual([2]);
  });

  it('is shown to its owner only', async () => {
    const id = await story(asha);
    await see(id, ravi);
    for (const viewer of [undefined, ravi]) {
      const [shown] = (await get(`getFriendStorydata/${asha.id}`, viewer)).data;
      expect(shown).not.toHaveProperty('seenBy');
    }
    await expect.poll(async () => (await get('getallStorys')).data).toHaveLength(1);
    for (const shown of (await get('getallStorys', asha)).data) expect(shown).not.toHaveProperty('seenBy');
  });

  it('stays when it is forgotten who saw it, at the end of its 24 hours', async () => {
    const id = await story(asha);
    await see(id, ravi);
    const rows = () => server.db.selectFrom('seen_stories').selectAll().where('story_id', '=', id).execute();
    server.now.value = new Date(start.getTime() + 24 * hour - 1);
    await deleteSeenStories(server.context);
    expect(await rows()).toHaveLength(1);

    server.now.value = new Date(start.getTime() + 24 * hour);
    await deleteSeenStories(server.context);
    expect(await rows()).toEqual([]);
    expect(await seenBy(asha)).toEqual([1]);
    expect((await see(id, ravi)).statusCode).toBe(404);
  });

  it('has nobody who saw it after it was deleted', async () => {
    const id = await story(asha);
    await deleteStory(server.context, id, asha.id);
    expect((await see(id, ravi)).statusCode).toBe(404);
  });
});
