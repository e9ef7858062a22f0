import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { createServer, type Server } from '#server/boot/create-server.ts';
import { readConfig } from '#server/config.ts';
import { closeMonths } from '#server/features/months/closing.ts';
import { completeWithdrawal } from '#server/features/payers/by-hand.ts';
import { databaseFolder, startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import { newId } from '#server/platform/ids.ts';
import { contextAt } from '../context.ts';
import { makeClip } from '../fixtures/clips.ts';
import { madeReel } from '../fixtures/earnings.ts';
import { publishPicture, publishStatus } from '../fixtures/posts.ts';
import { writeDump } from './dump.ts';

/*
 * `npx node testing/upgrade/make.ts`: writes what this version stores into `testing/upgrade/<version>.sql`, for
 * `e2e/upgrade.test.ts` of the versions after it. The files of works are not in it.
 */

/** Of everybody. */
const password = 'a long password';
const folder = await mkdtemp(join(tmpdir(), 'jhalak-dump-'));
const postgres = await startEmbeddedPostgres({ directory: databaseFolder(folder), say: () => undefined });
const config = readConfig({ DATA_DIR: folder, JHALAK_DEMO: 'off', MEDIA_PRIORITY: 'normal' });
let now = new Date('2026-07-20T06:00:00Z');
const server = await createServer({
  config,
  databaseUrl: postgres.url,
  clock: () => now,
  logger: pino({ level: 'warn' }),
  // Its clock jumps: months are closed below.
  schedules: false,
});
const later = (minutes: number) => {
  now = new Date(now.getTime() + minutes * 60_000);
};

await fill(server);
await server.close();
const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const file = fileURLToPath(new URL(`./${version}.sql`, import.meta.url));
await writeDump(file, version, { url: postgres.url, keysDir: config.keysDir });
await postgres.stop();
await rm(folder, { recursive: true });
process.stdout.write(`${file}\n`);

async function fill({ db, context }: Server): Promise<void> {
  const [asha, ravi, zoya] = [await signUp('asha'), await signUp('ravi'), await signUp('zoya')];
  const others: Person[] = [];
  for (const name of ['ishaan', 'leela', 'devika', 'tara']) others.push(await signUp(name));
  const publish = (person: Person) => madeReel(contextAt(db, now), person.id, {});
  // Each of these months is worth half a rupee: the second one is paid with what the first one leaves over.
  now = new Date('2026-08-10T06:00:00Z');
  const watched = [await publish(zoya)];
  for (const name of ['uma', 'kabir', 'noor']) watched.push(await publish(await signUp(name)));
  for (let made = 0; made < 50; made += 1) {
    const reel = await publish(asha);
    if (made === 0) watched.push(reel);
  }
  // Ravi and four others become established accounts, without which nothing is left over.
  for (let day = 0; day < 3; day += 1) {
    for (const viewer of [ravi, ...others]) for (const reel of watched) await watch(viewer, reel);
    later(24 * 60);
  }
  now = new Date('2026-09-05T06:00:00Z');
  asha.token = (await signIn('asha')).token;
  for (let made = 0; made < 49; made += 1) await publish(asha);

  const reel = await publishClip(asha, 'Kites over the river');
  const post = await publishPicture(db, folder, asha.id, 'Boats', now);
  await publishStatus(db, folder, asha.id, 'Good morning', now);
  await call('POST', `/api/post/edit/${post}`, { caption: 'Boats at noon' }, asha);
  await watch(ravi, reel);
  await call('POST', `/api/reel/like/${reel}`, undefined, ravi);
  await call('POST', `/api/post/like/${post}`, undefined, ravi);
  await call('POST', `/api/reel/comment/${reel}`, { text: 'So high!', sentAs: newId(now) }, ravi);
  await call('POST', `/api/follow/${asha.id}`, undefined, ravi);
  await call('POST', '/api/notification/register', { device: 'a device of Ravi', platform: 'android' }, ravi);
  await db
    .insertInto('passkeys')
    .values({
      id: newId(now),
      person_id: ravi.id,
      credential_id: 'a credential of Ravi',
      public_key: Buffer.from('a public key'),
      counter: 3,
      transports: ['internal'],
      name: 'A phone',
      is_factor: false,
      created_at: now,
    })
    .execute();

  await setDestination(asha, { kind: 'upi', vpa: 'asha@okaxis' });
  now = new Date('2026-10-02T06:00:00Z');
  await closeMonths(context);
  const form = { userId: asha.id, month: '2026-09', totalRupee: 1 };
  const { data: withdrawal } = await call('POST', '/api/user-earnings/request', form, asha);
  later(60);
  await completeWithdrawal(context, withdrawal._id, { reference: 'UTR 1', operatorId: null });
}

interface Person {
  id: string;
  token: string;
}

async function signUp(username: string): Promise<Person> {
  const email = `${username}@people.example`;
  await call('POST', '/api/signup', { name: username, username, email, password, cpassword: password });
  return await signIn(username);
}

async function signIn(username: string): Promise<Person> {
  const { user, data } = await call('POST', '/api/signin', { email: `${username}@people.example`, password });
  return { id: user._id, token: data };
}

async function watch(person: Person, reel: string): Promise<void> {
  const { lease } = await call('POST', `/api/reel/increaseView/${reel}`, {}, person);
  later(1);
  const { counted } = await call('POST', '/api/reel/watched', { watched: [{ lease, seconds: 30 }] }, person);
  if (counted !== 1) throw new Error('the view did not count');
}

async function publishClip(person: Person, caption: string): Promise<string> {
  const path = join(folder, 'clip.mp4');
  await makeClip(path, { seconds: 2 });
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(await readFile(path))], { type: 'video/mp4' }), 'clip.mp4');
  const { fileName } = await call('POST', '/api/s3Reel/uploadReels', form, person);
  const { data } = await call('POST', '/api/reel/add', { videoKey: fileName, caption }, person);
  for (;;) {
    const { state } = await server.db
      .selectFrom('reels')
      .select('state')
      .where('id', '=', data._id)
      .executeTakeFirstOrThrow();
    if (state === 'ready') return data._id;
    if (state === 'failed') throw new Error('the clip could not be encoded');
    await sleep(100);
  }
}

async function setDestination(person: Person, params: object): Promise<void> {
  const act = { act: 'set_destination', params, password };
  const { confirmation } = await call('POST', '/api/confirm', act, person);
  await call('PUT', '/api/payout/destination', params, person, { 'x-confirmation': confirmation });
}

/** Calls the API like an app, and returns what it answers. */
async function call(
  method: 'GET' | 'POST' | 'PUT',
  url: string,
  body?: object,
  person?: Person,
  more: Record<string, string> = {},
) {
  const sent = body instanceof FormData ? new Response(body) : undefined;
  const headers = {
    'user-agent':
      'Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36',
    ...(person ? { authorization: `Bearer ${person.token}` } : {}),
    ...(sent ? { 'content-type': sent.headers.get('content-type') ?? '' } : {}),
    ...more,
  };
  const payload = sent ? Buffer.from(await sent.arrayBuffer()) : body;
  const answer = await server.app.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}: ${answer.body}`);
  return answer.json();
}
