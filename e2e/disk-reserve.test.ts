import { execFileSync } from 'node:child_process';
import { mkdir, readdir, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signUpAt } from '#testing/clients/api-client.ts';
import { senderTo } from '#testing/clients/tus-client.ts';
import { freshClip } from '#testing/fixtures/reels.ts';
import { freshDatabase } from '#testing/servers/postgres.ts';
import { dataFolder, type Program, startProgram } from '#testing/servers/program.ts';

/* A disk of 96 MB, of which 40 MB are reserved for the database: concurrent uploads never use them. */
const megabyte = 1024 * 1024;
const reserve = 40 * megabyte;
let data: Awaited<ReturnType<typeof dataFolder>>;
let database: Awaited<ReturnType<typeof freshDatabase>>;
let program: Program;
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
  if (!canMount) return;
  data = await dataFolder();
  database = await freshDatabase();
  disk = join(data.path, 'disk');
  await mkdir(disk);
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'none', disk]);
  program = await startProgram({ DATA_DIR: disk, DATABASE_URL: database.url, DISK_RESERVE_MB: '40' });
});
afterAll(async () => {
  if (!canMount) return;
  await program?.stop();
  execFileSync('umount', ['--lazy', disk]);
  await database?.drop();
  await data?.remove();
});

async function free(): Promise<number> {
  const { bavail, bsize } = await statfs(disk);
  return bavail * bsize;
}

/** Samples the free space until `work` is done; returns the minimum. */
async function leastFreeDuring(work: Promise<unknown>): Promise<number> {
  let least = await free();
  let isDone = false;
  const ended = work.finally(() => {
    isDone = true;
  });
  while (!isDone) least = Math.min(least, await free());
  await ended;
  return least;
}

/** A video of this many bytes: a clip, followed by bytes that are never read. */
async function clipOf(bytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const clip = await freshClip();
  const free = Buffer.alloc(bytes - clip.length);
  free.writeUInt32BE(free.length, 0);
  free.write('free', 4, 'latin1');
  return new Uint8Array(Buffer.concat([clip, free]));
}

async function sendAtOnce(token: string, bytes: Uint8Array<ArrayBuffer>, isChunked: boolean) {
  const form = new FormData();
  form.append('file', new Blob([bytes], { type: 'video/mp4' }), 'clip.mp4');
  const { headers, body } = new Response(form);
  const response = await fetch(`${program.origin}/api/s3Reel/uploadReels`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': headers.get('content-type') ?? '' },
    ...(isChunked ? { body, duplex: 'half' } : { body: await new Response(body).arrayBuffer() }),
  } as RequestInit);
  return { status: response.status, body: (await response.json()) as { code?: string; error?: string } };
}

it.runIf(canMount)('parallel chunks never use the reserve, and the uploads can be resumed', async () => {
  const { token } = await signUpAt(program.origin, `pieces${process.pid}`);
  const sender = senderTo(program.origin, token);
  const bytes = new Uint8Array(18 * megabyte);
  const addresses: string[] = [];
  for (let file = 0; file < 4; file += 1)
    addresses.push((await sender.begin('reel', bytes.length)).headers.get('location') ?? '');
  const sending = Promise.all(addresses.map((address) => sender.patch(address, 0, bytes)));
  expect(await leastFreeDuring(sending)).toBeGreaterThanOrEqual(reserve);
  const refused = (await sending).filter(({ status }) => status === 507);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  for (const address of addresses) {
    expect(await sender.offset(address)).toBeLessThanOrEqual(bytes.length);
    expect((await sender.ask('DELETE', address)).status).toBe(204);
  }
});

it.runIf(canMount)(
  'parallel and chunked uploads end with 507 before the reserve and leave no files',
  async () => {
    const { token } = await signUpAt(program.origin, `reserve${process.pid}`);
    const files = await Promise.all(Array.from({ length: 6 }, () => clipOf(20 * megabyte)));
    const sending = Promise.all(files.map((bytes, place) => sendAtOnce(token, bytes, place % 2 === 1)));
    expect(await leastFreeDuring(sending)).toBeGreaterThanOrEqual(reserve);
    const answers = await sending;
    const refused = answers.filter(({ status }) => status === 507);
    expect(answers.filter(({ status }) => status === 200).length + refused.length).toBe(answers.length);
    expect(refused.length).toBeGreaterThanOrEqual(4);
    for (const { body } of refused)
      expect(body).toMatchObject({ code: 'storage_full', error: expect.stringMatching(/^[^.]+\.[^.]+\.$/) });
    expect(await readdir(join(disk, 'inbox'))).toHaveLength(answers.length - refused.length);
  },
);

it.runIf(canMount)('a file above the size limit is answered with 413, also on a full disk', async () => {
  const { token } = await signUpAt(program.origin, `larger${process.pid}`);
  const sender = senderTo(program.origin, token);
  expect((await sender.begin('reel', 501 * megabyte)).status).toBe(413);
  expect((await sender.begin('reel', 400 * megabyte)).status).toBe(507);
});
