import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { contextAt } from '#testing/context.ts';
import { photoIn } from '#testing/fixtures/posts.ts';
import { publishReel } from '#testing/fixtures/reels.ts';
import { dumpOf } from '#testing/models/database-dump.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { storedName, storedUsername } from '../people/name-keys.ts';
import { lockPostAgainstDeletion, publishPost } from '../posts-and-stories/posts.ts';
import { publishStory } from '../posts-and-stories/stories.ts';
import { listDevices } from './devices.ts';
import { notifyFollowers } from './fan-out.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
beforeAll(async () => {
  server = await startTestServer();
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server, 'Binod')];
  await call(server, { method: 'POST', url: `/api/follow/${asha.id}`, headers: binod.headers });
});
afterAll(() => server.close());

const heard = async () =>
  (
    await call(server, { url: `/api/notification/getNotifications/${binod.id}`, headers: binod.headers })
  ).data.map(({ kind, aboutId }: { kind: string; aboutId: string }) => ({ kind, aboutId }));
async function untilHeard(kind: string, aboutId: string) {
  await expect.poll(heard).toContainEqual({ kind, aboutId });
}
const photo = (hue: string) => photoIn(server.db, server.dataDir, asha.id, hue, new Date());

describe('new content of people one follows (decisions §5)', () => {
  it('notifies followers of each reel, post and story', async () => {
    await untilHeard('new_reel', await publishReel(server, asha));
    const form = { fileName: await photo('#123456'), caption: '', description: '' };
    const post = await publishPost(server.context, asha.id, form);
    await untilHeard('new_post', post.id);
    const status = { fileName: await photo('#345678'), statusText: '' };
    const story = await publishStory(server.context, asha.id, status);
    await untilHeard('new_story', story.id);
  });

  it('notifies each of many followers once, even if the job is retried', async () => {
    const many = 2500;
    const now = new Date();
    const ids = Array.from({ length: many }, () => newId(now));
    await server.db
      .insertInto('people')
      .values(
        ids.map((id) => ({
          id,
          ...storedName(id),
          ...storedUsername(id),
          email: id,
          email_key: id,
          password_hash: 'none',
          created_at: now,
        })),
      )
      .execute();
    await server.db
      .insertInto('follows')
      .values(ids.map((id) => ({ follower_id: id, followee_id: asha.id, followed_at: now })))
      .execute();
    const form = { fileName: await photo('#567890'), caption: '', description: '' };
    const { id: aboutId } = await publishPost(contextAt(server.db, now), asha.id, form);
    const publication = { kind: 'new_post' as const, senderId: asha.id, aboutId, at: now.toISOString() };
    const { signal } = new AbortController();
    for (let n = 0; n < 2; n += 1)
      await notifyFollowers(server.db, publication, lockPostAgainstDeletion, signal);
    const { notified } = await server.db
      .selectFrom('notifications')
      .select((eb) => eb.fn.countAll<number>().as('notified'))
      .where('about_id', '=', aboutId)
      .executeTakeFirstOrThrow();
    expect(notified).toBe(many + 1);
  });

  it('notifies no followers if the content has been deleted', async () => {
    const publication = {
      kind: 'new_post' as const,
      senderId: asha.id,
      aboutId: newId(new Date()),
      at: new Date().toISOString(),
    };
    await notifyFollowers(server.db, publication, lockPostAgainstDeletion, new AbortController().signal);
    expect(await heard()).not.toContainEqual({ kind: 'new_post', aboutId: publication.aboutId });
  });
});

describe('a registered device (decisions §5)', () => {
  const register = (person: Person, device: string, more: object = { platform: 'android' }) =>
    server.inject({
      method: 'POST',
      url: '/api/notification/register',
      headers: person.headers,
      payload: { device, ...more },
    });
  const owners = async (device: string) =>
    (
      await Promise.all(
        [asha, binod].map(async ({ id }) =>
          (await listDevices(server.context, id)).filter(({ token }) => token === device).map(() => id),
        ),
      )
    ).flat();

  it('belongs to one person at a time, and only they can unregister it', async () => {
    for (const person of [asha, asha, binod]) await register(person, 'device-1');
    expect(await owners('device-1')).toEqual([binod.id]);
    const unregister = (person: Person) =>
      server.inject({
        method: 'POST',
        url: '/api/notification/unregister',
        headers: person.headers,
        payload: { device: 'device-1' },
      });
    await unregister(asha);
    expect(await owners('device-1')).toEqual([binod.id]);
    await unregister(binod);
    expect((await unregister(binod)).statusCode).toBe(200);
    expect(await owners('device-1')).toEqual([]);
  });

  it('is stored encrypted', async () => {
    await register(asha, 'device-3');
    expect(await owners('device-3')).toEqual([asha.id]);
    const dump = await dumpOf(server.db);
    expect(dump).not.toContain('device-3');
    expect(dump).not.toContain(Buffer.from('device-3').toString('hex'));
  });

  it('needs a token and a platform', async () => {
    expect((await register(asha, ' ')).statusCode).toBe(400);
    expect((await register(asha, 'device-2', { platform: 'toaster' })).json().error).toBe(
      'platform is android or ios.',
    );
    expect(await owners('device-2')).toEqual([]);
  });
});
