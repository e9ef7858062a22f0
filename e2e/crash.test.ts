import { once } from 'node:events';
import { readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweep } from '#server/features/stored-files/sweeper.ts';
import { deleteExpiredUploads } from '#server/features/uploads/expiry.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import { type Client, signUpAt, untilPublic, uploadTo } from '#testing/clients/api-client.ts';
import { senderTo } from '#testing/clients/tus-client.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';

/*
 * The server is killed at the worst moments and restarted: nothing acknowledged is lost, nothing half-finished is public.
 */
let data: Awaited<ReturnType<typeof dataFolder>>;
let program: Program;
let creator: Client;
let clips = 0;
beforeAll(async () => {
  data = await dataFolder();
  program = await startProgram({ DATA_DIR: data.path });
  creator = await signUpAt(program.origin, 'survivor');
});
afterAll(async () => {
  await program?.stop();
  await data?.remove();
});

async function killAndStart() {
  await program.kill();
  program = await startAgain();
}

/** On the same port, so that clients find it again. */
const startAgain = () => startProgram({ DATA_DIR: data.path, PORT: new URL(program.origin).port });

async function clip(seconds: number): Promise<string> {
  clips += 1;
  const path = join(data.path, `clip-${clips}.mp4`);
  await makeClip(path, {
    seconds,
    width: 720,
    height: 1280,
    source: `testsrc2=size=720x1280:rate=25,hue=h=${clips * 40}`,
  });
  return path;
}

const publicIds = async () =>
  (await (await fetch(`${program.origin}/api/reel/getallReels?limit=100`)).json()).data.map(
    (reel: { _id: string }) => reel._id,
  );

it('during an upload: nothing becomes public, and the partial file is swept', async () => {
  const bytes = await readFile(await clip(1));
  const { port } = new URL(program.origin);
  const sending = request({
    port,
    method: 'POST',
    path: '/api/s3Reel/uploadReels',
    headers: {
      authorization: `Bearer ${creator.token}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': bytes.length + 300,
    },
  });
  sending.on('error', () => undefined);
  sending.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n');
  sending.write(bytes.subarray(0, bytes.length >> 1));
  const inbox = join(data.path, 'inbox');
  await expect.poll(async () => (await readdir(inbox)).length).toBe(1);
  const before = await publicIds();
  await killAndStart();
  expect(await publicIds()).toEqual(before);

  const db = await openDatabase(await readFile(join(data.path, 'postgres.url'), 'utf8'));
  const storage = await openDiskStorage(data.path);
  // It has no row: it is put into quarantine, and deleted after a week.
  for (const days of [0.1, 7.2]) {
    const clock = () => new Date(Date.now() + days * 24 * 60 * 60 * 1000);
    await deleteExpiredUploads({ db, clock });
    await sweep({ db, storage, clock });
  }
  await db.destroy();
  expect(await readdir(inbox)).toEqual([]);
});

it('during a resumable upload: acknowledged bytes are kept, and only the rest is sent', async () => {
  const bytes = new Uint8Array(await readFile(await clip(1)));
  const half = bytes.length >> 1;
  const sender = senderTo(program.origin, creator.token);
  const address = (await sender.begin('reel', bytes.length)).headers.get('location') ?? '';
  expect((await sender.patch(address, 0, bytes.slice(0, half))).status).toBe(204);
  const sending = await sender.startSending(address, bytes.slice(half), 1000, half);
  await expect
    .poll(async () => (await stat(join(data.path, 'inbox', address.split('/').at(-1) ?? ''))).size)
    .toBe(half + 1000);
  await killAndStart();
  await sending.cut();
  const offset = (await sender.offset(address)) ?? 0;
  expect(offset).toBe(half + 1000);
  expect((await sender.patch(address, offset, bytes.slice(offset))).status).toBe(204);
  const { fileName } = (await sender.finish(address)).body;
  await killAndStart();
  // Requested again after another kill, it is the same file and can be published.
  expect((await sender.finish(address)).body.fileName).toBe(fileName);
  const { body } = await creator.send('POST', '/api/reel/add', { videoKey: fileName });
  await untilPublic(program.origin, (body as unknown as { data: { _id: string } }).data._id);
});

it('during a transcode: the reel is processed completely and once after the restart', async () => {
  const { fileName } = await uploadTo(program.origin, creator.token, await readFile(await clip(4)));
  const { body } = await creator.send('POST', '/api/reel/add', { videoKey: fileName, caption: 'Survivor' });
  const id = (body as unknown as { data: { _id: string } }).data._id;
  // A workspace exists while a transcode runs.
  await expect
    .poll(async () => (await readdir(join(data.path, 'workspaces'))).length, { interval: 10 })
    .toBeGreaterThan(0);
  await killAndStart();
  expect(await publicIds()).not.toContain(id);
  await untilPublic(program.origin, id);
  const { data: reel } = await (await fetch(`${program.origin}/api/reel/getReel/${id}`)).json();
  expect(reel).toMatchObject({ state: 'ready', width: 720, height: 1280 });
  expect((await fetch(`${program.origin}${reel.videourl}`)).status).toBe(200);
  const user = await (await fetch(`${program.origin}/api/getuser/${creator.id}`)).json();
  expect(user.data.reelCount).toBe((await publicIds()).length);
});

it('during a burst of views: the count has every acknowledged view and no other', async () => {
  const id = await creator.publish(await clip(1), 'Burst');
  let sent = 0;
  let acknowledged = 0;
  let dying = false;
  const viewer = async (number: number) => {
    while (!dying) {
      sent += 1;
      try {
        const response = await fetch(`${program.origin}/api/reel/increaseView/${id}`, {
          method: 'POST',
          headers: { 'user-agent': `Mozilla/5.0 viewer ${number}` },
        });
        if (response.ok) acknowledged += 1;
        else if (response.status === 429) return;
        await response.arrayBuffer();
      } catch {
        return;
      }
    }
  };
  const viewers = Array.from({ length: 16 }, (_, number) => viewer(number));
  await expect.poll(() => acknowledged, { interval: 5 }).toBeGreaterThan(60);
  const ended = once(program.child, 'close');
  program.child.kill('SIGKILL');
  dying = true;
  await Promise.all([...viewers, ended]);
  program = await startAgain();
  const { data: reel } = await (await fetch(`${program.origin}/api/reel/getReel/${id}`)).json();
  expect(reel.views).toBeGreaterThanOrEqual(acknowledged);
  expect(reel.views).toBeLessThanOrEqual(sent);

  const db = await openDatabase(await readFile(join(data.path, 'postgres.url'), 'utf8'));
  const days = await db
    .selectFrom('reel_days')
    .select('views')
    .where('reel_id', '=', id)
    .where('verdict', '=', 'shown')
    .execute();
  await db.destroy();
  expect(days.reduce((sum, { views }) => sum + views, 0)).toBe(reel.views);
});
