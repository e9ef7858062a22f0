import { execFile } from 'node:child_process';
import { readdir, readFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Client, signUpAt, untilPublic, uploadTo } from '#testing/clients/api-client.ts';
import { senderTo } from '#testing/clients/tus-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { type S3Process, startS3Process } from '#testing/servers/s3/process.ts';

/*
 * Two programs with separate disks share one PostgreSQL and one bucket; the S3 server is a process of its own.
 */
let data: Awaited<ReturnType<typeof dataFolder>>;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let s3: S3Process;
let one: Program;
let other: Program;
let creator: Client;
let clips = 0;
beforeAll(async () => {
  [data, database] = await Promise.all([dataFolder(), freshDatabase()]);
  s3 = await startS3Process(join(data.path, 'store'));
  [one, other] = await Promise.all([start('one'), start('other')]);
  creator = await signUpAt(one.origin, 'asha');
});
afterAll(async () => {
  await Promise.all([one?.stop(), other?.stop()]);
  await s3?.kill();
  await database?.drop();
  await data?.remove();
});

const start = (name: string) =>
  startProgram({
    DATABASE_URL: database.url,
    DATA_DIR: join(data.path, name),
    KEYS_DIR: join(data.path, 'keys'),
    S3_TIMEOUT_SECONDS: '2',
    ...s3.settings,
  });
const bucket = async () =>
  (await readdir(join(data.path, 'store', 'objects'))).map((name) => decodeURIComponent(name)).sort();
const workspaces = async () =>
  (await Promise.all(['one', 'other'].map((name) => readdir(join(data.path, name, 'workspaces'))))).flat();

async function clip(): Promise<Uint8Array<ArrayBuffer>> {
  clips += 1;
  const path = join(data.path, `clip-${clips}.mp4`);
  await makeClip(path, { seconds: 2, source: `testsrc2=size=270x480:rate=25,hue=h=${clips * 40}` });
  return new Uint8Array(await readFile(path));
}
async function publish(videoKey: string, at = one): Promise<string> {
  const response = await fetch(`${at.origin}/api/reel/add`, {
    method: 'POST',
    headers: { authorization: `Bearer ${creator.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ videoKey, caption: 'Of two machines' }),
  });
  return (await response.json()).data._id;
}

it('a reel uploaded in chunks to two servers is processed by either, plays from both, and leaves the bucket when deleted', async () => {
  const bytes = await clip();
  const [toOne, toOther] = [senderTo(one.origin, creator.token), senderTo(other.origin, creator.token)];
  const address = (await toOne.begin('reel', bytes.length)).headers.get('location') ?? '';
  const [third, half] = [Math.floor(bytes.length / 3), bytes.length >> 1];
  expect((await toOne.patch(address, 0, bytes.slice(0, third))).status).toBe(204);
  expect(await toOther.offset(address)).toBe(third);
  expect((await toOther.patch(address, third, bytes.slice(third, half))).status).toBe(204);
  expect((await toOne.patch(address, third, bytes.slice(third))).status).toBe(409);
  expect((await toOne.patch(address, half, bytes.slice(half))).status).toBe(204);
  // Requested from both at once, it is probed once.
  const answers = await Promise.all([toOne, toOther, toOne, toOther].map((sender) => sender.finish(address)));
  expect(new Set(answers.map(({ status, body }) => `${status} ${body.fileName}`)).size).toBe(1);
  const key = answers[0]?.body.fileName as string;
  expect(await bucket()).toEqual([`inbox/${key}/0-${bytes.length}`]);

  const id = await publish(key, other);
  await untilPublic(one.origin, id);
  const { data: reel } = await (await fetch(`${one.origin}/api/reel/getReel/${id}`)).json();
  const shown: Buffer[] = [];
  for (const { origin } of [one, other]) {
    const whole = await fetch(`${origin}${reel.videourl}`);
    expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'video/mp4']);
    shown.push(Buffer.from(await whole.arrayBuffer()));
    const part = await fetch(`${origin}${reel.videourl}`, { headers: { range: 'bytes=100-199' } });
    expect([part.status, Buffer.from(await part.arrayBuffer())]).toEqual([206, shown[0]?.subarray(100, 200)]);
  }
  expect(shown[0]?.equals(shown[1] ?? Buffer.alloc(0))).toBe(true);
  expect(shown[0]?.subarray(4, 8).toString()).toBe('ftyp');
  expect((await bucket()).every((name) => name.startsWith(`media/${key}/`))).toBe(true);

  const deleted = await fetch(`${other.origin}/api/reel/deleteReel/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${creator.token}` },
  });
  expect(deleted.status).toBe(200);
  expect(await bucket()).toEqual([]);
  expect((await fetch(`${one.origin}${reel.videourl}`)).status).toBe(404);
  expect(await workspaces()).toEqual([]);
});

it('refuses uploads while the store is down, serves the rest, and deletes the files when the store is back', async () => {
  const bytes = Buffer.from(await clip());
  const { fileName } = await uploadTo(one.origin, creator.token, bytes);
  const id = await publish(fileName);
  await untilPublic(other.origin, id);
  const waiting = await uploadTo(other.origin, creator.token, Buffer.from(await clip()));
  const sender = senderTo(one.origin, creator.token);
  const address = (await sender.begin('reel', 1000)).headers.get('location') ?? '';
  const { port } = new URL(s3.origin);
  await s3.kill();

  await expect(uploadTo(one.origin, creator.token, Buffer.from(await clip()))).rejects.toThrow(
    /503: .*We cannot reach our file storage right now\. Please try again in a minute\./,
  );
  const { status, body } = await sender.patch(address, 0, new Uint8Array(1000));
  expect([status, body.trim()]).toEqual([
    503,
    'We cannot reach our file storage right now. Please try again in a minute.',
  ]);
  expect((await fetch(`${one.origin}/api/reel/getReel/${id}`)).status).toBe(200);
  const late = await publish(waiting.fileName);
  const deleted = await fetch(`${one.origin}/api/reel/deleteReel/${id}`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${creator.token}` },
  });
  expect(deleted.status).toBe(200);
  expect((await bucket()).filter((name) => name.includes(fileName)).length).toBeGreaterThan(0);

  s3 = await startS3Process(join(data.path, 'store'), Number(port));
  // Uploads that had been acknowledged are processed now by the remaining retries; files of deleted reels are removed.
  await untilPublic(other.origin, late);
  await expect
    .poll(async () => (await bucket()).filter((name) => !name.startsWith(`media/${waiting.fileName}/`)))
    .toEqual([]);
  expect(await workspaces()).toEqual([]);
});

