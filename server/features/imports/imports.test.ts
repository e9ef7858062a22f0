import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import { hostileAddresses } from '#testing/fuzz/hostile-addresses.ts';
import { guardTo, type Site, startSite } from '#testing/servers/internet.ts';
import { jobsIn, makeDue } from '#testing/servers/queues.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { sweep } from '../stored-files/sweeper.ts';
import { deleteExpiredUploads } from '../uploads/expiry.ts';
import type { Extractor } from './extractor.ts';
import { countFetch } from './without-login.ts';

const link = 'https://youtu.be/dQw4w9WgXcQ';
const page = 'https://www.youtube.com/watch?v=dQw4w9WgXcQ';
const failed = 'Failed to fetch video. Please check the link.';
const missing = 'Please paste a valid YouTube or Instagram link.';

let server: TestServer;
let site: Site;
let folder: string;
let clip: Buffer;
let asha: Person;
let binod: Person;
/** The extractor of the current test. */
let behind: Extractor;
/** The response of the video's host. */
let serve: (request: IncomingMessage, response: ServerResponse) => void;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-imports-'));
  await makeClip(join(folder, 'clip.mp4'), { seconds: 2, title: 'Whose is it' });
  clip = await readFile(join(folder, 'clip.mp4'));
  site = await startSite((request, response) => serve(request, response));
  server = await startTestServer(
    {},
    { outside: { guard: guardTo(site), extractor: (link, signal) => behind(link, signal) } },
  );
});
afterAll(async () => {
  await server.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  // Each test has its own people, because imports are counted by person.
  asha = await signUpSomebody(server);
  binod = await signUpSomebody(server, 'Binod');
  behind = async () => ({ media: 'https://r1---sn.googlevideo.com/videoplayback?itag=18', title: 'A video' });
  serve = (request, response) => sendPieces(clip, request, response);
});

/** Answers range requests as video hosts do. */
function sendPieces(bytes: Buffer, request: IncomingMessage, response: ServerResponse) {
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
  const end = Math.min(Number(to), bytes.length - 1);
  response.writeHead(206, { 'content-range': `bytes ${from}-${end}/${bytes.length}` });
  response.end(bytes.subarray(Number(from), end + 1));
}

const post = (url: string, payload: object, person?: Person) =>
  server.inject({ method: 'POST', url, payload, headers: person?.headers ?? {} });
const fetchLink = (text: string, person: Person = asha) =>
  post('/api/link/download-video', { link: text }, person);
const add = (body: object, person: Person = asha) => post('/api/reel/add', body, person);
const stored = async () => ({
  inbox: await readdir(join(server.dataDir, 'inbox')),
  workspaces: await readdir(join(server.dataDir, 'workspaces')),
  media: (await readdir(join(server.dataDir, 'media'), { recursive: true })).filter((name) =>
    name.includes('.'),
  ),
  uploads: await server.db.selectFrom('uploads').select('key').orderBy('key').execute(),
  imports: await server.db.selectFrom('imports').select('upload_key').orderBy('upload_key').execute(),
});

async function untilReady(id: string, person: Person = asha) {
  const settled = async () => {
    const { data } = (
      await server.inject({ url: `/api/reel/getReel/${id}`, headers: person.headers })
    ).json();
    return data.state !== 'processing' && data;
  };
  return await vi.waitUntil(settled, { timeout: 120_000, interval: 100 });
}

