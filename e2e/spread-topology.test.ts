import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startFront } from '#deploy/loopback/front.ts';
import { providePackages } from '#deploy/loopback/packages.ts';
import type { Part } from '#deploy/loopback/parts.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { listSpread, spreadTables } from '#server/platform/database/spread.ts';
import { type Client, clientAt, signUpAt, untilPublic } from '#testing/clients/api-client.ts';
import { senderTo } from '#testing/clients/tus-client.ts';
import { anotherFilm } from '#testing/fixtures/reels.ts';
import { adminOn } from '#testing/servers/admin-command.ts';
import { freshDatabase, type TestDatabase } from '#testing/servers/postgres.ts';
import { browser } from '#testing/servers/test-server.ts';

/*
 * Only on a cluster: `npm run test:citus`. What `deploy/` has in front of a database, in front of a coordinator whose tables are all
 * spread. Each test goes on with the site of those before it.
 */

let folder: string;
let database: TestDatabase;
let front: Awaited<ReturnType<typeof startFront>>;
let creator: Client;
let fan: Client;
let reel: string;
beforeAll(async () => {
  providePackages();
  folder = await mkdtemp(join(tmpdir(), 'jhalak-front-'));
  database = await freshDatabase();
  const address = new URL(database.url);
  // pgbouncer requires a password, although the nodes have the authentication method `trust`.
  address.password ||= 'secret';
  front = await startFront({ folder, databaseUrl: address.href });
  creator = await signUpAt(front.origin, 'asha');
  fan = await signUpAt(front.origin, 'binod');
});
afterAll(async () => {
  await front?.stop();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

/** The client at each web server itself. */
const atBoth = ({ token, user }: Client) => front.webOrigins.map((origin) => clientAt(origin, token, user));

/** The body of a success. */
async function send(client: Client, method: string, path: string, body?: object) {
  const answer = await client.send(method, path, body);
  expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBe(200);
  // biome-ignore lint/suspicious/noExplicitAny: each call has another one.
  return answer.body as any;
}

async function publish(client: Client, caption: string): Promise<string> {
  const path = join(folder, 'clip.mp4');
  await writeFile(path, await anotherFilm());
  return await client.publish(path, caption);
}

/** Calls a web server as a visitor of this address. */
async function visit(origin: string, address: string, path: string, body: object) {
  const response = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'user-agent': browser, 'x-forwarded-for': address },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(200);
  return await response.json();
}

/** A visitor is shown a reel at one web server and reports at the other that it was watched, as soon as that counts. */
async function watch(id: string, address: string, [first, second] = front.webOrigins): Promise<string> {
  const { lease } = await visit(first, address, `/api/reel/increaseView/${id}`, {});
  await expect.poll(() => report(second, address, lease)).toBe(1);
  return lease;
}

const report = async (origin: string, address: string, lease: string): Promise<number> =>
  (await visit(origin, address, '/api/reel/watched', { watched: [{ lease, seconds: 1 }] })).counted;

const addressOf = (visitor: number) => `10.1.2.${visitor}`;

async function totalViews(): Promise<number[]> {
  const answers = atBoth(creator).map((client) =>
    send(client, 'GET', `/api/reel/totalViewsByUser/${creator.id}`),
  );
  return (await Promise.all(answers)).map(({ totalViews }) => totalViews);
}

async function notificationsOf(client: Client): Promise<string[]> {
  const { data } = await send(client, 'GET', `/api/notification/getNotifications/${client.id}`);
  return data
    .map(({ kind, username }: { kind: string; username: string }) => `${kind} of ${username}`)
    .sort();
}

it('programs behind pgbouncer find all tables spread', async () => {
  const db = await openDatabase(front.pooled, 1);
  expect(await listSpread(db)).toEqual(spreadTables);
  await db.destroy();
});

it('a reel uploaded in chunks to both web servers is processed, stored in the bucket, and served by the cache', async () => {
  const bytes = new Uint8Array(await anotherFilm());
  const [one, other] = front.webOrigins.map((origin) => senderTo(origin, creator.token));
  const address = (await one?.begin('reel', bytes.length))?.headers.get('location') ?? '';
  const half = bytes.length >> 1;
  expect((await one?.patch(address, 0, bytes.slice(0, half)))?.status).toBe(204);
  expect(await other?.offset(address)).toBe(half);
  expect((await other?.patch(address, half, bytes.slice(half)))?.status).toBe(204);
  const { fileName } = (await senderTo(front.origin, creator.token).finish(address)).body;
  reel = (await send(creator, 'POST', '/api/reel/add', { videoKey: fileName, caption: 'Spread' })).data._id;
  await untilPublic(front.origin, reel);

  const { data } = await (await fetch(`${front.origin}/api/reel/getReel/${reel}`)).json();
  const file = await fetch(`${front.origin}${data.videourl}`);
  expect([
    file.status,
    Buffer.from(await file.arrayBuffer())
      .subarray(4, 8)
      .toString(),
  ]).toEqual([200, 'ftyp']);
  const again = await fetch(`${front.origin}${data.videourl}`, { headers: { range: 'bytes=100-199' } });
  expect([again.status, again.headers.get('x-cache')]).toEqual([206, 'HIT']);
  await again.arrayBuffer();
  const key = data.videourl.split('/')[2];
  const stored = (await readdir(join(folder, 'store', 'objects'))).map((name) => decodeURIComponent(name));
  expect(stored.filter((name) => name.startsWith(`media/${key}/`))).not.toEqual([]);
});

it('a like, a comment and a follow are seen at both web servers, and each notifies the creator once', async () => {
  const comment = { text: 'Seen by all', sentAs: crypto.randomUUID() };
  // Each is sent to both, as a retry that another web server answers.
  for (const client of atBoth(fan)) {
    await send(client, 'POST', `/api/reel/like/${reel}`);
    await send(client, 'POST', `/api/reel/comment/${reel}`, comment);
    await send(client, 'POST', `/api/follow/${creator.id}`);
  }
  for (const client of atBoth(fan)) {
    expect((await send(client, 'POST', '/api/liked', { ids: [reel] })).data).toEqual([reel]);
    const { data } = await send(client, 'GET', `/api/reel/comments/${reel}`);
    expect(data.map(({ text }: { text: string }) => text)).toEqual([comment.text]);
    const followers = await send(client, 'GET', `/api/followers/${creator.id}`);
    expect(followers.data.map(({ username }: { username: string }) => username)).toEqual(['binod']);
  }
  const all = ['comment of binod', 'follow of binod', 'like_reel of binod'];
  for (const client of atBoth(creator)) await expect.poll(() => notificationsOf(client)).toEqual(all);
});

it('a publication notifies the followers, once a worker has processed it', async () => {
  await publish(creator, 'For those who follow');
  await expect.poll(() => notificationsOf(fan)).toEqual(['new_reel of asha']);
});

it('a view counts once, whichever web server it is reported to, and views at both at once all count', async () => {
  const lease = await watch(reel, addressOf(1));
  for (const origin of front.webOrigins) expect(await report(origin, addressOf(1), lease)).toBe(0);
  expect(await totalViews()).toEqual([1, 1]);
  const [one, other] = front.webOrigins;
  await Promise.all(
    [2, 3, 4, 5, 6, 7].map((visitor) =>
      watch(reel, addressOf(visitor), visitor % 2 ? [one, other] : [other, one]),
    ),
  );
  expect(await totalViews()).toEqual([7, 7]);
});

it('both web servers read the same earnings, with each reel and view once', async () => {
  for (const client of atBoth(creator)) {
    const { data } = await send(client, 'GET', `/api/user-earnings/history/${creator.id}`);
    const sum = (of: string) =>
      data.data.reduce((all: number, row: Record<string, number>) => all + (row[of] ?? 0), 0);
    expect([sum('reels'), sum('views')]).toEqual([2, 7]);
    expect(data.totalCoins).toBeGreaterThan(0);
  }
});

it('with a web server and a worker killed, people sign up, publish and watch; both go on after a start', async () => {
  const parts = [front.webs[0], front.workers[0]] as Part[];
  for (const part of parts) await part.kill();
  const late = await signUpAt(front.origin, 'late');
  const published = await publish(late, 'Meanwhile');
  await watch(published, addressOf(8), [front.origin, front.origin]);
  await watch(reel, addressOf(9), [front.origin, front.origin]);
  for (const part of parts) await part.start();
  for (const origin of front.webOrigins) expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  expect(await totalViews()).toEqual([8, 8]);
});

it('a deleted account takes its comments, follows and notifications with it', async () => {
  await send(fan, 'DELETE', `/api/delete/${fan.id}`);
  for (const client of atBoth(creator)) {
    expect((await send(client, 'GET', `/api/reel/comments/${reel}`)).data).toEqual([]);
    expect((await send(client, 'GET', `/api/followers/${creator.id}`)).data).toEqual([]);
    expect(await notificationsOf(client)).toEqual([]);
  }
  const db = await openDatabase(database.url, 1);
  for (const [table, column] of [
    ['reel_comments', 'person_id'],
    ['notifications', 'person_id'],
    ['notifications', 'sender_id'],
  ] as const)
    expect(await db.selectFrom(table).select('id').where(sql.ref(column), '=', fan.id).execute()).toEqual([]);
  await db.destroy();
  for (const client of atBoth(fan))
    expect((await client.send('GET', `/api/notification/getNotifications/${fan.id}`)).status).toBe(401);
});

it('the audit of the ledger finds no difference', async () => {
  const settings = { ...front.settings, DATABASE_URL: database.url, DATA_DIR: join(folder, 'admin') };
  expect(await adminOn(settings, ['ledger', 'audit'])).toMatchObject({ code: 0, err: '' });
});
