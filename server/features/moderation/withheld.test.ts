import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createServer, type Server } from '#server/boot/create-server.ts';
import { readConfig } from '#server/config.ts';
import { photoIn, publishPicture } from '#testing/fixtures/posts.ts';
import { signUpOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { setPicture } from '../people/profile.ts';

/** Two processes with the same database and folder: an act in the first must take effect in the second. */
let server: TestServer;
let second: Server;
let operator: Person;
let mona: Person;
beforeAll(async () => {
  server = await startTestServer();
  second = await createServer({
    config: readConfig({ DATA_DIR: server.dataDir, ROLE: 'web' }),
    databaseUrl: server.url,
    clock: () => new Date(),
    logger: pino({ level: 'silent' }),
  });
  operator = await signUpOperator(server, 'Ravi');
});
afterAll(async () => {
  await second.close();
  await server.close();
});
beforeEach(async () => {
  mona = await signUpSomebody(server, 'Mona');
});

const act = (path: string, payload: object) =>
  call(server, { method: 'POST', url: `/api/operator/${path}`, headers: operator.headers, payload });
const suspend = () => act(`people/suspend/${mona.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
const restore = () => act(`people/restore/${mona.id}`, {});

/** The responses to these addresses from each of the two. */
async function seen(urls: string[]): Promise<number[]> {
  const answers = [server, second].flatMap(({ app }) => urls.map((url) => app.inject({ url })));
  return (await Promise.all(answers)).map(({ statusCode }) => statusCode);
}

async function keysOf(personId: string): Promise<string[]> {
  const posts = await server.db
    .selectFrom('posts')
    .select('media_key')
    .where('creator_id', '=', personId)
    .execute();
  return posts.map(({ media_key }) => media_key);
}

describe('content of a suspended person', () => {
  it('is served by no process: photos, picture, followers; and is again after they are restored', async () => {
    const { db, dataDir, storage } = server;
    await publishPicture(db, dataDir, mona.id, 'Of the sea', new Date());
    const picture = await photoIn(db, dataDir, mona.id, '#338855', new Date());
    await setPicture({ db, storage, clock: () => new Date() }, mona.id, picture);
    await call(server, { method: 'POST', url: `/api/follow/${mona.id}`, headers: operator.headers });
    const [key] = await keysOf(mona.id);
    const { picture_key } = await db
      .selectFrom('people')
      .select('picture_key')
      .where('id', '=', mona.id)
      .executeTakeFirstOrThrow();
    const urls = [
      `/media/${key}/photo.jpg`,
      `/media/${picture_key}/small.webp`,
      `/api/followers/${mona.id}`,
      `/api/following/${mona.id}`,
      `/api/getuser/${mona.id}`,
    ];
    const all = (status: number) => Array(urls.length * 2).fill(status);
    expect(await seen(urls)).toEqual(all(200));
    await suspend();
    await expect.poll(() => seen(urls)).toEqual(all(404));
    const others = await call(server, { url: `/api/following/${operator.id}` });
    expect(others.data).toEqual([]);
    await restore();
    await expect.poll(() => seen(urls)).toEqual(all(200));
  });

  it('is in no list that another process has cached', async () => {
    const isListed = async ({ app }: Pick<Server, 'app'>) =>
      (await app.inject({ url: '/api/getallUser?limit=100' })).body.includes(mona.id);
    await expect.poll(() => isListed(second)).toBe(true);
    await suspend();
    await expect.poll(() => isListed(second)).toBe(false);
    await restore();
    await expect.poll(() => isListed(second)).toBe(true);
  });

  it('is hidden without affecting content of others', async () => {
    const { db, dataDir } = server;
    await publishPicture(db, dataDir, operator.id, 'Of the hills', new Date(), '#aa5500');
    await publishPicture(db, dataDir, mona.id, 'Of the town', new Date(), '#0055aa');
    const [[hills], [town]] = [await keysOf(operator.id), await keysOf(mona.id)];
    await suspend();
    await expect.poll(() => seen([`/media/${town}/photo.jpg`])).toEqual([404, 404]);
    expect(await seen([`/media/${hills}/photo.jpg`, `/api/followers/${operator.id}`])).toEqual([
      200, 200, 200, 200,
    ]);
  });
});
