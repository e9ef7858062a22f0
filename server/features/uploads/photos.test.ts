import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { limits } from '#contract/limits.ts';
import { contextAt } from '#testing/context.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { likePost } from '../posts-and-stories/likes.ts';

const noon = new Date('2026-03-10T06:30:00Z');
let server: TestServer;
let asha: Person;
let binod: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.now.value = noon;
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server, 'Binod')];
});

/** A picture with unique bytes. */
let hue = 0;
async function picture(width = 300, height = 400): Promise<Buffer<ArrayBuffer>> {
  hue += 1;
  const background = { r: hue & 255, g: (hue * 37) & 255, b: 90 };
  return Buffer.from(
    await sharp({ create: { width, height, channels: 3, background } })
      .jpeg()
      .toBuffer(),
  );
}

const media = async () =>
  (await readdir(join(server.dataDir, 'media'), { recursive: true })).filter((name) => name.includes('.'));
const inbox = () => readdir(join(server.dataDir, 'inbox'));
const monthsOf = (person: Person) =>
  server.db.selectFrom('creator_months').selectAll().where('creator_id', '=', person.id).execute();
const person = async ({ id }: Person) => (await call(server, { url: `/api/getuser/${id}` })).data;

describe.each([
  {
    what: 'post',
    uploadTo: '/api/s3Post/uploadPosts',
    addTo: '/api/post/add',
    deleteAt: '/api/post/deletePost',
    listAt: '/api/post/getallPostsall',
    words: { caption: 'नमस्ते <b>"world"</b>', description: 'At length.' },
    counted: 'posts' as const,
    elsewhere: '/api/story/add',
  },
  {
    what: 'story',
    uploadTo: '/api/s3Story/uploadStorys',
    addTo: '/api/story/add',
    deleteAt: '/api/story/deleteStory',
    listAt: '/api/story/getallStorys',
    words: { statustext: 'नमस्ते <b>"world"</b>' },
    counted: 'stories' as const,
    elsewhere: '/api/post/add',
  },
])(
  'a photo published as a $what',
  ({ what, uploadTo, addTo, deleteAt, listAt, words, counted, elsewhere }) => {
    const send = async (bytes: Uint8Array<ArrayBuffer>, who: Person = asha, field = 'file') => {
      const { payload, headers } = await multipart(bytes, field, 'photo.jpg', 'image/jpeg');
      return await server.inject({
        method: 'POST',
        url: uploadTo,
        payload,
        headers: { ...headers, ...who.headers },
      });
    };
    const add = (body: object, who: Person = asha, url = addTo) =>
      server.inject({ method: 'POST', url, headers: who.headers, payload: body });
    const remove = (id: string, who?: Person) =>
      server.inject({ method: 'DELETE', url: `${deleteAt}/${id}`, headers: who?.headers ?? {} });
    const listed = async () => (await call(server, { url: listAt, query: { limit: '100' } })).data;
    const idsListed = async () => (await listed()).map(({ _id }: { _id: string }) => _id);
    async function publish(who: Person = asha, bytes?: Buffer<ArrayBuffer>) {
      const { fileName } = (await send(bytes ?? (await picture()), who)).json();
      return (await add({ fileName, ...words }, who)).json().data;
    }

    it('is public at once, with its files, and counts in its month', async () => {
      const upload = (await send(await picture())).json();
      expect(upload).toMatchObject({
        status: 'ok',
        duplicate: false,
        fileName: expect.stringMatching(/^[0-9a-f]{32}$/),
      });
      expect(await inbox()).toEqual([]);
      const body = { fileName: upload.fileName, imageurl: upload.fileUrl, userId: asha.id, ...words };
      const { data } = (await add(body)).json();
      expect(data).toMatchObject({
        ...words,
        userId: asha.id,
        username: asha.username,
        imageurl: upload.fileUrl,
        fileName: upload.fileName,
        duplicate: false,
        width: 300,
        height: 400,
        createdAt: noon.toISOString(),
      });
      // How many people saw a story is told to its owner only.
      const { seenBy: _seenBy, ...shownToAll } = data;
      expect((await listed())[0]).toEqual(shownToAll);
      for (const url of [data.imageurl, ...data.renditions.map((one: { url: string }) => one.url)])
        expect((await server.inject({ url })).statusCode).toBe(200);
      expect(await monthsOf(asha)).toMatchObject([{ month: '2026-03', [counted]: 1, likes: 0, views: 0 }]);
      expect((await person(asha)).postCount).toBe(what === 'post' ? 1 : 0);
    });

    it('sent twice, also in parallel, is one and counts once', async () => {
      const { fileName } = (await send(await picture())).json();
      const answers = await Promise.all(Array.from({ length: 6 }, () => add({ fileName, ...words })));
      expect(new Set(answers.map((answer) => answer.statusCode))).toEqual(new Set([200]));
      expect(new Set(answers.map((answer) => answer.json().data._id)).size).toBe(1);
      expect(await monthsOf(asha)).toMatchObject([{ [counted]: 1 }]);
    });

    it('is a duplicate if its bytes were published before, and earns nothing', async () => {
      const bytes = await picture();
      const first = await publish(asha, bytes);
      const second = (await send(bytes, binod)).json();
      expect(second).toMatchObject({ status: 'ok', duplicate: true });
      const copy = (await add({ fileName: second.fileName }, binod)).json().data;
      expect(copy).toMatchObject({ duplicate: true });
      expect(await monthsOf(binod)).toEqual([]);
      // Deleting a duplicate subtracts nothing.
      await publish(binod);
      expect((await remove(copy._id, binod)).statusCode).toBe(200);
      expect(await monthsOf(binod)).toMatchObject([{ [counted]: 1 }]);
      expect((await server.inject({ url: first.imageurl })).statusCode).toBe(200);
    });

    it('uses owner and files of the server, whatever else a client sends', async () => {
      const { fileName } = (await send(await picture())).json();
      const claims = {
        username: 'somebody else',
        imageurl: 'https://elsewhere.example/x.jpg',
        type: 'video',
        finish: 1,
        likes: ['x'],
        likeCount: 9,
        duplicate: true,
        createdAt: '2020-01-01T00:00:00.000Z',
      };
      const { data } = (await add({ fileName, ...claims })).json();
      expect(data).toMatchObject({
        username: asha.username,
        imageurl: `/media/${fileName}/photo.jpg`,
        duplicate: false,
        createdAt: noon.toISOString(),
        ...(what === 'story' ? { type: 'image', finish: 0 } : { likes: [], likeCount: 0 }),
      });
    });

    describe('is refused with one clear sentence, a 4xx, and nothing remains:', () => {
      const state = async () => ({
        files: await media(),
        waiting: await inbox(),
        uploads: await server.db.selectFrom('uploads').selectAll().orderBy('key').execute(),
        posts: await server.db.selectFrom('posts').select('id').orderBy('id').execute(),
        stories: await server.db.selectFrom('stories').select('id').orderBy('id').execute(),
        prints: await server.db.selectFrom('prints').select('work_id').orderBy('work_id').execute(),
        months: await server.db.selectFrom('creator_months').selectAll().orderBy('creator_id').execute(),
      });
      type Bad = () => Promise<{ statusCode: number; json: () => { code: string; error: string } }>;
      async function refused(bad: Bad, status: number, code: string): Promise<string> {
        const before = await state();
        const response = await bad();
        const { error, code: said } = response.json();
        expect({ status: response.statusCode, code: said }).toEqual({ status, code });
        expect(error).toMatch(/^[A-Z].*[.!]$/);
        expect(await state()).toEqual(before);
        return error;
      }
      const html = Buffer.from('<!doctype html><script>alert(1)</script>'.repeat(20));

      it('no file', async () => {
        const url = uploadTo;
        const nothing = () =>
          server.inject({ method: 'POST', url, headers: asha.headers, payload: { file: 'x' } });
        expect(await refused(nothing, 400, 'file_missing')).toBe('Please select a photo!');
        const elsewhere = async () => await send(await picture(), asha, 'photo');
        expect(await refused(elsewhere, 400, 'file_missing')).toBe('Please select a photo!');
      });
      it('an empty file', () => refused(() => send(Buffer.alloc(0)), 422, 'file_empty'));
      it('an HTML page', () => refused(() => send(html), 415, 'file_not_image'));
      it('an SVG drawing', () =>
        refused(() => send(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')), 415, 'file_not_image'));
      it('a truncated photo', async () => {
        const noise = { type: 'gaussian' as const, mean: 128, sigma: 60 };
        const create = { width: 400, height: 400, channels: 3 as const, background: '#888', noise };
        const whole = await sharp({ create }).jpeg().toBuffer();
        await refused(() => send(Buffer.from(whole.subarray(0, whole.length >> 1))), 422, 'file_unreadable');
      });
      it('HEIC that this machine cannot decode', async () => {
        const heic = Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'), Buffer.alloc(400)]);
        expect(await refused(() => send(Buffer.from(heic)), 422, 'file_unreadable')).toContain('as a JPEG');
      });
      it('more than 20 MB', async () => {
        const large = Buffer.concat([await picture(), Buffer.alloc(limits.photo.maxBytes)]);
        expect(await refused(() => send(Buffer.from(large)), 413, 'file_too_large')).toBe(
          'This file is larger than 20 MB.',
        );
      });
      it('more than 50 million pixels', async () => {
        const wide = await picture(10_000, 5_001);
        await refused(() => send(wide), 422, 'image_too_many_pixels');
      });
      it('no login', async () => {
        const nobody = { ...asha, headers: { authorization: 'Bearer nobody' } };
        await refused(async () => send(await picture(), nobody), 401, 'not_signed_in');
        await refused(() => add({ fileName: 'f'.repeat(32) }, nobody), 401, 'not_signed_in');
      });
      it('no photo, with the sentence of the specification', async () => {
        expect(await refused(() => add({}), 400, 'invalid_input')).toBe('Please select a photo!');
        expect(await refused(() => add({ fileName: '' }), 400, 'invalid_input')).toBe(
          'Please select a photo!',
        );
      });
      it('an unknown photo', () => refused(() => add({ fileName: 'f'.repeat(32) }), 409, 'upload_unknown'));
      it('a photo that another person uploaded', async () => {
        const { fileName } = (await send(await picture(), binod)).json();
        await refused(() => add({ fileName, ...words }), 409, 'upload_unknown');
        expect((await add({ fileName, ...words }, binod)).statusCode).toBe(200);
      });
      it('publishing as another person', async () => {
        const { fileName } = (await send(await picture())).json();
        await refused(() => add({ fileName, userId: binod.id }), 403, 'not_yours');
      });
      it('a photo that was already used', async () => {
        const { fileName, _id } = await publish();
        await refused(() => add({ fileName }, asha, elsewhere), 409, 'upload_used');
        await refused(() => add({ fileName }, binod), 409, 'upload_unknown');
        await remove(_id, asha);
        await refused(() => add({ fileName }), 409, 'upload_used');
      });
      it('a text that is too long, or contains NUL', async () => {
        const { fileName } = (await send(await picture())).json();
        for (const field of Object.keys(words))
          for (const value of ['x'.repeat(6000), 'a\u0000b'])
            await refused(() => add({ fileName, [field]: value }), 400, 'invalid_input');
      });
    });

    it('can be deleted by its owner only', async () => {
      const { _id } = await publish();
      expect((await remove(_id)).statusCode).toBe(401);
      const refusal = await remove(_id, binod);
      expect({ status: refusal.statusCode, code: refusal.json().code }).toEqual({
        status: 403,
        code: 'not_yours',
      });
      expect(await idsListed()).toContain(_id);
      expect((await remove('018f0000-0000-7000-8000-000000000000', asha)).statusCode).toBe(404);
      expect((await remove('nonsense', asha)).statusCode).toBe(400);
    });

    it('deleted in its month removes its files and coins, once, also if deleted twice or in parallel', async () => {
      const kept = await publish();
      const gone = await publish();
      const answers = await Promise.all(Array.from({ length: 4 }, () => remove(gone._id, asha)));
      answers.push(await remove(gone._id, asha));
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
      expect(await idsListed()).not.toContain(gone._id);
      expect(await idsListed()).toContain(kept._id);
      for (const url of [gone.imageurl, ...gone.renditions.map((one: { url: string }) => one.url)])
        expect((await server.inject({ url })).statusCode).toBe(404);
      expect((await media()).filter((name) => name.includes(gone.fileName))).toEqual([]);
      expect(await monthsOf(asha)).toMatchObject([{ [counted]: 1 }]);
      expect((await person(asha)).postCount).toBe(what === 'post' ? 1 : 0);
    });

    it('deleted in a later month does not change the past', async () => {
      // 23:00 on 31 March in India, and half past midnight.
      server.now.value = new Date('2026-03-31T17:30:00Z');
      const { _id } = await publish();
      server.now.value = new Date('2026-03-31T19:00:00Z');
      expect((await remove(_id, asha)).statusCode).toBe(200);
      expect(await idsListed()).not.toContain(_id);
      expect(await monthsOf(asha)).toMatchObject([{ month: '2026-03', [counted]: 1 }]);
    });

    it('is removed from notifications when it is deleted', async () => {
      const { _id } = await publish();
      const told = (aboutId: string) =>
        server.db
          .insertInto('notifications')
          .values({
            id: crypto.randomUUID(),
            person_id: binod.id,
            kind: 'like_post',
            sender_id: asha.id,
            about_id: aboutId,
            fact_id: crypto.randomUUID(),
            created_at: noon,
          })
          .execute();
      const another = crypto.randomUUID();
      await told(_id);
      await told(another);
      await remove(_id, asha);
      const left = await server.db
        .selectFrom('notifications')
        .select('about_id')
        .where('person_id', '=', binod.id)
        .execute();
      expect(left).toEqual([{ about_id: another }]);
    });
  },
);

describe('a post with likes (decisions §4)', () => {
  async function publishLiked(likers: Person[]) {
    const { payload, headers } = await multipart(await picture());
    const upload = await call(server, {
      method: 'POST',
      url: '/api/s3Post/uploadPosts',
      payload,
      headers: { ...headers, ...asha.headers },
    });
    const form = { fileName: upload.fileName };
    const { data } = await call(server, {
      method: 'POST',
      url: '/api/post/add',
      headers: asha.headers,
      payload: form,
    });
    for (const { id } of likers) await likePost(server.context, data._id, id);
    return data._id as string;
  }
  const remove = (id: string) =>
    call(server, { method: 'DELETE', url: `/api/post/deletePost/${id}`, headers: asha.headers });

  it('is found by its id, with its likes, until it is deleted', async () => {
    const id = await publishLiked([binod]);
    expect((await call(server, { url: `/api/post/getPost/${id}` })).data).toMatchObject({
      _id: id,
      likes: [binod.id],
      likeCount: 1,
    });
    await remove(id);
    expect((await server.inject({ url: `/api/post/getPost/${id}` })).json().code).toBe('not_found');
    await expect(likePost(contextAt(server.db, noon), id, binod.id)).rejects.toThrow('not found');
  });

  it('loses the counted likes of the month when it is deleted, and no likes of other posts', async () => {
    await publishLiked([binod]);
    // An own like never counted, so it is not subtracted.
    const id = await publishLiked([binod, asha, await signUpSomebody(server)]);
    expect(await monthsOf(asha)).toMatchObject([{ posts: 2, likes: 3 }]);
    await remove(id);
    expect(await monthsOf(asha)).toMatchObject([{ posts: 1, likes: 1 }]);
  });
});