describe('a link to a video (specification §7)', () => {
  it('becomes an upload, and then a published reel that plays and shows its source', async () => {
    const carol = await signUpSomebody(server, 'Carol');
    const fetched = (await fetchLink(link, carol)).json();
    expect(fetched).toMatchObject({
      status: 'ok',
      fileUrl: expect.stringMatching(/^\/media\/[0-9a-f]{32}\/video\.mp4$/),
      thumbnailUrl: expect.stringMatching(/thumbnail\.webp$/),
      fileName: expect.stringMatching(/^[0-9a-f]{32}$/),
      title: 'A video',
      sourceUrl: page,
    });
    const copy = await server.inject({ url: fetched.fileUrl });
    expect(copy.headers['content-type']).toBe('video/mp4');
    // The file was encoded by the server, without the texts of the original.
    expect(copy.rawPayload.includes('Whose is it')).toBe(false);
    expect(clip.includes('Whose is it')).toBe(true);
    const thumbnail = await sharp((await server.inject({ url: fetched.thumbnailUrl })).rawPayload).metadata();
    expect([thumbnail.width, thumbnail.height]).toEqual([300, 533]);

    const body = {
      videoKey: fetched.fileName,
      thumbnillurl: fetched.thumbnailUrl,
      sourceUrl: fetched.sourceUrl,
      isMine: true,
      category: ['dance'],
    };
    const { data } = (await add(body, carol)).json();
    expect((await add(body, carol)).json().data._id).toBe(data._id);
    const reel = await untilReady(data._id, carol);
    expect(reel).toMatchObject({ state: 'ready', source: page, thumbnillurl: fetched.thumbnailUrl });
    expect((await server.inject({ url: reel.videourl })).statusCode).toBe(200);
  });

  it('is downloaded in ranges, or whole from a host without ranges', async () => {
    serve = (_request, response) => response.end(clip);
    expect((await fetchLink('https://youtu.be/aaaaaaaaaaa')).statusCode).toBe(200);
    const large = Buffer.concat([clip, freeBox(11 * 1024 * 1024)]);
    serve = (request, response) => sendPieces(large, request, response);
    site.requests.length = 0;
    expect((await fetchLink('https://youtu.be/bbbbbbbbbbb')).statusCode).toBe(200);
    expect(site.requests).toHaveLength(2);
  });

  it('sent twice is downloaded once for each person', async () => {
    const first = (await fetchLink(link)).json();
    site.requests.length = 0;
    expect((await fetchLink(page)).json()).toEqual(first);
    expect(site.requests).toEqual([]);
    expect((await fetchLink(link, binod)).json().fileName).not.toBe(first.fileName);
  });

  it('sent twice in parallel is downloaded once', async () => {
    const dora = await signUpSomebody(server, 'Dora');
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    serve = async (request, response) => {
      begun.resolve();
      await go.promise;
      sendPieces(clip, request, response);
    };
    const first = fetchLink(link, dora);
    await begun.promise;
    const second = await fetchLink(link, dora);
    expect([second.statusCode, second.json().code]).toEqual([429, 'import_busy']);
    go.resolve();
    expect((await first).statusCode).toBe(200);
    expect((await fetchLink(link, dora)).statusCode).toBe(200);
  });

  it('to Instagram is answered like the old tool', async () => {
    const answer = await post('/api/instagram', { url: 'https://www.instagram.com/reel/C1a-B2_c3D4/' }, asha);
    expect(answer.json()).toEqual({
      status: 'ok',
      success: true,
      videoUrl: expect.stringMatching(/^\/media\/[0-9a-f]{32}\/video\.mp4$/),
    });
    expect((await post('/api/instagram', { url: link }, asha)).json().code).toBe('link_invalid');
  });

  it('to the old tool needs a session', async () => {
    expect((await post('/api/instagram', { url: link })).statusCode).toBe(401);
  });

  it('is limited to a few a minute', async () => {
    const statuses: number[] = [];
    for (let index = 0; index < 22; index += 1) {
      const response = await server.inject({
        method: 'POST',
        url: '/api/link/download-video',
        payload: { link: '' },
        headers: asha.headers,
        remoteAddress: '198.51.100.7',
      });
      statuses.push(response.statusCode);
    }
    expect(statuses).toEqual([...Array(20).fill(400), 429, 429]);
  });
});

