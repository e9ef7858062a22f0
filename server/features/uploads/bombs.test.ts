import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { crc32, deflateSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Spoken, speak } from '#testing/clients/raw-http.ts';
import { makeClip } from '#testing/fixtures/clips.ts';
import {
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

let server: TestServer;
let origin: string;
let asha: Person;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
  asha = await signUpSomebody(server);
  folder = await mkdtemp(join(tmpdir(), 'jhalak-bombs-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

/** Does something while other requests run: each is answered, and none waits long. */
async function whileOthersLook<T>(work: () => Promise<T>): Promise<T> {
  let isOver = false;
  let slowest = 0;
  const looking = (async () => {
    do {
      for (const path of ['/healthz', '/api/reel/getallReels']) {
        const start = performance.now();
        expect((await server.inject({ url: path })).statusCode).toBe(200);
        slowest = Math.max(slowest, performance.now() - start);
      }
      // A cached response needs only one turn of the event loop; without this pause nothing else would run.
      await sleep(10);
    } while (!isOver);
  })();
  try {
    return await work();
  } finally {
    isOver = true;
    await looking;
    // Usually some milliseconds; a bomb that is decompressed in this process takes many seconds.
    expect(slowest).toBeLessThan(5_000);
  }
}

async function expectNothingLeft(): Promise<void> {
  await expect.poll(() => readdir(join(server.dataDir, 'inbox'))).toEqual([]);
  expect(await readdir(join(server.dataDir, 'workspaces'))).toEqual([]);
  expect(await readdir(join(server.dataDir, 'media'))).toEqual([]);
}

function png(width: number, height: number): Buffer {
  const chunk = (type: string, content: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), content]);
    const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(content.length);
    check.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, check]);
  };
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  // As many black rows as compress into a few hundred kilobytes.
  const rows = deflateSync(Buffer.alloc((1 + 3 * width) * 256));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function webp(width: number, height: number): Buffer {
  const pixels = Buffer.alloc(64);
  pixels[0] = 0x2f;
  pixels.writeUInt32LE(((height - 1) << 14) | (width - 1), 1);
  const head = Buffer.alloc(20);
  head.write('RIFF', 0);
  head.writeUInt32LE(12 + pixels.length, 4);
  head.write('WEBPVP8L', 8);
  head.writeUInt32LE(pixels.length, 16);
  return Buffer.concat([head, pixels]);
}

/** A video of forty hours with one frame an hour. */
async function longClip(options: Record<string, string>): Promise<Buffer> {
  const path = join(folder, 'long.mp4');
  await makeClip(path, {
    seconds: 40 * 60 * 60,
    width: 64,
    height: 96,
    audio: false,
    source: 'color=red:size=64x96:rate=1/3600',
    options,
  });
  return await readFile(path);
}

const calls = ['/api/s3Post/uploadPosts', '/api/s3Story/uploadStorys', '/api/s3Reel/uploadReels'];

describe('a file that would take all memory or time is refused by its header (issue 6)', () => {
  it.each<[string, () => Promise<Buffer>, string[], { code: string; sentence: RegExp }]>([
    [
      '65,536 × 65,536 in a PNG',
      async () => png(65536, 65536),
      calls,
      { code: 'image_too_many_pixels', sentence: /million pixels\.$/ },
    ],
    [
      '16,000 × 9,000 in a WebP',
      async () => webp(16000, 9000),
      calls,
      { code: 'image_too_many_pixels', sentence: /million pixels\.$/ },
    ],
    [
      '40 hours in an MP4',
      () => longClip({}),
      calls.slice(2),
      { code: 'video_too_long', sentence: /longer than 3 minutes/ },
    ],
    [
      '40 hours in fragments',
      () => longClip({ movflags: 'frag_keyframe+empty_moov+default_base_moof' }),
      calls.slice(2),
      { code: 'video_too_long', sentence: /longer than 3 minutes/ },
    ],
  ])('%s', async (_what, make, urls, { code, sentence }) => {
    const { payload, headers } = await multipart(Buffer.from(await make()));
    for (const url of urls) {
      const request = { method: 'POST', url, payload, headers: { ...headers, ...asha.headers } } as const;
      const answers = await whileOthersLook(() =>
        Promise.all([server.inject(request), server.inject(request), server.inject(request)]),
      );
      for (const answer of answers) {
        expect({ status: answer.statusCode, code: answer.json().code }).toEqual({ status: 422, code });
        expect(answer.json().error).toMatch(sentence);
      }
    }
    await expectNothingLeft();
  });
});

