import { createHash, createHmac } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crowd } from '#contract/endpoint.ts';
import { limits } from '#contract/limits.ts';
import { unfinishedAtMost } from '#contract/uploads.ts';
import { addCounts } from '#server/platform/distributed-rate-limit.queries.ts';
import { senderTo } from '#testing/clients/tus-client.ts';
import { anotherFilm, freshClip } from '#testing/fixtures/reels.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { sweep } from '../stored-files/sweeper.ts';
import { deleteExpiredUploads } from './expiry.ts';

let server: TestServer;
let origin: string;
let asha: Person;
let sender: ReturnType<typeof senderTo>;
beforeAll(async () => {
  server = await startTestServer();
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());
beforeEach(async () => {
  asha = await signUpSomebody(server);
  sender = senderTo(origin, asha.token);
});

/** A picture with unique bytes. */
let hue = 0;
async function picture(width = 300, height = 400) {
  hue += 1;
  const background = { r: hue & 255, g: (hue * 37) & 255, b: 90 };
  return new Uint8Array(
    await sharp({ create: { width, height, channels: 3, background } })
      .jpeg()
      .toBuffer(),
  );
}
const keyOf = (address: string) => address.split('/').at(-1) ?? '';
/** The stored files of an upload. */
async function filesOf(address: string): Promise<string[]> {
  const folders = await Promise.all(
    ['inbox', 'media'].map((folder) => readdir(join(server.dataDir, folder), { recursive: true })),
  );
  return folders.flat().filter((name) => name.includes(keyOf(address)));
}
const rowsOf = (person: Person) =>
  server.db.selectFrom('resumable_uploads').selectAll().where('owner_id', '=', person.id).execute();
const said = (body: string) => JSON.parse(body) as { code: string; error: string };

async function begin(kind: string, bytes: number, who = sender): Promise<string> {
  const { status, headers, body } = await who.begin(kind, bytes);
  if (status !== 201) throw new Error(`beginning was answered ${status}: ${body}`);
  return headers.get('location') ?? '';
}
async function sendWhole(kind: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const address = await begin(kind, bytes.length);
  expect((await sender.patch(address, 0, bytes)).status).toBe(204);
  return address;
}
const add = (url: string, payload: object, who = asha) =>
  server.inject({ method: 'POST', url, headers: who.headers, payload });

/** Publishes a reel with the hash of an original; returns whether it is a copy, in the response and in the database. */
async function publish(bytes: Uint8Array<ArrayBuffer>, original?: Uint8Array, who = asha) {
  const more = original && { original: createHash('sha256').update(original).digest('hex') };
  const from = senderTo(origin, who.token);
  const address = (await from.begin('reel', bytes.length, more)).headers.get('location') ?? '';
  await from.patch(address, 0, bytes);
  const { body } = await from.finish(address);
  const { data } = (await add('/api/reel/add', { videoKey: body.fileName }, who)).json();
  const row = () =>
    server.db
      .selectFrom('reels')
      .select(['state', 'duplicate'])
      .where('id', '=', data._id)
      .executeTakeFirstOrThrow();
  await expect.poll(async () => (await row()).state).toBe('ready');
  return { told: body.duplicate, is: (await row()).duplicate };
}
const fresh = { told: false, is: false };
const copy = { told: true, is: true };

describe('a file that is sent in pieces', () => {
  it('is checked by the same rules as one sent in one request', async () => {
    const bytes = await freshClip();
    const address = await begin('reel', bytes.length);
    const half = bytes.length >> 1;
    expect((await sender.patch(address, 0, bytes.slice(0, half))).headers.get('upload-offset')).toBe(
      String(half),
    );
    expect(await sender.offset(address)).toBe(half);
    expect((await sender.finish(address)).body).toMatchObject({ code: 'upload_incomplete' });
    // Only the rest is accepted: a piece with another offset changes nothing.
    expect((await sender.patch(address, 0, bytes)).status).toBe(409);
    expect((await sender.patch(address, half, bytes.slice(half))).status).toBe(204);
    const { status, body } = await sender.finish(address);
    expect({ status, body }).toMatchObject({ status: 200, body: { kind: 'video', duplicate: false } });
    expect(Buffer.from(await readFile(join(server.dataDir, 'inbox', body.fileName)))).toEqual(
      Buffer.from(bytes),
    );
    const { data } = (await add('/api/reel/add', { videoKey: body.fileName })).json();
    expect(data).toMatchObject({ videoKey: body.fileName, state: 'processing' });
  });

  it.each([
    ['post', '/api/post/add'],
    ['story', '/api/story/add'],
  ])('becomes a %s, and leaves nothing in the inbox', async (kind, url) => {
    const { body } = await sender.finish(await sendWhole(kind, await picture()));
    expect(body).toMatchObject({ kind: 'image', fileUrl: `/media/${body.fileName}/photo.jpg` });
    expect((await server.inject({ url: body.fileUrl })).statusCode).toBe(200);
    expect((await add(url, { fileName: body.fileName })).statusCode).toBe(200);
    expect(await readdir(join(server.dataDir, 'inbox'))).not.toContain(body.fileName);
  });

  it('becomes the thumbnail of a reel', async () => {
    const thumbnail = (await sender.finish(await sendWhole('thumbnail', await picture(300, 533)))).body;
    const video = (await sender.finish(await sendWhole('reel', await freshClip()))).body;
    const body = { videoKey: video.fileName, thumbnillurl: thumbnail.fileUrl };
    expect((await add('/api/reel/add', body)).statusCode).toBe(200);
  });

  it('is a copy if it was compressed from a published original, and so is that original later [long]', async () => {
    const original = await anotherFilm();
    expect(await publish(await anotherFilm(), original)).toEqual(fresh);
    expect(await publish(await anotherFilm(), original)).toEqual(copy);
    expect(await publish(original)).toEqual(copy);
    expect((await sender.begin('reel', 9, { original: 'abc' })).status).toBe(400);
  });

  it("with the claimed hash of another person's file does not make that person's file a copy [long]", async () => {
    const film = await anotherFilm();
    const [binod, chitra] = [await signUpSomebody(server), await signUpSomebody(server)];
    expect(await publish(await anotherFilm(), film, binod)).toEqual(fresh);
    expect(await publish(film)).toEqual(fresh);
    expect(await publish(await anotherFilm(), film, chitra)).toEqual(fresh);
    expect(await publish(film, undefined, chitra)).toEqual(copy);
  });

  it('continues after a lost connection from the bytes that had arrived', async () => {
    const bytes = new Uint8Array(3_000_000).fill(7);
    const address = await begin('reel', bytes.length);
    const sending = await sender.startSending(address, bytes, 1_000_000);
    const path = join(server.dataDir, 'inbox', keyOf(address));
    await expect.poll(async () => (await stat(path)).size).toBe(1_000_000);
    await sending.cut();
    expect(await sender.offset(address)).toBe(1_000_000);
    expect((await sender.patch(address, 1_000_000, bytes.slice(1_000_000))).status).toBe(204);
    expect(await sender.offset(address)).toBe(bytes.length);
  });

  it('gets the same response to each finish request, parallel or repeated, also after publishing', async () => {
    const address = await sendWhole('post', await picture());
    const answers = await Promise.all(Array.from({ length: 5 }, () => sender.finish(address)));
    const [{ body: first }] = answers as [(typeof answers)[0]];
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(new Set(answers.map(({ body }) => body.fileName)).size).toBe(1);
    await add('/api/post/add', { fileName: first.fileName });
    expect((await sender.finish(address)).body).toEqual(first);
    // A client that lost the response need not send the file again.
    expect(await sender.offset(address)).toBeGreaterThan(0);
  });

  it('that was accepted before the server stopped still gets its response', async () => {
    const address = await sendWhole('post', await picture());
    const { body } = await sender.finish(address);
    await server.db
      .updateTable('resumable_uploads')
      .set({ answer: null })
      .where('key', '=', body.fileName)
      .execute();
    expect((await sender.finish(address)).body).toEqual(body);
  });

  it('is a duplicate if its bytes were published before', async () => {
    const bytes = await picture();
    const { body } = await sender.finish(await sendWhole('post', bytes));
    await add('/api/post/add', { fileName: body.fileName });
    expect((await sender.finish(await sendWhole('story', bytes))).body).toMatchObject({ duplicate: true });
  });
});

describe('is refused with one sentence before the first byte:', () => {
  const refused = async (answer: Promise<{ status: number; body: string }>, status: number, code: string) => {
    const { status: got, body } = await answer;
    expect({ status: got, code: said(body).code }).toEqual({ status, code });
    expect(said(body).error).toMatch(/^[A-Z].*\.$/);
    expect(await rowsOf(asha)).toEqual([]);
    return said(body).error;
  };

  it.each([
    ['a video of 501 MB', 'reel', 501 * 1024 * 1024, 'This file is larger than 500 MB.'],
    ['a photo of more than 20 MB', 'post', limits.photo.maxBytes + 1, 'This file is larger than 20 MB.'],
    ['a story of more than 20 MB', 'story', limits.photo.maxBytes + 1, 'This file is larger than 20 MB.'],
    ['a large thumbnail', 'thumbnail', limits.thumbnail.maxBytes + 1, 'A thumbnail may have at most 2 MB.'],
  ])('%s', async (_what, kind, bytes, sentence) => {
    expect(await refused(sender.begin(kind, bytes), 413, 'file_too_large')).toBe(sentence);
  });
  it('an empty file', () => refused(sender.begin('reel', 0), 422, 'file_empty'));
  it('an unknown kind', () => refused(sender.begin('program', 9), 400, 'invalid_input'));
  it('a file without a length', () =>
    refused(
      sender.ask('POST', '/api/uploads', { 'upload-metadata': 'kind cmVlbA==' }),
      400,
      'invalid_input',
    ));
  it('invalid metadata', () =>
    refused(sender.ask('POST', '/api/uploads', { 'upload-metadata': 'kind ,,' }), 400, 'invalid_input'));
  it('another protocol', () =>
    refused(sender.ask('POST', '/api/uploads', { 'tus-resumable': '0.2.2' }), 412, 'invalid_input'));
  it('no token, or an unknown one', async () => {
    await refused(senderTo(origin, undefined).begin('reel', 1000), 401, 'not_signed_in');
    await refused(senderTo(origin, 'nobody').begin('reel', 1000), 401, 'not_signed_in');
  });
});

it('an eleventh unfinished file is refused, also in parallel; cancelling one makes room', async () => {
  const tries = await Promise.all(
    Array.from({ length: unfinishedAtMost + 3 }, () => sender.begin('reel', 1000)),
  );
  expect(tries.filter(({ status }) => status === 201)).toHaveLength(unfinishedAtMost);
  const refused = tries.filter(({ status }) => status !== 201);
  expect(refused.map(({ status, body }) => [status, said(body).code])).toEqual(
    Array.from({ length: 3 }, () => [429, 'too_many_uploads']),
  );
  const address = tries.find(({ status }) => status === 201)?.headers.get('location') ?? '';
  expect((await sender.ask('DELETE', address)).status).toBe(204);
  expect((await sender.begin('reel', 1000)).status).toBe(201);
});

it('an upload does not exist for other people', async () => {
  const bytes = await picture();
  const address = await begin('post', bytes.length);
  await sender.patch(address, 0, bytes.slice(0, 100));
  const binod = await signUpSomebody(server, 'Binod');
  for (const [other, status] of [
    [senderTo(origin, binod.token), 404],
    [senderTo(origin, undefined), 401],
  ] as const) {
    expect((await other.ask('HEAD', address)).status).toBe(status);
    expect((await other.patch(address, 100, bytes.slice(100))).status).toBe(status);
    expect((await other.ask('DELETE', address)).status).toBe(status);
    expect((await other.finish(address)).status).toBe(status);
  }
  expect(await sender.offset(address)).toBe(100);
  for (const path of [`${'f'.repeat(32)}`, '..%2f..%2fpostgres.url', 'x'])
    expect((await sender.ask('HEAD', `/api/uploads/${path}`)).status).toBe(404);
});

describe('what is refused after it has arrived', () => {
  it.each([
    ['a page as a reel', 'reel', { status: 415, code: 'file_not_video' }],
    ['a photo as a reel', 'reel', { status: 415, code: 'file_not_video' }, true],
    ['a page as a post', 'post', { status: 415, code: 'file_not_image' }],
    ['a page as a thumbnail', 'thumbnail', { status: 415, code: 'file_not_image' }],
  ])(
    '%s leaves nothing behind, and the same answer',
    async (_what, kind, { status, code }, isPhoto = false) => {
      const page = new TextEncoder().encode('<!doctype html><script>alert(1)</script>'.repeat(20));
      const address = await sendWhole(kind, isPhoto ? await picture() : page);
      for (let times = 0; times < 2; times += 1) {
        const answer = await sender.finish(address);
        expect(answer).toMatchObject({ status, body: { code, error: expect.stringMatching(/^[A-Z].*\.$/) } });
      }
      expect(await filesOf(address)).toEqual([]);
    },
  );
});

describe('cancelling an upload removes its files', () => {
  it('in the middle', async () => {
    const bytes = await picture();
    const address = await begin('post', bytes.length);
    await sender.patch(address, 0, bytes.slice(0, 100));
    expect((await sender.ask('DELETE', address)).status).toBe(204);
    expect(await sender.offset(address)).toBeUndefined();
    expect(await filesOf(address)).toEqual([]);
    expect(await rowsOf(asha)).toEqual([]);
  });

  it('during the check, and after it', async () => {
    for (const kind of ['post', 'reel']) {
      const address = await sendWhole(kind, kind === 'post' ? await picture() : await freshClip());
      const [, deleted] = await Promise.all([sender.finish(address), sender.ask('DELETE', address)]);
      expect(deleted.status).toBe(204);
      expect(await filesOf(address)).toEqual([]);
    }
  });

  it('but not if it has been published', async () => {
    const address = await sendWhole('post', await picture());
    const { body } = await sender.finish(address);
    await add('/api/post/add', { fileName: body.fileName });
    expect((await sender.ask('DELETE', address)).status).toBe(204);
    expect((await server.inject({ url: body.fileUrl })).statusCode).toBe(200);
  });
});

it('an unfinished upload is deleted a day after its last piece', async () => {
  const bytes = await picture();
  const address = await begin('post', bytes.length);
  await sender.patch(address, 0, bytes.slice(0, 100));
  const hours = (count: number) => new Date(Date.now() + count * 60 * 60 * 1000);
  const sweepIn = async (count: number) => {
    const later = { ...server.context, clock: () => hours(count) };
    await deleteExpiredUploads(later);
    await sweep(later);
  };
  await sweepIn(23);
  expect(await sender.offset(address)).toBe(100);
  await sweepIn(25);
  expect(await sender.offset(address)).toBeUndefined();
  expect(await filesOf(address)).toEqual([]);
});

it('OPTIONS lists the protocol version and extensions', async () => {
  const response = await fetch(`${origin}/api/uploads`, { method: 'OPTIONS' });
  expect(response.status).toBe(204);
  expect(response.headers.get('tus-version')).toBe('1.0.0');
  expect(response.headers.get('tus-extension')).toBe(
    'creation,creation-with-upload,creation-defer-length,termination',
  );
  expect(response.headers.get('tus-max-size')).toBe(String(limits.video.maxBytes));
});

describe('the tus protocol, as used by other clients', () => {
  const offset = { 'content-type': 'application/offset+octet-stream' };
  const kind = (name: string) => ({ 'upload-metadata': `kind ${btoa(name)}` });

  it('sends its version in every response, also refusals, and the supported one with 412', async () => {
    const address = await begin('reel', 10);
    const stranger = senderTo(origin, undefined);
    const answers = {
      400: await sender.ask('POST', '/api/uploads', kind('reel')),
      401: await stranger.ask('HEAD', address),
      404: await sender.ask('HEAD', `/api/uploads/${'ab'.repeat(16)}`),
      409: await sender.ask('PATCH', address, { ...offset, 'upload-offset': '5' }, new Uint8Array(1)),
      412: await sender.ask('HEAD', address, { 'tus-resumable': '0.2.2' }),
      413: await sender.begin('reel', limits.video.maxBytes + 1),
      415: await sender.ask(
        'PATCH',
        address,
        { 'content-type': 'image/png', 'upload-offset': '0' },
        new Uint8Array(1),
      ),
      204: await sender.ask('PATCH', address, { ...offset, 'upload-offset': '0' }, new Uint8Array(1)),
    };
    for (const [status, answer] of Object.entries(answers))
      expect([answer.status, answer.headers.get('tus-resumable')]).toEqual([Number(status), '1.0.0']);
    expect(answers[412].headers.get('tus-version')).toBe('1.0.0');
    await sender.ask('DELETE', address);
  });

  it.each([
    ['GET', '/api/uploads', 'POST, OPTIONS'],
    ['PUT', '/api/uploads', 'POST, OPTIONS'],
    ['DELETE', '/api/uploads', 'POST, OPTIONS'],
    ['GET', `/api/uploads/${'ab'.repeat(16)}`, 'HEAD, PATCH, DELETE, OPTIONS'],
    ['PUT', `/api/uploads/${'ab'.repeat(16)}`, 'HEAD, PATCH, DELETE, OPTIONS'],
    ['POST', `/api/uploads/${'ab'.repeat(16)}`, 'HEAD, PATCH, DELETE, OPTIONS'],
  ])('%s %s is 405, names the methods that it takes, and the version', async (method, path, taken) => {
    const body = method === 'PUT' ? new Uint8Array(3) : undefined;
    const { status, headers, body: answer } = await sender.ask(method, path, {}, body);
    expect([status, headers.get('allow'), headers.get('tus-resumable')]).toEqual([405, taken, '1.0.0']);
    expect(said(answer).error).toMatch(/^This address takes [A-Z, and]+\.$/);
  });

  it.each([
    ['a file of 10 bytes', { 'upload-length': '10' }, {}],
    ['a file of unknown length', { 'upload-defer-length': '1' }, {}],
    [
      'a file whose 10 bytes are said with the piece',
      { 'upload-defer-length': '1' },
      { 'upload-length': '10' },
    ],
  ])('a piece that is larger than %s and than the disk is 413, not 507', async (_what, length, more) => {
    const begun = await sender.ask('POST', '/api/uploads', { ...kind('post'), ...length });
    const address = begun.headers.get('location') ?? '';
    const status = new Promise<number | undefined>((resolve, reject) => {
      const sending = request(`${origin}${address}`, {
        method: 'PATCH',
        headers: {
          ...asha.headers,
          ...offset,
          ...more,
          'tus-resumable': '1.0.0',
          'upload-offset': '0',
          'content-length': String(10 ** 15),
        },
      });
      sending.on('error', reject);
      sending.on('response', (response) => {
        resolve(response.statusCode);
        sending.off('error', reject).on('error', () => undefined);
        sending.destroy();
      });
      sending.flushHeaders();
    });
    expect(await status).toBe(413);
    expect(await sender.offset(address)).toBe(0);
    await sender.ask('DELETE', address);
  });

  it('sends its version also with a rate limit error', async () => {
    const counting = await startTestServer({ DATABASE_URL: 'postgres://unused' });
    const remoteAddress = '127.9.0.1';
    const key = createHmac('sha256', counting.keyring.secret('limits'))
      .update(`network begin upload ${remoteAddress}`)
      .digest()
      .subarray(0, 16);
    await addCounts(counting.db, [{ key, requests: crowd, window: 60_000 }]);
    // Counts of other processes are known a second after this process has sent its first ones.
    const answer = async () => {
      const { statusCode, headers } = await counting.inject({
        method: 'POST',
        url: '/api/uploads',
        remoteAddress,
      });
      return [statusCode, headers['tus-resumable']];
    };
    expect(await answer()).toEqual([401, '1.0.0']);
    await expect.poll(answer).toEqual([429, '1.0.0']);
    await counting.close();
  });

  it('accepts PATCH, HEAD and DELETE as POST with an override header, for networks that block other methods', async () => {
    const address = await begin('reel', 10);
    const patched = await sender.ask(
      'POST',
      address,
      { ...offset, 'x-http-method-override': 'PATCH', 'upload-offset': '0' },
      new Uint8Array(4),
    );
    expect([patched.status, patched.headers.get('upload-offset')]).toEqual([204, '4']);
    const head = await sender.ask('POST', address, { 'x-http-method-override': 'HEAD' });
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '4']);
    expect((await sender.ask('POST', address)).status).toBe(405);
    expect((await sender.ask('POST', address, { 'x-http-method-override': 'DELETE' })).status).toBe(204);
    expect(await sender.offset(address)).toBeUndefined();
  });

  it('refuses a piece without an offset', async () => {
    const address = await begin('reel', 10);
    const { status, body } = await sender.ask('PATCH', address, offset, new Uint8Array(4));
    expect([status, said(body).error]).toEqual([400, 'Upload-Offset must say where this piece begins.']);
    expect(await sender.offset(address)).toBe(0);
    await sender.ask('DELETE', address);
  });

  it.each([
    ['upload-concat', 'partial'],
    ['upload-concat', 'final;/api/uploads/a /api/uploads/b'],
    ['upload-checksum', 'sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0='],
  ])('%s: %s is 501 with one sentence, creates nothing and logs no error', async (name, value) => {
    const { status, body } = await sender.ask('POST', '/api/uploads', {
      ...kind('reel'),
      'upload-length': '10',
      [name]: value,
    });
    expect(status).toBe(501);
    expect(said(body).error).toMatch(/^[A-Z].*\.$/);
    expect(await rowsOf(asha)).toEqual([]);
  });

  it('accepts a file whose length is sent with a later piece, and checks it only then', async () => {
    const bytes = await picture();
    const begun = await sender.ask('POST', '/api/uploads', { ...kind('post'), 'upload-defer-length': '1' });
    expect(begun.status).toBe(201);
    const address = begun.headers.get('location') ?? '';
    const half = bytes.length >> 1;
    expect((await sender.patch(address, 0, bytes.slice(0, half))).status).toBe(204);
    const head = await sender.ask('HEAD', address);
    expect(head.headers.get('upload-defer-length')).toBe('1');
    expect(head.headers.get('upload-offset')).toBe(String(half));
    expect((await sender.finish(address)).body).toMatchObject({ code: 'upload_incomplete' });
    const tooMuch = {
      ...offset,
      'upload-offset': String(half),
      'upload-length': String(limits.photo.maxBytes + 1),
    };
    expect((await sender.ask('PATCH', address, tooMuch, bytes.slice(half))).status).toBe(413);
    const rest = { ...tooMuch, 'upload-length': String(bytes.length) };
    expect((await sender.ask('PATCH', address, rest, bytes.slice(half))).status).toBe(204);
    expect((await sender.finish(address)).body).toMatchObject({ kind: 'image', duplicate: false });
  });

  it('refuses a length and a deferred length together', async () => {
    const both = { ...kind('post'), 'upload-length': '10', 'upload-defer-length': '1' };
    expect((await sender.ask('POST', '/api/uploads', both)).status).toBe(400);
    await expect.poll(() => rowsOf(asha)).toEqual([]);
  });
});
