import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openVideo, videoStream } from '#server/media/tasks/open-video.ts';
import { type Clip, makeClip } from '#testing/fixtures/clips.ts';
import { makeHeic } from '#testing/fixtures/heic.ts';
import { damaged } from '#testing/fuzz/corrupt-bytes.ts';
import { randomFrom } from '#testing/random.ts';
import { behindOurProxy } from '#testing/servers/proxy.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { howMany, seedOr } from '#testing/share.ts';
import { auditMedia } from '../stored-files/audit.ts';

/** Number of files; the environment can set more, with other damage (CONTRIBUTING). */
const total = howMany('MUTATIONS', { share: 9, whole: 18 });
const seed = seedOr(1);
/** Maximum response time, in milliseconds. */
const patience = 30_000;
const atOnce = 3;

let server: TestServer;
let origin: string;
let asha: Person;
const good: { kind: 'reel' | 'post'; name: string; bytes: Buffer }[] = [];

beforeAll(async () => {
  server = await startTestServer({ ...behindOurProxy, MEDIA_WORKERS: '2' });
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  asha = await signUpSomebody(server);
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-good-'));
  const clips: Record<string, Clip> = {
    'clip.mp4': { options: { movflags: '+faststart' } },
    'fragments.mp4': { options: { movflags: 'frag_keyframe+empty_moov+default_base_moof' } },
    'clip.webm': { container: 'webm' },
    'clip.avi': { container: 'avi' },
  };
  for (const [name, clip] of Object.entries(clips)) {
    await makeClip(join(folder, name), { seconds: 1, width: 64, height: 96, ...clip });
    good.push({ kind: 'reel', name, bytes: await readFile(join(folder, name)) });
  }
  await rm(folder, { recursive: true });
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
  const photo = sharp({ create: { width: 90, height: 120, channels: 3, background: '#777', noise } });
  for (const format of ['jpeg', 'png', 'webp', 'avif'] as const)
    good.push({ kind: 'post', name: `photo.${format}`, bytes: await photo.toFormat(format).toBuffer() });
  const heic = await makeHeic({ width: 90, height: 120, tile: 64, source: 'testsrc2=size=90x120:rate=25' });
  good.push({ kind: 'post', name: 'photo.heic', bytes: heic });
});
afterAll(() => server.close());

let calls = 0;
/** A request over HTTP from its own address, which must be answered in time and without an error of the server. */
async function ask(path: string, init: RequestInit = {}) {
  calls += 1;
  const response = await fetch(`${origin}${path}`, {
    ...init,
    headers: {
      authorization: asha.headers.authorization,
      'x-forwarded-for': `10.1.${calls >> 8}.${calls & 255}`,
      ...(init.headers as Record<string, string>),
    },
    signal: AbortSignal.timeout(patience),
  });
  const body = await response.text();
  if (response.status >= 500) throw new Error(`${path} was answered ${response.status}: ${body}`);
  return { status: response.status, headers: response.headers, body };
}

async function sendWhole(kind: 'reel' | 'post', name: string, bytes: Buffer<ArrayBuffer>) {
  const form = new FormData();
  form.append('file', new Blob([bytes]), name);
  const path = kind === 'reel' ? '/api/s3Reel/uploadReels' : '/api/s3Post/uploadPosts';
  return await ask(path, { method: 'POST', body: form });
}

async function sendInPieces(kind: 'reel' | 'post', _name: string, bytes: Buffer<ArrayBuffer>) {
  const tus = { 'tus-resumable': '1.0.0' };
  const begun = await ask('/api/uploads', {
    method: 'POST',
    headers: { ...tus, 'upload-length': `${bytes.length}`, 'upload-metadata': `kind ${btoa(kind)}` },
  });
  const address = begun.headers.get('location') ?? '';
  const half = bytes.length >> 1;
  for (const [offset, piece] of [
    [0, bytes.subarray(0, half)] as const,
    [half, bytes.subarray(half)] as const,
  ]) {
    const headers = {
      ...tus,
      'upload-offset': `${offset}`,
      'content-type': 'application/offset+octet-stream',
    };
    await ask(address, { method: 'PATCH', headers, body: piece });
  }
  return await ask(`${address}/finish`, { method: 'POST' });
}

/** Sends a damaged file; if it is accepted it is published, so that all steps are tested. */
async function sendDamaged(number: number): Promise<void> {
  const one = good[number % good.length];
  if (!one) return;
  const bytes = Buffer.from(damaged(one.bytes, randomFrom(seed * 100_000 + number)));
  const send = Math.floor(number / good.length) % 2 === 0 ? sendWhole : sendInPieces;
  try {
    const { status, body } = await send(one.kind, one.name, bytes);
    const answer = JSON.parse(body);
    if (status !== 200) return expect(answer.error).toMatch(/^[A-Z].{10,}\.$/);
    const [path, form] =
      one.kind === 'reel'
        ? ['/api/reel/add', { videoKey: answer.fileName, caption: 'Damaged' }]
        : ['/api/post/add', { fileName: answer.fileName, caption: 'Damaged' }];
    const headers = { 'content-type': 'application/json' };
    await ask(path, { method: 'POST', headers, body: JSON.stringify(form) });
  } catch (error) {
    throw new Error(`${one.name}, seed ${seed}, file ${number}: ${error}`, { cause: error });
  }
}

const filesIn = (folder: string) => readdir(join(server.dataDir, folder));

describe('damaged files, sent to every endpoint that accepts files (issue 6)', () => {
  it('are refused with a sentence or encoded again; nothing remains of them, and other requests get responses', {
    timeout: 120_000 + total * 10_000,
  }, async () => {
    const numbers = Array.from({ length: total }, (_, number) => number).values();
    const sender = async () => {
      for (const number of numbers) {
        await sendDamaged(number);
        expect((await ask('/healthz')).status).toBe(200);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, sender));
    const states = () => server.db.selectFrom('reels').select(['state', 'failure']).execute();
    await expect
      .poll(async () => (await states()).filter(({ state }) => state === 'processing'), {
        timeout: 60_000 + total * 5_000,
      })
      .toEqual([]);
    for (const { state, failure } of await states())
      if (state === 'failed') expect(failure).toMatch(/^[A-Z].{10,}\.$/);
    await expect.poll(() => filesIn('inbox')).toEqual([]);
    expect(await filesIn('workspaces')).toEqual([]);
    expect((await auditMedia(server.context)).differences).toEqual([]);
    await expectOnlyOurs();
    expect((await ask('/api/reel/getallReels')).status).toBe(200);
  });

  async function expectOnlyOurs(): Promise<void> {
    for await (const { key } of server.storage.list('media/')) {
      const [, folder = '', name = ''] = key.split('/');
      const path = join(server.dataDir, 'media', folder.slice(0, 2), folder, name);
      if (name.endsWith('.mp4')) {
        const demuxer = await openVideo(path, 'mov');
        const h264 = 27;
        expect(Number(videoStream(demuxer).codecpar.codecId)).toBe(h264);
        await demuxer.close();
      } else {
        const { format, exif, icc, xmp } = await sharp(path).metadata();
        expect({ key, format, exif, icc, xmp }).toEqual({
          key,
          format: name.endsWith('.jpg') ? 'jpeg' : 'webp',
        });
      }
      for (const { bytes } of good) expect((await readFile(path)).equals(bytes)).toBe(false);
    }
  }
});
