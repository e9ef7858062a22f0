import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { createServer, type Server as NetServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import {
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

/*
 * A file that refers to other files or addresses must not cause the server to open them: the canary file's access time shows whether it was
 * read, and the canary server counts connections.
 */
const secret = 'CANARY-7f3a-THIS-MUST-STAY-WHERE-IT-IS';
let server: TestServer;
let asha: Person;
let folder: string;
let canary: string;
let listener: NetServer;
let address: string;
let called = 0;
beforeAll(async () => {
  server = await startTestServer();
  asha = await signUpSomebody(server);
  folder = await mkdtemp(join(tmpdir(), 'jhalak-canary-'));
  // A complete clip, so that a program that opens it can decode it.
  canary = join(folder, 'canary.mp4');
  await makeClip(canary, { seconds: 1, title: secret });
  listener = createServer((socket) => {
    called += 1;
    socket.end();
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const bound = listener.address();
  address = `127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
});
afterAll(async () => {
  await server.close();
  listener.close();
  await rm(folder, { recursive: true, force: true });
});

const lines = (...all: string[]) => Buffer.from(`${all.join('\n')}\n`);

/** Scripts that some programs follow, each referring to the canaries. */
function scripts(): Record<string, Buffer> {
  const [file, url] = [`file://${canary}`, `http://${address}/clip.mp4`];
  const both = (make: (where: string) => Buffer) => ({ file: make(file), url: make(url) });
  const kinds = {
    m3u8: both((where) => lines('#EXTM3U', '#EXT-X-TARGETDURATION:9', '#EXTINF:9,', where, '#EXT-X-ENDLIST')),
    'm3u8 with a map': both((where) =>
      lines('#EXTM3U', `#EXT-X-MAP:URI="${where}"`, '#EXTINF:9,', where, '#EXT-X-ENDLIST'),
    ),
    'm3u8 with a key': both((where) =>
      lines('#EXTM3U', `#EXT-X-KEY:METHOD=AES-128,URI="${where}"`, '#EXTINF:9,', where, '#EXT-X-ENDLIST'),
    ),
    ffconcat: both((where) => lines('ffconcat version 1.0', `file '${where}'`, 'duration 3')),
    'concat protocol': both((where) => lines(`concat:${where}|${where}`)),
    subfile: both((where) => lines(`subfile,,start,0,end,999,,:${where}`)),
    MPD: both((where) =>
      lines(
        '<?xml version="1.0"?>',
        '<MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT9S"><Period>',
        `<AdaptationSet mimeType="video/mp4"><Representation id="1"><BaseURL>${where}</BaseURL>`,
        '</Representation></AdaptationSet></Period></MPD>',
      ),
    ),
    SVG: both((where) =>
      lines(
        `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="90">`,
        `<image href="${where}" xlink:href="${where}" width="90" height="90"/><style>@import "${where}";</style></svg>`,
      ),
    ),
    'XML with an entity': both((where) =>
      lines(
        `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "${where}">]>`,
        '<svg><text>&x;</text></svg>',
      ),
    ),
    MVG: both((where) =>
      lines(
        'push graphic-context',
        'viewbox 0 0 90 90',
        `image over 0,0 90,90 '${where}'`,
        'pop graphic-context',
      ),
    ),
    MSL: both((where) => lines('<?xml version="1.0"?><image>', `<read filename="${where}"/>`, '</image>')),
    PostScript: both((where) => lines('%!PS-Adobe-3.0', `(${where}) (r) file 99 string readstring pop ==`)),
    PLS: both((where) => lines('[playlist]', `File1=${where}`, 'NumberOfEntries=1')),
    ASX: both((where) => lines(`<asx version="3"><entry><ref href="${where}"/></entry></asx>`)),
    XSPF: both((where) =>
      lines(
        `<playlist version="1"><trackList><track><location>${where}</location></track></trackList></playlist>`,
      ),
    ),
    SMIL: both((where) => lines(`<smil><body><video src="${where}"/></body></smil>`)),
    SDP: both((where) =>
      lines('v=0', 'o=- 0 0 IN IP4 127.0.0.1', `s=${where}`, 'c=IN IP4 127.0.0.1', 'm=video 5004 RTP/AVP 96'),
    ),
    'AVI whose inside is a playlist': both((where) =>
      Buffer.concat([Buffer.from('RIFF\xff\xff\0\0AVI ', 'latin1'), lines('#EXTM3U', '#EXTINF:9,', where)]),
    ),
    'JPEG whose inside is a playlist': both((where) =>
      Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), lines('#EXTM3U', '#EXTINF:9,', where)]),
    ),
    'MP4 whose inside is a playlist': both((where) =>
      Buffer.concat([Buffer.from('\0\0\0\x18ftypisom', 'latin1'), lines('', '#EXTM3U', '#EXTINF:9,', where)]),
    ),
  };
  return Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, { file: one, url: other }]) => [
      [`${kind}, a file`, one],
      [`${kind}, an address`, other],
    ]),
  );
}

/** Names and types under which a script may be sent. */
const claims = [
  ['clip.mp4', 'video/mp4'],
  ['list.m3u8', 'application/vnd.apple.mpegurl'],
  ['list.ffconcat', 'text/plain'],
  ['photo.jpg', 'image/jpeg'],
  ['drawing.svg', 'image/svg+xml'],
  ['manifest.mpd', 'application/dash+xml'],
  ['../../etc/passwd', 'application/octet-stream'],
] as const;
const calls = ['/api/s3Reel/uploadReels', '/api/s3Post/uploadPosts', '/api/s3Story/uploadStorys'];