describe('text that is not a link', () => {
  it.each([
    '',
    '   ',
    'a video',
    'https://vimeo.com/1',
    page.replace('https', 'http'),
    `https://youtu.be/${'x'.repeat(2000)}`,
  ])('%j is refused with the sentence of the specification', async (text) => {
    const response = await fetchLink(text);
    expect([response.statusCode, response.json().error]).toEqual([400, missing]);
  });

  it('causes neither a lookup nor a connection', async () => {
    let lookups = 0;
    behind = async () => {
      lookups += 1;
      throw new Error('nobody may get here');
    };
    const database = Number(new URL(server.url).port);
    const connects = vi.spyOn(Socket.prototype, 'connect');
    for (const [place, address] of [...hostileAddresses(8443)].entries()) {
      // Twenty requests a minute are allowed for each person.
      if (place % 20 === 19) asha = await signUpSomebody(server);
      const response = await fetchLink(address);
      expect([address, response.statusCode, response.json().error]).toEqual([address, 400, missing]);
    }
    const elsewhere = connects.mock.calls.filter(
      (given) => !JSON.stringify(given).includes(String(database)),
    );
    connects.mockRestore();
    expect({ lookups, elsewhere }).toEqual({ lookups: 0, elsewhere: [] });
  });
});

describe('a failed import is answered with a sentence and leaves nothing behind', () => {
  const refused = async (status: number, code: string, sentence: string | RegExp) => {
    const before = await stored();
    const response = await fetchLink('https://youtu.be/ccccccccccc');
    expect({ status: response.statusCode, code: response.json().code }).toEqual({ status, code });
    expect(response.json().error).toMatch(sentence);
    expect(await stored()).toEqual(before);
  };
  const cannot = () => refused(422, 'link_failed', failed);
  const finds =
    (media: string, seconds?: number): Extractor =>
    async () => ({ media, title: '', seconds });

  it('a video that the site does not serve', () => {
    behind = async () => {
      throw new Error('private');
    };
    return cannot();
  });
  it.each([
    'https://127.0.0.1/video.mp4',
    'http://r1.googlevideo.com/video.mp4',
    'file:///etc/passwd',
    'https://evil.example/video.mp4',
    'not an address',
  ])('a site that answers %s', async (media) => {
    behind = finds(media);
    site.requests.length = 0;
    await cannot();
    expect(site.requests).toEqual([]);
  });
  it('a host that redirects to a forbidden host', () => {
    serve = (_request, response) => response.writeHead(302, { location: 'https://127.0.0.1/' }).end();
    return cannot();
  });
  it.each<[string, (request: IncomingMessage, response: ServerResponse) => void]>([
    ['answers 404', (_request, response) => response.writeHead(404).end('gone')],
    ['answers nothing', (_request, response) => response.end()],
    ['answers a page', (_request, response) => response.end('<!doctype html>'.repeat(50))],
    ['answers a playlist', (_request, response) => response.end('#EXTM3U\nfile:///etc/passwd\n')],
    [
      'answers another piece',
      (_request, response) => response.writeHead(206, { 'content-range': 'bytes 5-9/10' }).end('56789'),
    ],
    [
      'answers an empty piece',
      (_request, response) =>
        response.writeHead(206, { 'content-range': 'bytes 0-9/10', 'content-length': 0 }).end(),
    ],
    [
      'promises too much',
      (_request, response) =>
        response.writeHead(206, { 'content-range': `bytes 0-10485759/${600 * 1024 * 1024}` }).end('x'),
    ],
    [
      'breaks off',
      (_request, response) => {
        response.writeHead(200, { 'content-length': clip.length });
        response.write(clip.subarray(0, 1000), () => response.destroy());
      },
    ],
  ])('a host that %s', (_what, answer) => {
    serve = answer;
    return cannot();
  });
  it('a picture', async () => {
    const picture = await sharp({ create: { width: 30, height: 53, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    serve = (_request, response) => response.end(picture);
    await cannot();
  });
  it('a truncated video', () => {
    serve = (_request, response) => response.end(clip.subarray(0, clip.length >> 1));
    return refused(422, 'file_incomplete', /incomplete/);
  });
  it('a video that is too long according to its site, without downloading any of it', async () => {
    behind = finds('https://r1.googlevideo.com/long', 3600);
    site.requests.length = 0;
    await refused(422, 'video_too_long', /longer than 3 minutes/);
    expect(site.requests).toEqual([]);
  });
});

describe('with link import turned off', () => {
  it('is shown in the configuration, and a link is refused with the sentence of the specification', async () => {
    const closed = await startTestServer({ LINK_IMPORT: 'off' });
    try {
      expect((await call(closed, { url: '/api/config' })).linkImport).toBe(false);
      const { headers } = await signUpSomebody(closed);
      const response = await closed.inject({
        method: 'POST',
        url: '/api/link/download-video',
        payload: { link },
        headers,
      });
      expect([response.statusCode, response.json().error]).toEqual([422, failed]);
    } finally {
      await closed.close();
    }
  });

  it('off and on again is shown in the configuration, with five categories', async () => {
    const config = await call(server, { url: '/api/config' });
    expect(config.linkImport).toBe(true);
    expect(config.linkCategories).toHaveLength(5);
    const all = config.categories.map((one: { id: string }) => one.id);
    expect(all).toEqual(expect.arrayContaining(config.linkCategories));
  });
});

describe('publishing an import (decisions §3)', () => {
  it('requires a confirmation of the rights', async () => {
    const { fileName } = (await fetchLink('https://youtu.be/ddddddddddd')).json();
    for (const isMine of [undefined, false]) {
      const response = await add({ videoKey: fileName, isMine });
      expect([response.statusCode, response.json().code]).toEqual([400, 'not_confirmed']);
    }
  });

  it('shows the stored source, whatever the client claims', async () => {
    const { fileName } = (await fetchLink('https://youtu.be/eeeeeeeeeee')).json();
    const claims = [
      'https://www.youtube.com/watch?v=fffffffffff',
      'https://evil.example/',
      'javascript:alert(1)',
    ];
    for (const sourceUrl of claims)
      expect((await add({ videoKey: fileName, isMine: true, sourceUrl })).json().code).toBe('source_unknown');
    // The source is shown even if the client leaves it out.
    const { data } = (await add({ videoKey: fileName, isMine: true })).json();
    expect(data.source).toBe('https://www.youtube.com/watch?v=eeeeeeeeeee');
  });

  it("refuses another person's import, and a source for a file that was not imported", async () => {
    const { fileName } = (await fetchLink('https://youtu.be/ggggggggggg')).json();
    expect((await add({ videoKey: fileName, isMine: true }, binod)).json().code).toBe('upload_unknown');
    const sourceUrl = 'https://www.youtube.com/watch?v=ggggggggggg';
    expect((await add({ videoKey: fileName, isMine: true, sourceUrl }, binod)).json().code).toBe(
      'source_unknown',
    );
  });
});

describe('without a login', () => {
  const ask = (text: string, remoteAddress: string, from = server) =>
    from.inject({
      method: 'POST',
      url: '/api/link/download-video',
      payload: { link: text },
      remoteAddress,
    });

  it('a link becomes a file for an hour, which nobody can publish', async () => {
    const before = await stored();
    const response = await ask('https://youtu.be/kkkkkkkkkkk', '203.0.113.1');
    expect(response.statusCode).toBe(200);
    const fetched = response.json();
    expect(fetched.fileName).toBeUndefined();
    expect(fetched).toMatchObject({ title: 'A video', duplicate: false });
    for (const url of [fetched.fileUrl, fetched.thumbnailUrl])
      expect((await server.inject({ url })).statusCode).toBe(200);
    // It is no upload, so nobody can publish it.
    const after = await stored();
    expect([after.uploads, after.imports]).toEqual([before.uploads, before.imports]);
    expect(before.inbox).toEqual(expect.arrayContaining(after.inbox));
    const key = /media\/([0-9a-f]{32})/.exec(fetched.fileUrl)?.[1];
    expect((await add({ videoKey: key, isMine: true })).json().code).toBe('upload_unknown');
    const jobs = await jobsIn<{ keys: string[] }>(server.db, 'removal');
    const removals = jobs.filter(({ data }) => data.keys.includes(key ?? ''));
    const waits = removals.map(({ startAfter, createdOn }) => Number(startAfter) - Number(createdOn));
    expect(waits).toEqual([3600 * 1000]);
    await makeDue(server.db, removals);
    await expect.poll(async () => (await server.inject({ url: fetched.fileUrl })).statusCode).toBe(404);
  });

  it('the sweeper removes the file if the job did not', async () => {
    const { fileUrl } = (await ask('https://youtu.be/lllllllllll', '203.0.113.2')).json();
    await sweep({ ...server.context, clock: () => new Date(Date.now() + 61 * 60 * 1000) });
    expect((await server.inject({ url: fileUrl })).statusCode).toBe(404);
  });

  it('a household has as many a day as the setting says; the next is refused with advice to log in, which removes the limit [long]', async () => {
    const outside = { guard: guardTo(site), extractor: behind };
    const strict = await startTestServer({ ANONYMOUS_LINKS_PER_DAY: '2' }, { outside });
    try {
      for (let fetched = 0; fetched < 2; fetched += 1)
        expect((await ask('https://youtu.be/mmmmmmmmmmm', '2001:db8:1:2::1', strict)).statusCode).toBe(200);
      // Another address of the same household.
      const third = await ask('https://youtu.be/mmmmmmmmmmm', '2001:db8:1:2::ffff', strict);
      expect([third.statusCode, third.json().code, third.json().error]).toEqual([
        429,
        'import_limit',
        'Without a login, 2 links a day can be fetched from one network. Please log in to fetch more.',
      ]);
      expect(Number(third.headers['retry-after'])).toBeGreaterThan(23 * 60 * 60);
      const { headers } = await signUpSomebody(strict);
      const known = await strict.inject({
        method: 'POST',
        url: '/api/link/download-video',
        payload: { link: 'https://youtu.be/nnnnnnnnnnn' },
        headers,
        remoteAddress: '2001:db8:1:2::1',
      });
      expect(known.statusCode).toBe(200);
      expect((await ask('https://youtu.be/mmmmmmmmmmm', '2001:db8:1:3::1', strict)).statusCode).toBe(200);
    } finally {
      await strict.close();
    }
  });

  it("households of an IPv6 /48 share a hundred times as many, without those that a household's own limit refused", async () => {
    const counts = { db: server.db, perDay: 1, secret: randomBytes(32) };
    const limit = { code: 'import_limit' };
    await countFetch(counts, '2001:db8:1:1::1');
    for (let again = 0; again < 3; again += 1)
      await expect(countFetch(counts, '2001:db8:1:1::2')).rejects.toMatchObject(limit);
    for (let household = 2; household <= 100; household += 1)
      await countFetch(counts, `2001:db8:1:${household.toString(16)}::1`);
    await expect(countFetch(counts, '2001:db8:1:ffff::1')).rejects.toMatchObject(limit);
    await countFetch(counts, '2001:db8:2:1::1');
    await countFetch(counts, '203.0.113.1');
    await expect(countFetch(counts, '203.0.113.1')).rejects.toMatchObject(limit);
  });

  it('uses one place of four, so that people with a login do not have to wait', async () => {
    const go = Promise.withResolvers<void>();
    let requests = 0;
    const gone = async () => {
      throw new Error('private');
    };
    behind = async () => {
      requests += 1;
      await go.promise;
      return await gone();
    };
    const nobodies = [21, 22, 23, 24, 25, 26].map((last) =>
      ask('https://youtu.be/ooooooooooo', `203.0.113.${last}`),
    );
    await expect.poll(() => requests).toBe(1);
    behind = gone;
    const people = await Promise.all(Array.from({ length: 3 }, () => signUpSomebody(server)));
    const codesOf = async (answers: ReturnType<typeof ask>[]) =>
      (await Promise.all(answers)).map((answer) => answer.json().code);
    expect(await codesOf(people.map((person) => fetchLink('https://youtu.be/ppppppppppp', person)))).toEqual(
      people.map(() => 'link_failed'),
    );
    expect(requests).toBe(1);
    go.resolve();
    expect(await codesOf(nobodies)).toEqual(nobodies.map(() => 'link_failed'));
  });

  it('a login is required if the setting says so', async () => {
    const outside = { guard: guardTo(site), extractor: behind };
    const closed = await startTestServer({ ANONYMOUS_LINKS_PER_DAY: '0' }, { outside });
    try {
      expect((await call(closed, { url: '/api/config' })).linksWithoutLogin).toBe(0);
      const response = await ask(link, '203.0.113.9', closed);
      expect([response.statusCode, response.json().code]).toEqual([401, 'not_signed_in']);
    } finally {
      await closed.close();
    }
  });
});

it('a person with too much unpublished gets 409 before the video is stored, and has room again after publishing', async () => {
  // The 2 s clip and its copy fit twice; the files of an import are the video, its copy and a thumbnail.
  const full = await startTestServer(
    { UNPUBLISHED_FILES: '6', UNPUBLISHED_MB: '20' },
    { outside: { guard: guardTo(site), extractor: (asked, signal) => behind(asked, signal) } },
  );
  try {
    const carol = await signUpSomebody(full, 'Carol');
    const send = async (url: string, payload: object) =>
      await full.inject({ method: 'POST', url, payload, headers: carol.headers });
    const fetchFor = async (id: string) =>
      await send('/api/link/download-video', { link: `https://youtu.be/${id}` });
    const inbox = async () => (await readdir(join(full.dataDir, 'inbox'))).length;
    const first = (await fetchFor('rrrrrrrrrr1')).json();
    expect((await fetchFor('rrrrrrrrrr2')).statusCode).toBe(200);
    const before = await inbox();
    const refused = await fetchFor('rrrrrrrrrr3');
    expect([refused.statusCode, refused.json()]).toMatchObject([
      409,
      { code: 'too_much_unpublished', error: expect.stringMatching(/^You can have at most 6 files waiting/) },
    ]);
    expect(await inbox()).toBe(before);
    const instagram = await send('/api/instagram', { url: 'https://www.instagram.com/reel/C1a-B2_c3D5/' });
    expect([instagram.statusCode, instagram.json().code]).toEqual([409, 'too_much_unpublished']);
    const { fileName: videoKey, thumbnailUrl: thumbnillurl } = first;
    await send('/api/reel/add', { videoKey, thumbnillurl, isMine: true });
    // The length counts twice: 11 MB are 22.
    const large = Buffer.concat([clip, freeBox(11 * 1024 * 1024)]);
    serve = (request, response) => sendPieces(large, request, response);
    site.requests.length = 0;
    const tooLarge = await fetchFor('rrrrrrrrrr4');
    expect([tooLarge.statusCode, tooLarge.json().error]).toEqual([409, expect.stringContaining('20 MB')]);
    expect(site.requests).toHaveLength(1);
    serve = (request, response) => sendPieces(clip, request, response);
    expect((await fetchFor('rrrrrrrrrr5')).statusCode).toBe(200);
  } finally {
    await full.close();
  }
});

describe('the copy to watch', () => {
  it('is not served while its owner is suspended', async () => {
    const { fileUrl } = (await fetchLink('https://youtu.be/iiiiiiiiiii', binod)).json();
    const status = async () => (await server.inject({ url: fileUrl })).statusCode;
    expect(await status()).toBe(200);
    await sql`update people set suspended_at = now() where id = ${binod.id}`.execute(server.db);
    await expect.poll(status).toBe(404);
  });

  it('is removed together with its upload', async () => {
    const { fileUrl, fileName } = (await fetchLink('https://youtu.be/hhhhhhhhhhh', binod)).json();
    const inHours = (hours: number) => new Date(Date.now() + hours * 60 * 60 * 1000);
    await sweep({ ...server.context, clock: () => inHours(2) });
    expect((await server.inject({ url: fileUrl })).statusCode).toBe(200);
    const later = { ...server.context, clock: () => inHours(25) };
    await deleteExpiredUploads(later);
    await sweep(later);
    expect((await server.inject({ url: fileUrl })).statusCode).toBe(404);
    expect(
      await server.db.selectFrom('imports').selectAll().where('upload_key', '=', fileName).execute(),
    ).toEqual([]);
  });
});

/** An MP4 box of type `free`, which players ignore. */
function freeBox(bytes: number): Buffer {
  const box = Buffer.alloc(bytes);
  box.writeUInt32BE(bytes);
  box.write('free', 4);
  return box;
}
