import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rename, rm, statfs, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '#server/platform/database/database.ts';
import { type Client, signUpAt, untilPublic, uploadTo } from '#testing/clients/api-client.ts';
import { senderTo } from '#testing/clients/tus-client.ts';
import { freshClip } from '#testing/fixtures/reels.ts';
import { figure } from '#testing/report-figure.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';
import { jobsIn } from '#testing/servers/queues.ts';

/*
 * The disk is missing, slow, full, or loses bytes: uploads are refused with one sentence, everything else
 * works, nothing half-written remains, and the server recovers without a restart.
 */
const password = 'a long password';
let data: Awaited<ReturnType<typeof dataFolder>>;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let program: Program;
let creator: Client;
/** The disk for the files; a small one where this user may mount. */
let disk: string;

const canMount = (() => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

beforeAll(async () => {
  data = await dataFolder();
  database = await freshDatabase();
  disk = join(data.path, 'disk');
  await mkdir(disk);
  if (canMount) execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32m', 'none', disk]);
  program = await startProgram({ DATA_DIR: disk, DATABASE_URL: database.url, DISK_RESERVE_MB: '0' });
  creator = await signUpAt(program.origin, `stored${process.pid}`);
});
afterAll(async () => {
  await program?.stop();
  if (canMount) execFileSync('umount', ['--lazy', disk]);
  await database?.drop();
  await data?.remove();
});

/** A picture that cannot be compressed, of about this many bytes. */
async function picture(side = 300): Promise<Uint8Array<ArrayBuffer>> {
  const raw = { width: side, height: side, channels: 3 as const };
  return new Uint8Array(
    await sharp(randomBytes(side * side * 3), { raw })
      .jpeg({ quality: 90 })
      .toBuffer(),
  );
}

async function sendPhoto(bytes: Uint8Array<ArrayBuffer>) {
  const form = new FormData();
  form.append('file', new Blob([bytes]), 'photo.jpg');
  const response = await fetch(`${program.origin}/api/s3Post/uploadPosts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${creator.token}` },
    body: form,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Browsing and login work as before. */
async function expectLifeGoesOn(): Promise<void> {
  const signIn = await fetch(`${program.origin}/api/signin`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: `stored${process.pid}@people.example`, password }),
  });
  expect(signIn.status).toBe(200);
  for (const path of ['/', '/api/reel/getallReels', '/api/post/getallPostsall'])
    expect((await fetch(`${program.origin}${path}`)).status, path).toBe(200);
}

async function filesIn(...folders: string[]): Promise<string[]> {
  return (
    await Promise.all(folders.map((folder) => readdir(join(disk, folder), { recursive: true })))
  ).flat();
}

function expectToldToComeAgain(
  answer: { status: number; headers: Headers; body: { code?: string; error?: string } },
  status: number,
): void {
  expect(`${answer.status} ${JSON.stringify(answer.body)}`).toMatch(new RegExp(`^${status}`));
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
}

describe.each(['inbox', 'workspaces', 'media'])('without its folder %s', (folder) => {
  it('refuses uploads with a message, serves the rest, and recovers when the folder is back', async () => {
    const before = await filesIn('media');
    await rename(join(disk, folder), join(disk, 'away'));
    try {
      expectToldToComeAgain(await sendPhoto(await picture()), 503);
      await expectLifeGoesOn();
    } finally {
      await rm(join(disk, folder), { recursive: true, force: true });
      await rename(join(disk, 'away'), join(disk, folder));
    }
    expect(await filesIn('inbox', 'workspaces')).toEqual([]);
    expect((await sendPhoto(await picture())).status).toBe(200);
    expect((await filesIn('media')).length).toBeGreaterThan(before.length);
  });
});

it('resumable uploads wait while the inbox is missing, then continue', async () => {
  const bytes = new Uint8Array(await freshClip());
  const half = bytes.length >> 1;
  const sender = senderTo(program.origin, creator.token);
  const address = (await sender.begin('reel', bytes.length)).headers.get('location') ?? '';
  expect((await sender.patch(address, 0, bytes.slice(0, half))).status).toBe(204);
  await rename(join(disk, 'inbox'), join(disk, 'away'));
  const refused = await sender.patch(address, half, bytes.slice(half));
  const finishing = await sender.ask('POST', `${address}/finish`);
  await rename(join(disk, 'away'), join(disk, 'inbox'));
  expect([refused.status, finishing.status]).toEqual([503, 503]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await sender.offset(address)).toBe(half);
  expect((await sender.patch(address, half, bytes.slice(half))).status).toBe(204);
  expect((await sender.finish(address)).status).toBe(200);
  await sender.ask('DELETE', address);
});