it('the audit finds that rows and objects agree', async () => {
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    DATABASE_URL: database.url,
    DATA_DIR: join(data.path, 'desk'),
    KEYS_DIR: join(data.path, 'keys'),
  };
  const audit = ['server/admin/main.ts', 'media', 'audit', '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, audit, { env: { ...env, ...s3.settings } });
  const { rows, files, differences } = JSON.parse(stdout);
  expect(differences).toEqual([]);
  expect([rows > 0, files > 0]).toEqual([true, true]);
});

it('an upload resumes on the other server from the acknowledged bytes when its server is killed', async () => {
  const bytes = await clip();
  const half = bytes.length >> 1;
  const toOne = senderTo(one.origin, creator.token);
  const address = (await toOne.begin('reel', bytes.length)).headers.get('location') ?? '';
  expect((await toOne.patch(address, 0, bytes.slice(0, half))).status).toBe(204);
  const sending = await toOne.startSending(address, bytes.slice(half), 1000, half);
  await expect.poll(async () => (await workspaces()).length).toBe(1);
  await one.kill();
  await sending.cut();
  const toOther = senderTo(other.origin, creator.token);
  expect(await toOther.offset(address)).toBe(half);
  expect((await toOther.patch(address, half, bytes.slice(half))).status).toBe(204);
  const { body } = await toOther.finish(address);
  await untilPublic(other.origin, await publish(body.fileName, other));
  // Files that the killed server left on its own disk are swept when they are old enough.
  const [left = ''] = await workspaces();
  const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
  await utimes(join(data.path, 'one', 'workspaces', left), longAgo, longAgo);
  one = await start('one');
  await expect.poll(workspaces).toEqual([]);
});
