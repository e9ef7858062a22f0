import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import { anotherFilm, anotherOf } from '#testing/fixtures/reels.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

let server: TestServer;
let folder: string;
let clip: Buffer<ArrayBuffer>;
let asha: Person;
let binod: Person;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-reels-'));
  await makeClip(join(folder, 'clip.mp4'), { seconds: 1 });
  clip = Buffer.from(await readFile(join(folder, 'clip.mp4')));
  server = await startTestServer();
  asha = await signUpSomebody(server);
  binod = await signUpSomebody(server, 'Binod');
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const another = () => anotherOf(clip);

const send = async (bytes: Uint8Array<ArrayBuffer>, person: Person = asha, field = 'file') => {
  const { payload, headers } = await multipart(bytes, field);
  return await server.inject({
    method: 'POST',
    url: '/api/s3Reel/uploadReels',
    payload,
    headers: { ...headers, ...person.headers },
  });
};
const add = (body: object, person: Person = asha) =>
  server.inject({ method: 'POST', url: '/api/reel/add', headers: person.headers, payload: body });
const getReel = async (id: string, person?: Person) =>
  server.inject({ url: `/api/reel/getReel/${id}`, headers: person?.headers ?? {} });
const remove = (id: string, person?: Person) =>
  server.inject({ method: 'DELETE', url: `/api/reel/deleteReel/${id}`, headers: person?.headers ?? {} });

async function untilSettled(id: string, person: Person = asha) {
  const settled = async () => {
    const { data } = (await getReel(id, person)).json();
    return data.state !== 'processing' && data;
  };
  return await vi.waitUntil(settled, { timeout: 120_000, interval: 100 });
}

async function publish(person: Person = asha, more: object = {}, bytes = another()) {
  const { fileName } = (await send(bytes, person)).json();
  const { data } = (await add({ videoKey: fileName, caption: 'A clip', ...more }, person)).json();
  return await untilSettled(data._id, person);
}
/** A clip with unique pictures: a copy would earn nothing. */
async function ownClip(source: string) {
  await makeClip(join(folder, 'own.mp4'), { seconds: 1, source: `${source}=size=270x480:rate=25` });
  return Buffer.from(await readFile(join(folder, 'own.mp4')));
}

const inbox = () => readdir(join(server.dataDir, 'inbox'));
const media = async () =>
  (await readdir(join(server.dataDir, 'media'), { recursive: true })).filter((name) => name.includes('.'));