it('detects a disk that lost bytes, and only the lost part is sent again', async () => {
  const bytes = new Uint8Array(await freshClip());
  const sender = senderTo(program.origin, creator.token);
  const address = (await sender.begin('reel', bytes.length)).headers.get('location') ?? '';
  expect((await sender.patch(address, 0, bytes)).status).toBe(204);
  await truncate(join(disk, 'inbox', address.split('/').at(-1) ?? ''), 1000);
  expect(await sender.finish(address)).toMatchObject({ status: 409, body: { code: 'upload_incomplete' } });
  expect(await sender.offset(address)).toBe(1000);
  expect((await sender.patch(address, 1000, bytes.slice(1000))).status).toBe(204);
  expect((await sender.finish(address)).status).toBe(200);
  await sender.ask('DELETE', address);
});

it('a hanging disk delays only uploads', async () => {
  const sender = senderTo(program.origin, creator.token);
  // More than Node's default number of threads for files.
  const hanging = await Promise.all(
    Array.from({ length: 5 }, async () => {
      const address = (await sender.begin('reel', 1_000_000)).headers.get('location') ?? '';
      const path = join(disk, 'inbox', address.split('/').at(-1) ?? '');
      await rm(path, { force: true });
      // A pipe: it accepts some bytes, and then blocks until it is read.
      execFileSync('mkfifo', [path]);
      return {
        address,
        path,
        sending: await sender.startSending(address, new Uint8Array(1_000_000), 900_000),
      };
    }),
  );
  const asked = performance.now();
  await expectLifeGoesOn();
  figure('while files hang', { 'signing in and three pages (s)': (performance.now() - asked) / 1000 });
  for (const { sending } of hanging) await sending.cut();
  // The blocked write continues and ends once the pipe is read.
  const readers = hanging.map(({ path }) => spawn('cat', [path], { stdio: 'ignore' }));
  for (const { address } of hanging) await sender.ask('DELETE', address);
  for (const reader of readers) reader.kill();
  for (const { path } of hanging) await rm(path, { force: true });
});

describe.runIf(canMount)('on a full disk', () => {
  const filler = () => join(disk, 'filler');
  async function fillUpTo(left: number): Promise<void> {
    const { bavail, bsize } = await statfs(disk);
    await writeFile(filler(), Buffer.alloc(bavail * bsize - left));
  }

  it('refuses files with one sentence and leaves nothing; login and browsing work', async () => {
    const before = await filesIn('media');
    await fillUpTo(0);
    const none = await sendPhoto(await picture());
    await expectLifeGoesOn();
    await rm(filler());
    // Room for the upload, but not for its renditions.
    const bytes = await picture(700);
    await fillUpTo(bytes.length + 64 * 1024);
    const little = await sendPhoto(bytes);
    await rm(filler());
    for (const answer of [none, little]) {
      expectToldToComeAgain(answer, 507);
      expect(answer.body).toMatchObject({
        code: 'storage_full',
        error: expect.stringMatching(/^[^.]+\.[^.]+\.$/),
      });
    }
    expect(await filesIn('inbox', 'workspaces')).toEqual([]);
    expect(await filesIn('media')).toEqual(before);
    expect((await sendPhoto(bytes)).status).toBe(200);
  });

  it('chunked uploads wait, and continue where they were when there is room', async () => {
    const bytes = new Uint8Array(Buffer.concat([await freshClip(), Buffer.alloc(300_000)]));
    const half = bytes.length >> 1;
    const sender = senderTo(program.origin, creator.token);
    const address = (await sender.begin('reel', bytes.length)).headers.get('location') ?? '';
    expect((await sender.patch(address, 0, bytes.slice(0, half))).status).toBe(204);
    await fillUpTo(16 * 1024);
    const refused = await sender.patch(address, half, bytes.slice(half));
    const another = await sender.begin('reel', bytes.length);
    await rm(filler());
    expect([refused.status, another.status]).toEqual([507, 507]);
    const offset = (await sender.offset(address)) ?? 0;
    expect(offset).toBeGreaterThanOrEqual(half);
    expect((await sender.patch(address, offset, bytes.slice(offset))).status).toBe(204);
    expect((await sender.finish(address)).status).toBe(200);
    await sender.ask('DELETE', address);
  });

  it('a reel waits to be processed, and is processed when there is room', async () => {
    const { fileName } = await uploadTo(program.origin, creator.token, Buffer.from(await freshClip()));
    await fillUpTo(0);
    const { body } = await creator.send('POST', '/api/reel/add', { videoKey: fileName });
    const id = (body as unknown as { data: { _id: string } }).data._id;
    // A worker has it, and waits for room instead of failing it.
    const db = await openDatabase(database.url, 1);
    const states = async () => (await jobsIn(db, 'reel')).map(({ state }) => state);
    await expect.poll(states).toEqual(['active']);
    await db.destroy();
    const { data: reel } = (await creator.send('GET', `/api/reel/getReel/${id}`)).body as never as {
      data: { state: string };
    };
    expect(reel.state).toBe('processing');
    await rm(filler());
    await untilPublic(program.origin, id);
  });
});