const opening = '--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n';
const head = (path: string, ...more: string[]) => [
  `POST ${path} HTTP/1.1`,
  `authorization: ${asha.headers.authorization}`,
  'content-type: multipart/form-data; boundary=b',
  ...more,
];
const asChunk = (bytes: string | Uint8Array) =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), Buffer.from(bytes), Buffer.from('\r\n')]);

const megabyte = Buffer.alloc(1024 * 1024, 1);

function* endless(first: string, then: Uint8Array): Generator<Uint8Array> {
  yield asChunk(first);
  for (;;) yield asChunk(then);
}

function* parts(count: number): Generator<Uint8Array> {
  const part = '--b\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n';
  for (let done = 0; done < count; done += 1000) yield asChunk(part.repeat(1000));
  yield asChunk('--b--\r\n');
  yield Buffer.from('0\r\n\r\n');
}

/** Expects one sentence of refusal, and that no more of the body is read. */
async function expectRefused(spoken: Spoken, most: number, piece: Uint8Array): Promise<void> {
  expect(spoken.status).toBe(413);
  const { code, error } = JSON.parse(spoken.body.slice(0, spoken.body.lastIndexOf('}') + 1));
  expect(code).toBe('file_too_large');
  expect(error).toMatch(/^This (file|request) [^.]+\.$/);
  expect(spoken.sent).toBeLessThan(most);
  // A client that continues to send is disconnected.
  const { socket } = spoken;
  const pump = setInterval(() => {
    if (socket.writable && socket.writableLength < 4 * piece.length) socket.write(piece);
  }, 1);
  await expect.poll(() => socket.closed || socket.destroyed).toBe(true);
  clearInterval(pump);
  await expectNothingLeft();
}

describe('an endless body is not read (issue 6)', () => {
  const ten = 10 * 1024 ** 3;

  it.each([...calls, '/api/reel/add'])('10 GB by its content-length, to %s', async (path) => {
    const type = path.endsWith('add') ? ['content-type: application/json'] : [];
    const lines = head(path, `content-length: ${ten}`).filter(
      (line) => !type[0] || !line.startsWith('content-type'),
    );
    const spoken = await whileOthersLook(() => speak(origin, [...lines, ...type], [opening]));
    await expectRefused(spoken, 1000, megabyte);
  });

  it('10 GB in chunks', async () => {
    const answer = await fetch(`${origin}/api/uploads`, {
      method: 'POST',
      headers: {
        ...asha.headers,
        'tus-resumable': '1.0.0',
        'upload-length': String(ten),
        'upload-metadata': `kind ${btoa('reel')}`,
      },
    });
    expect({ status: answer.status, code: (await answer.json()).code }).toEqual({
      status: 413,
      code: 'file_too_large',
    });
  });

  it('without a length', async () => {
    const body = endless(opening, Buffer.alloc(256 * 1024, 1));
    const spoken = await whileOthersLook(() =>
      speak(origin, head('/api/s3Post/uploadPosts', 'transfer-encoding: chunked'), body),
    );
    await expectRefused(spoken, 100 * 1024 ** 2, asChunk(megabyte));
  });

  it('with a million form parts', async () => {
    const spoken = await whileOthersLook(() =>
      speak(origin, head('/api/s3Reel/uploadReels', 'transfer-encoding: chunked'), parts(1_000_000)),
    );
    await expectRefused(spoken, 30 * 1024 ** 2, asChunk(megabyte));
  });
});
