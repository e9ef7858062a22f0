import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { photoIn } from '#testing/fixtures/posts.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { publishStory } from './stories.ts';

const hour = 3_600_000;
const start = new Date('2026-03-10T08:00:00Z');
let server: TestServer;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer();
  server.now.value = start;
  asha = await signUpSomebody(server);
  const fileName = await photoIn(server.db, server.dataDir, asha.id, '#2f9c8f', start);
  await publishStory(server.context, asha.id, { fileName, statusText: 'On the roof' });
});
afterAll(() => server.close());

const seen = async (path: string, headers: Record<string, string> = {}) =>
  (await call(server, { url: `/api/story/${path}`, headers })).data;

describe('a story (decisions §7)', () => {
  it('is public for 24 hours, and visible to its owner afterwards', async () => {
    const own = `getFriendStorydata/${asha.id}`;
    server.now.value = new Date(start.getTime() + 24 * hour - 1);
    expect(await seen('getallStorys')).toMatchObject([
      { userId: asha.id, statustext: 'On the roof', type: 'image', finish: 0 },
    ]);
    expect(await seen(own)).toHaveLength(1);

    server.now.value = new Date(start.getTime() + 24 * hour);
    // The public list may be cached for a second.
    await expect.poll(() => seen('getallStorys')).toEqual([]);
    expect(await seen(own)).toEqual([]);
    expect(await seen(own, asha.headers)).toMatchObject([{ finish: 1 }]);
  });
});