describe('publishing a reel (decisions §7)', () => {
  it('goes from uploaded over processing to public, visible only to its owner before', async () => {
    const upload = (await send(another())).json();
    expect(upload).toMatchObject({
      status: 'ok',
      kind: 'video',
      duplicate: false,
      fileName: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const form = {
      videoKey: upload.fileName,
      videourl: upload.fileUrl,
      caption: 'नमस्ते <b>"world"</b>',
      creadit: 'Ma',
      category: ['dance', { id: 'food' }],
    };
    const { data } = (await add(form)).json();
    expect(data).toMatchObject({
      state: 'processing',
      videourl: '',
      userId: asha.id,
      username: asha.username,
    });
    expect((await getReel(data._id)).statusCode).toBe(404);
    expect((await getReel(data._id, binod)).statusCode).toBe(404);
    expect((await getReel(data._id, asha)).statusCode).toBe(200);

    const ready = await untilSettled(data._id);
    expect(ready).toMatchObject({
      state: 'ready',
      caption: 'नमस्ते <b>"world"</b>',
      creadit: 'Ma',
      category: [
        expect.objectContaining({ id: 'dance', name: 'Dance' }),
        expect.objectContaining({ id: 'food' }),
      ],
      videourl: upload.fileUrl,
      width: 270,
      height: 480,
      views: 0,
      likes: [],
      comments: [],
    });
    const feed = await call(server, { url: '/api/reel/getallReels' });
    expect(feed.data[0]._id).toBe(data._id);
    for (const url of [ready.videourl, ready.thumbnillurl, ready.posterurl, ready.tileurl]) {
      expect((await server.inject({ url })).statusCode).toBe(200);
    }
    expect(await inbox()).toEqual([]);
  });

  it('sent twice, also in parallel, creates one reel', async () => {
    const { fileName } = (await send(another())).json();
    const answers = await Promise.all(Array.from({ length: 6 }, () => add({ videoKey: fileName })));
    expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
    expect(new Set(answers.map((answer) => answer.json().data._id)).size).toBe(1);
  });

  it("uses the client's thumbnail, encoded again by the server", async () => {
    const { default: sharp } = await import('sharp');
    const png = await sharp({ create: { width: 300, height: 533, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    const thumbnail = (await send(Buffer.from(png))).json();
    expect(thumbnail).toMatchObject({ kind: 'image', fileUrl: expect.stringMatching(/thumbnail\.webp$/) });
    const ready = await publish(asha, { thumbnillurl: thumbnail.fileUrl });
    expect(ready.thumbnillurl).toBe(thumbnail.fileUrl);
    expect((await server.inject({ url: thumbnail.fileUrl })).headers['content-type']).toBe('image/webp');
  });

  it('marks a file that was published before as duplicate, which earns nothing', async () => {
    const original = await anotherFilm();
    const first = (await send(original)).json();
    await untilSettled((await add({ videoKey: first.fileName })).json().data._id);
    const second = (await send(original, binod)).json();
    expect(second).toMatchObject({ status: 'ok', duplicate: true });
    const copy = await untilSettled((await add({ videoKey: second.fileName }, binod)).json().data._id, binod);
    expect(copy).toMatchObject({ state: 'ready', duplicate: true });
    const months = await server.db
      .selectFrom('creator_months')
      .selectAll()
      .where('creator_id', '=', binod.id)
      .execute();
    expect(months).toEqual([]);
  });

  it('counts the reel in its month, its categories and its creator', async () => {
    const before = await call(server, { url: '/api/count/getCategoryCounts' });
    const countOf = (answer: typeof before) =>
      answer.data.find((one: { id: string }) => one.id === 'kabaddi').count;
    const carol = await signUpSomebody(server, 'Carol');
    await publish(carol, { category: ['kabaddi'] }, await ownClip('mandelbrot'));
    expect(countOf(await call(server, { url: '/api/count/getCategoryCounts' }))).toBe(countOf(before) + 1);
    expect((await call(server, { url: `/api/getuser/${carol.id}` })).data.reelCount).toBe(1);
    const [month] = await server.db
      .selectFrom('creator_months')
      .selectAll()
      .where('creator_id', '=', carol.id)
      .execute();
    expect(month).toMatchObject({ reels: 1, views: 0 });
  });
});

describe('bad uploads are answered with a specific 4xx, and nothing remains (issue: nothing stored, no file left)', () => {
  const nothingLeft = async (
    bad: () => Promise<{ statusCode: number; json: () => { code: string; error: string } }>,
    status: number,
    code: string,
  ) => {
    const [files, waiting] = [await media(), await inbox()];
    const uploads = await server.db.selectFrom('uploads').select('key').execute();
    const response = await bad();
    expect({ status: response.statusCode, code: response.json().code }).toEqual({ status, code });
    expect(response.json().error).toMatch(/^[A-Z].*[.!]$/);
    expect(await media()).toEqual(files);
    expect(await inbox()).toEqual(waiting);
    expect(await server.db.selectFrom('uploads').select('key').execute()).toEqual(uploads);
  };
  const html = Buffer.from('<!doctype html><script>alert(1)</script>'.repeat(20));

  it('an HTML page', () => nothingLeft(() => send(html), 415, 'file_not_video'));
  it('an empty file', () => nothingLeft(() => send(Buffer.alloc(0)), 422, 'file_empty'));
  it('a truncated video', () =>
    nothingLeft(() => send(Buffer.from(clip.subarray(0, clip.length >> 1))), 422, 'file_incomplete'));
  it('audio only', async () => {
    await makeClip(join(folder, 'sound.mp4'), { video: false });
    const sound = Buffer.from(await readFile(join(folder, 'sound.mp4')));
    await nothingLeft(() => send(sound), 415, 'file_not_video');
  });
  it('a field other than file', () => nothingLeft(() => send(clip, asha, 'video'), 400, 'file_missing'));
  it('a body that is not multipart', () =>
    nothingLeft(
      () =>
        server.inject({
          method: 'POST',
          url: '/api/s3Reel/uploadReels',
          headers: asha.headers,
          payload: { file: 'x' },
        }),
      400,
      'file_missing',
    ));
  it('no session', () =>
    nothingLeft(
      () => send(clip, { ...asha, headers: { authorization: 'Bearer nobody' } }),
      401,
      'not_signed_in',
    ));
});

describe('large and interrupted bodies (decisions §7)', () => {
  /** Sends `bytes` of a multipart body over a real connection, and with `cut` closes it afterwards. */
  async function stream(bytes: number, options: { length?: number; cut?: boolean }): Promise<number | 'cut'> {
    if (!server.app.server.listening) await server.app.listen({ port: 0, host: '127.0.0.1' });
    const address = server.app.server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    const head = Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n');
    return await new Promise((resolve, reject) => {
      const sending = request({
        port,
        method: 'POST',
        path: '/api/s3Reel/uploadReels',
        headers: {
          ...asha.headers,
          'content-type': 'multipart/form-data; boundary=b',
          ...(options.length ? { 'content-length': options.length } : {}),
        },
      });
      sending.on('response', (response) => {
        response.resume();
        sending.destroy();
        resolve(response.statusCode ?? 0);
      });
      sending.on('error', (error) => (options.cut ? resolve('cut') : reject(error)));
      sending.write(head);
      const block = Buffer.alloc(1024 * 1024);
      let sent = 0;
      const more = () => {
        while (sent < bytes) {
          sent += block.length;
          if (!sending.write(block)) return sending.once('drain', more);
        }
        if (options.cut) return setTimeout(() => sending.destroy(), 100);
        return sending.end('\r\n--b--\r\n');
      };
      more();
    });
  }

  it('501 MB with a length header are refused before they are read', async () => {
    expect(await stream(0, { length: 501 * 1024 * 1024 })).toBe(413);
    expect(await inbox()).toEqual([]);
  });

  it('501 MB without a length header are refused at the limit [long]', async () => {
    expect(await stream(501 * 1024 * 1024, {})).toBe(413);
    expect(await inbox()).toEqual([]);
  });

  it('a connection lost at half leaves no file', async () => {
    expect(await stream(20 * 1024 * 1024, { length: 40 * 1024 * 1024, cut: true })).toBe('cut');
    await expect.poll(inbox).toEqual([]);
  });
});

describe('bad publish requests (decisions §2)', () => {
  it.each<[string, object, number, string]>([
    ['no video', {}, 400, 'invalid_input'],
    ['an unknown video', { videoKey: 'f'.repeat(32) }, 409, 'upload_unknown'],
    [
      'four categories',
      { videoKey: 'f'.repeat(32), category: ['food', 'dance', 'music', 'art'] },
      400,
      'invalid_input',
    ],
    ['an unknown category', { videoKey: 'f'.repeat(32), category: ['nonsense'] }, 400, 'unknown_category'],
    ['a caption without end', { videoKey: 'f'.repeat(32), caption: 'x'.repeat(3000) }, 400, 'invalid_input'],
    ['a NUL', { videoKey: 'f'.repeat(32), caption: 'a\u0000b' }, 400, 'invalid_input'],
  ])('%s', async (_what, body, status, code) => {
    const response = await add(body);
    expect({ status: response.statusCode, code: response.json().code }).toEqual({ status, code });
  });

  it('without a video is refused with the sentence of the specification', async () => {
    expect((await add({})).json().error).toBe('Please select a video first');
  });

  it("another person's upload, thumbnail or id publishes nothing", async () => {
    const { fileName } = (await send(another())).json();
    expect((await add({ videoKey: fileName }, binod)).json().code).toBe('upload_unknown');
    expect((await add({ videoKey: fileName, userId: binod.id })).json().code).toBe('not_yours');
    const foreign = { videoKey: fileName, thumbnillurl: `/media/${'a'.repeat(32)}/thumbnail.webp` };
    expect((await add(foreign)).json().code).toBe('upload_unknown');
  });

  it('counts and owners sent by the client are not stored', async () => {
    const reel = await publish(asha, {
      views: 9999,
      likes: ['x'],
      state: 'ready',
      username: 'binod',
      duplicate: false,
    });
    expect(reel).toMatchObject({ views: 0, likes: [], username: asha.username });
  });
});

describe('lists (decisions §2)', () => {
  it('are in pages, newest first, without gaps or repetition while reels are added [long]', async () => {
    for (let index = 0; index < 3; index += 1) await publish(binod);
    const seen: string[] = [];
    let cursor: string | null = '';
    let added = false;
    do {
      const page = await call(server, {
        url: `/api/reel/getallReels?limit=2${cursor ? `&cursor=${cursor}` : ''}`,
      });
      seen.push(...page.data.map((one: { _id: string }) => one._id));
      if (!added) await publish(binod);
      added = true;
      cursor = page.nextCursor;
    } while (cursor);
    expect(new Set(seen).size).toBe(seen.length);
    const all = (await call(server, { url: '/api/reel/getallReels?limit=100' })).data.map(
      (one: { _id: string }) => one._id,
    );
    expect(seen).toEqual(all.slice(1));
  });

  it.each(['limit=0', 'limit=101', 'limit=x', 'cursor=nonsense', 'cursor=%00'])(
    'refuse ?%s',
    async (query) => {
      const response = await server.inject({ url: `/api/reel/getallReels?${query}` });
      expect(response.statusCode).toBe(400);
      expect(response.json().status).toBe('error');
    },
  );

  it('of the caller include reels that are not public', async () => {
    const { fileName } = (await send(another(), binod)).json();
    const { data } = (await add({ videoKey: fileName }, binod)).json();
    const listed = async (person?: Person) =>
      (
        await call(server, {
          url: `/api/reel/getFrienddata/${binod.id}?limit=100`,
          headers: person?.headers ?? {},
        })
      ).data.map((one: { _id: string }) => one._id);
    expect(await listed(binod)).toContain(data._id);
    expect(await listed(asha)).not.toContain(data._id);
    expect(await listed()).not.toContain(data._id);
    await untilSettled(data._id, binod);
    expect(await listed()).toContain(data._id);
  });
});

describe('deleting (specification §6, decisions §4)', () => {
  it('is refused to others', async () => {
    const reel = await publish();
    expect((await remove(reel._id)).statusCode).toBe(401);
    expect((await remove(reel._id, binod)).json().code).toBe('not_yours');
    expect((await getReel(reel._id)).statusCode).toBe(200);
  });

  it('removes the files, the counts and the coins of this month; repeating it changes nothing', async () => {
    const dora = await signUpSomebody(server, 'Dora');
    const reel = await publish(dora, { category: ['nature'] }, await ownClip('testsrc'));
    await call(server, { method: 'POST', url: `/api/reel/increaseView/${reel._id}` });
    for (const _ of [1, 2]) expect((await remove(reel._id, dora)).statusCode).toBe(200);
    expect((await getReel(reel._id, dora)).statusCode).toBe(404);
    expect((await server.inject({ url: reel.videourl })).statusCode).toBe(404);
    expect((await call(server, { url: `/api/getuser/${dora.id}` })).data.reelCount).toBe(0);
    const [month] = await server.db
      .selectFrom('creator_months')
      .selectAll()
      .where('creator_id', '=', dora.id)
      .execute();
    expect(month).toMatchObject({ reels: 0, views: 0 });
  });

  it('of an unknown reel is answered with 404', async () => {
    expect((await remove('018f0000-0000-7000-8000-000000000000', asha)).statusCode).toBe(404);
    expect((await remove('nonsense', asha)).statusCode).toBe(400);
  });
});
