import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { senderTo } from '#testing/clients/tus-client.ts';
import { freshClip } from '#testing/fixtures/reels.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

/* Each person may have 5 unpublished files and 20 MB. */
const megabyte = 1024 * 1024;
let server: TestServer;
let origin: string;
let asha: Person;
let sender: ReturnType<typeof senderTo>;
beforeAll(async () => {
  server = await startTestServer({ UNPUBLISHED_FILES: '5', UNPUBLISHED_MB: '20' });
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());
beforeEach(async () => {
  asha = await signUpSomebody(server);
  sender = senderTo(origin, asha.token);
});

let hue = 0;
async function sendPhoto(who = asha) {
  hue += 1;
  const background = { r: hue & 255, g: hue >> 8, b: 90 };
  const picture = await sharp({ create: { width: 64, height: 64, channels: 3, background } })
    .jpeg()
    .toBuffer();
  const { payload, headers } = await multipart(new Uint8Array(picture), 'file', 'photo.jpg', 'image/jpeg');
  const request = { method: 'POST', url: '/api/s3Post/uploadPosts', payload } as const;
  return await server.inject({ ...request, headers: { ...headers, ...who.headers } });
}
const tooMuch = {
  code: 'too_much_unpublished',
  error: expect.stringMatching(/^You can have at most (5 files|20 MB) waiting .*\. Please publish .*\.$/),
};

it('one unpublished file too many is refused with advice; publishing one makes room', async () => {
  const names: string[] = [];
  for (let file = 0; file < 5; file += 1) names.push((await sendPhoto()).json().fileName);
  const refused = await sendPhoto();
  expect([refused.statusCode, refused.json()]).toMatchObject([409, tooMuch]);
  const begun = await sender.begin('post', 1000);
  expect([begun.status, JSON.parse(begun.body).code]).toEqual([409, 'too_much_unpublished']);
  await call(server, {
    method: 'POST',
    url: '/api/post/add',
    headers: asha.headers,
    payload: { fileName: names[0], caption: 'One less' },
  });
  expect((await sendPhoto()).statusCode).toBe(200);
  expect((await sendPhoto()).statusCode).toBe(409);
  // The quota is per person.
  expect((await sendPhoto(await signUpSomebody(server))).statusCode).toBe(200);
});

it('no more files than the quota are accepted in parallel', async () => {
  const answers = await Promise.all(Array.from({ length: 9 }, () => sendPhoto()));
  const taken = answers.filter(({ statusCode }) => statusCode === 200).length;
  expect(taken).toBeLessThanOrEqual(5);
  expect(answers.filter(({ statusCode }) => statusCode === 409)).toHaveLength(9 - taken);
});

it('announced bytes count like arrived ones, and cancelled ones do not', async () => {
  expect((await sender.begin('reel', 12 * megabyte)).status).toBe(201);
  const second = await sender.begin('reel', 7 * megabyte);
  expect(second.status).toBe(201);
  const third = await sender.begin('reel', 2 * megabyte);
  expect([third.status, JSON.parse(third.body)]).toMatchObject([409, tooMuch]);
  const clip = await multipart(
    new Uint8Array(Buffer.concat([await freshClip(), Buffer.alloc(2 * megabyte)])),
  );
  const whole = await server.inject({
    method: 'POST',
    url: '/api/s3Reel/uploadReels',
    payload: clip.payload,
    headers: { ...clip.headers, ...asha.headers },
  });
  expect(whole.statusCode).toBe(409);
  expect((await sender.ask('DELETE', second.headers.get('location') ?? '')).status).toBe(204);
  expect((await sender.begin('reel', 2 * megabyte)).status).toBe(201);
});

it('a file of unknown length counts by its arrived bytes, in steps of 8 MB, and is refused above the quota', async () => {
  const offset = (bytes: number) => ({
    'upload-offset': String(bytes),
    'content-type': 'application/offset+octet-stream',
  });
  const deferred = async () => {
    const headers = { 'upload-metadata': `kind ${btoa('reel')}`, 'upload-defer-length': '1' };
    return await sender.ask('POST', '/api/uploads', headers);
  };
  const counted = async (address: string) =>
    (
      await server.db
        .selectFrom('resumable_uploads')
        .select('bytes')
        .where('key', '=', address.split('/').at(-1) ?? '')
        .executeTakeFirstOrThrow()
    ).bytes;
  const begun = [await deferred(), await deferred()];
  expect(begun.map(({ status }) => status)).toEqual([201, 201]);
  expect((await deferred()).status).toBe(409);
  const [first, second] = begun.map(({ headers }) => headers.get('location') ?? '') as [string, string];
  expect((await sender.patch(first, 0, new Uint8Array(megabyte))).status).toBe(204);
  expect(await counted(first)).toBe(8 * megabyte);
  expect((await sender.ask('DELETE', second)).status).toBe(204);
  expect((await sender.patch(first, megabyte, new Uint8Array(8 * megabyte))).status).toBe(204);
  expect(await counted(first)).toBeGreaterThan(16 * megabyte);
  expect(await counted(first)).toBeLessThan(18 * megabyte);
  const refused = await sender.patch(first, 9 * megabyte, new Uint8Array(13 * megabyte));
  expect([refused.status, refused.body]).toEqual([409, expect.stringMatching(/^You can have at most 20 MB/)]);
  // The arrived bytes remain, and the upload can continue once there is room.
  const arrived = await sender.offset(first);
  expect(arrived).toBeGreaterThanOrEqual(9 * megabyte);
  expect(arrived).toBeLessThanOrEqual(18 * megabyte);
  const long = { ...offset(arrived ?? 0), 'upload-length': String(21 * megabyte) };
  expect((await sender.ask('PATCH', first, long, new Uint8Array(1))).status).toBe(409);
  const short = { ...offset(arrived ?? 0), 'upload-length': String((arrived ?? 0) + 1) };
  expect((await sender.ask('PATCH', first, short, new Uint8Array(1))).status).toBe(204);
  expect(await counted(first)).toBe((arrived ?? 0) + 1);
});

it('a finished file counts once, and a refused one does not count', async () => {
  const bytes = new Uint8Array(await freshClip());
  for (let file = 0; file < 5; file += 1) {
    const address = (await sender.begin('reel', bytes.length)).headers.get('location') ?? '';
    expect((await sender.patch(address, 0, bytes)).status).toBe(204);
    expect((await sender.finish(address)).status).toBe(200);
  }
  expect((await sender.begin('reel', 1000)).status).toBe(409);
  const binod = await signUpSomebody(server);
  const other = senderTo(origin, binod.token);
  for (let file = 0; file < 7; file += 1) {
    const noise = new Uint8Array(1000).fill(file);
    const address = (await other.begin('reel', noise.length)).headers.get('location') ?? '';
    expect((await other.patch(address, 0, noise)).status).toBe(204);
    expect((await other.finish(address)).status).toBe(415);
  }
});

it('a file above the maximum of its kind is 413, however full the quota is', async () => {
  expect((await sender.begin('reel', 501 * megabyte)).status).toBe(413);
  expect((await sender.begin('reel', 30 * megabyte)).status).toBe(409);
});

it('the configuration sets the quota', async () => {
  const { unpublished } = await call(server, { url: '/api/config' });
  expect(unpublished).toEqual({ files: 5, bytes: 20 * megabyte });
});