/** Sends these bytes under a name and a type; returns the response. */
async function send(url: string, bytes: Buffer, name: string, type: string) {
  const { payload, headers } = await multipart(Buffer.from(bytes), 'file', name, type);
  return await server.inject({ method: 'POST', url, payload, headers: { ...headers, ...asha.headers } });
}

async function sendInPieces(kind: string, bytes: Buffer) {
  const origin = await listening();
  const headers = { ...asha.headers, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${origin}/api/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': `${bytes.length}`, 'upload-metadata': `kind ${btoa(kind)}` },
  });
  const at = `${origin}${begun.headers.get('location')}`;
  const body = new Uint8Array(bytes);
  const pieces = { ...headers, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  expect((await fetch(at, { method: 'PATCH', headers: pieces, body })).status).toBe(204);
  return await fetch(`${at}/finish`, { method: 'POST', headers });
}

let origin: Promise<string> | undefined;
const listening = () => {
  origin ??= server.app.listen({ host: '127.0.0.1', port: 0 });
  return origin;
};

/** A time long ago; reading the file changes it. */
const longAgo = new Date('2001-01-01T00:00:00Z');
const isRead = async (path: string) => (await stat(path)).atime > longAgo;
async function restAssured(): Promise<void> {
  await utimes(canary, longAgo, new Date());
  called = 0;
}

async function expectUntouched(): Promise<void> {
  expect(called).toBe(0);
  expect(await isRead(canary)).toBe(false);
  for await (const { key } of server.storage.list('media/')) {
    const [, folder = '', name = ''] = key.split('/');
    const bytes = await readFile(join(server.dataDir, 'media', folder.slice(0, 2), folder, name));
    expect({ key, tells: bytes.includes(secret) }).toEqual({ key, tells: false });
  }
}

describe('a file that refers to others does not cause the server to open them (decisions §7, issue 6)', () => {
  it('the canaries detect access', async () => {
    await restAssured();
    await readFile(canary);
    expect(await isRead(canary)).toBe(true);
    await fetch(`http://${address}/`).catch(() => undefined);
    expect(called).toBe(1);
  });

  it('is refused unread under every name and type, by each endpoint', async () => {
    await restAssured();
    let number = 0;
    for (const [index, [what, bytes]] of Object.entries(scripts()).entries()) {
      // A file that begins like a video or a picture is sent to each endpoint, since it reaches a child process; the others alternate
      // between claims and endpoints.
      const isDisguised = what.includes('whose inside');
      const turn = claims.filter((_, place) => (place + index) % 2 === 0);
      for (const [name, type] of isDisguised ? claims.slice(0, 1) : turn) {
        number += 1;
        for (const url of isDisguised ? calls : calls.slice(number % 3).slice(0, 1)) {
          const answer = await send(url, bytes, name, type);
          const refused = [415, 422].includes(answer.statusCode);
          expect({ what, name, url, refused }).toEqual({ what, name, url, refused: true });
          expect(answer.body).not.toContain(secret);
        }
      }
    }
    expect(await readdir(join(server.dataDir, 'inbox'))).toEqual([]);
    expect(await readdir(join(server.dataDir, 'media'))).toEqual([]);
    await expectUntouched();
  });

  it('is also refused if sent in pieces', async () => {
    await restAssured();
    const all = scripts();
    for (const kind of ['reel', 'post', 'thumbnail']) {
      for (const what of ['m3u8, a file', 'ffconcat, a file', 'SVG, an address']) {
        const answer = await sendInPieces(kind, all[what] ?? Buffer.alloc(0));
        expect({ kind, what, status: answer.status }).toEqual({ kind, what, status: 415 });
      }
    }
    await expectUntouched();
  });

  it('a QuickTime film whose pictures are in another file cannot read it', async () => {
    const path = join(folder, 'film.mov');
    await makeClip(path, { seconds: 1, container: 'mov', audio: false });
    await writeFile(path, pointedAt(await readFile(path), canary));
    await restAssured();
    const answer = await send(calls[0] ?? '', await readFile(path), 'film.mov', 'video/quicktime');
    expect(answer.statusCode).toBe(422);
    await expectUntouched();
  });
});

/** A film whose data reference is an alias of another file (QuickTime file format, data reference atoms). */
function pointedAt(film: Buffer, target: string): Buffer {
  const at = film.indexOf('dref') + 4 + 8;
  const old = film.readUInt32BE(at);
  const path = Buffer.from(target.length % 2 ? `${target}\0` : target);
  const record = Buffer.concat([
    Buffer.alloc(10 + 1 + 27 + 12 + 1 + 63 + 16 + 4 + 16),
    Buffer.alloc(4),
    path,
  ]);
  record.writeUInt16BE(2, 150);
  record.writeUInt16BE(path.length, 152);
  const head = Buffer.alloc(12);
  const alias = Buffer.concat([head, record, Buffer.from([0xff, 0xff, 0, 0])]);
  head.writeUInt32BE(alias.length, 0);
  head.write('alis', 4);
  head.copy(alias);
  const grown = Buffer.concat([film.subarray(0, at), alias, film.subarray(at + old)]);
  // The index is behind the media, whose offsets therefore do not change.
  for (const type of ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref']) {
    const box = film.lastIndexOf(type, at) - 4;
    grown.writeUInt32BE(film.readUInt32BE(box) + alias.length - old, box);
  }
  return grown;
}
