import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { sweep } from '../stored-files/sweeper.ts';
import { restoreReel, takeDownReel } from './take-down.ts';

let server: TestServer;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
// Each test has its own people, because captions are counted by person.
beforeEach(async () => {
  asha = await signUpSomebody(server);
});

const hello = 'WEBVTT\n\nSTYLE\n::cue{}\n\n00:01.000 --> 00:02.000 line:0\n<b>Hello</b>\n';
const newReel = (person = asha) => publishedReel(server.db, person.id, new Date(), 'Asia/Kolkata');
const at = (reelId: string, language: string) => `/api/reel/captions/${reelId}/${language}`;
const set = async (
  reelId: string,
  language: string,
  file: string | Uint8Array<ArrayBuffer> = hello,
  person: Person = asha,
) => {
  const { payload, headers } = await multipart(
    Buffer.from(file as string),
    'file',
    'captions.vtt',
    'text/html',
  );
  return await server.inject({
    method: 'POST',
    url: at(reelId, language),
    payload,
    headers: { ...headers, ...person.headers },
  });
};
const remove = (reelId: string, language: string, person: Person = asha) =>
  server.inject({ method: 'DELETE', url: at(reelId, language), headers: person.headers });
const tracks = async (reelId: string) =>
  (await call(server, { url: `/api/reel/getReel/${reelId}`, headers: asha.headers })).data.captionTracks;
const read = (url: string) => server.inject({ url });
const stored = async () =>
  (await readdir(join(server.dataDir, 'media'), { recursive: true })).filter((name) => name.endsWith('.vtt'));

describe('captions of a reel', () => {
  it('are served as a file written by the server: inert, immutable, of one type, on every origin', async () => {
    const reel = await newReel();
    const answer = await set(reel, 'HI-in');
    expect(answer.statusCode).toBe(200);
    const { data } = answer.json();
    expect(data).toEqual([
      { language: 'hi-IN', url: expect.stringMatching(/^\/media\/[0-9a-f]{32}\/captions-hi-in\.vtt$/) },
    ]);
    expect(await tracks(reel)).toEqual(data);
    const [listed] = (await call(server, { url: '/api/reel/getallReels' })).data;
    expect(listed.captionTracks).toEqual(data);
    const file = await read(data[0].url);
    expect(file.body).toBe('WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nHello\n');
    expect(file.headers).toMatchObject({
      'content-type': 'text/vtt; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
      'access-control-allow-origin': '*',
    });
  });

  it('exist once for each language, at most five; new ones replace the old file', async () => {
    const reel = await newReel();
    const first = (await set(reel, 'en')).json().data[0].url;
    const [again] = (await set(reel, 'EN', hello.replace('Hello', 'Hi'))).json().data;
    expect(again.url).not.toBe(first);
    expect((await read(first)).statusCode).toBe(404);
    expect((await read(again.url)).body).toContain('\nHi\n');
    for (const language of ['hi', 'bn', 'ta', 'zh-Hant-TW'])
      expect((await set(reel, language)).statusCode).toBe(200);
    const before = await stored();
    const sixth = await set(reel, 'te');
    expect(sixth.statusCode).toBe(409);
    expect(sixth.json()).toMatchObject({
      code: 'too_many_captions',
      error: 'A reel can have captions in 5 languages.',
    });
    expect(await stored()).toEqual(before);
    expect((await set(reel, 'hi')).statusCode).toBe(200);
    expect((await tracks(reel)).map(({ language }: { language: string }) => language)).toEqual([
      'bn',
      'en',
      'hi',
      'ta',
      'zh-Hant-TW',
    ]);
  });

  it('of one language sent many times in parallel are stored once', async () => {
    const reel = await newReel();
    const before = (await stored()).length;
    const answers = await Promise.all(Array.from({ length: 8 }, () => set(reel, 'en')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(8).fill(200));
    expect(await tracks(reel)).toHaveLength(1);
    expect((await stored()).length).toBe(before + 1);
  });

  it('can be removed, and removing them twice is no error', async () => {
    const reel = await newReel();
    const [{ url }] = (await set(reel, 'en')).json().data;
    await set(reel, 'hi');
    for (const _ of [1, 2])
      expect((await remove(reel, 'en')).json()).toMatchObject({ status: 'ok', data: [{ language: 'hi' }] });
    expect((await read(url)).statusCode).toBe(404);
  });

  it('are refused with one clear sentence, and leave nothing behind', async () => {
    const reel = await newReel();
    const [before, inbox] = [await stored(), () => readdir(join(server.dataDir, 'inbox'))];
    const refusals: [string | Uint8Array<ArrayBuffer>, number, string][] = [
      ['', 422, 'This file is empty.'],
      ['#EXTM3U\n/etc/passwd', 422, 'This is not a WebVTT file: its first line must begin with WEBVTT.'],
      [
        Buffer.from([0x57, 0x45, 0x42, 0x56, 0x54, 0x54, 0x0a, 0x0a, 0xff]),
        422,
        'This file is not text in UTF-8.',
      ],
      [
        'WEBVTT\n\n1:00 --> 2:00\nA',
        422,
        'Line 3 of the captions should hold times such as 00:01.000 --> 00:02.500.',
      ],
      ['WEBVTT\n\n00:02.000 --> 00:01.000\nA', 422, 'The caption at line 3 ends before it begins.'],
      [
        'WEBVTT\n\n00:02.000 --> 00:03.000\nA\n\n00:01.000 --> 00:03.000\nB',
        422,
        'The caption at line 6 begins before the one above it.',
      ],
      [
        'WEBVTT\n\n03:00.000 --> 03:01.000\nA',
        422,
        'The caption at line 3 begins after 3 minutes, longer than a reel.',
      ],
      [
        `WEBVTT\n\n00:01.000 --> 00:02.000\n${'a'.repeat(301)}`,
        422,
        'The caption at line 3 has more than 300 characters.',
      ],
      [`WEBVTT\n\n${'00:01.000 --> 00:02.000\nA\n\n'.repeat(1001)}`, 422, 'Please keep it to 1000 captions.'],
      ['WEBVTT\n\nNOTE nothing', 422, 'There are no captions in this file.'],
      [`WEBVTT\n\n${'a'.repeat(256 * 1024)}`, 413, 'This file is larger than 256 KB.'],
    ];
    for (const [file, status, sentence] of refusals) {
      const answer = await set(reel, 'en', file);
      expect({ status: answer.statusCode, ...answer.json() }, sentence).toMatchObject({
        error: sentence,
        field: 'file',
      });
      expect(answer.statusCode).toBe(status);
    }
    for (const language of ['english', 'e', 'en_IN', 'en%2F..', 'x-klingon'])
      expect((await set(reel, language)).statusCode, language).toBe(400);
    expect(await tracks(reel)).toEqual([]);
    expect(await stored()).toEqual(before);
    expect(await inbox()).toEqual([]);
  });

  it('can be changed by their creator only', async () => {
    const [binod, reel] = [await signUpSomebody(server), await newReel()];
    await set(reel, 'en');
    const before = await stored();
    const refused = await set(reel, 'en', hello, binod);
    expect(refused.statusCode).toBe(403);
    expect(refused.json().error).toBe('You can change only the captions of your own reels.');
    expect((await remove(reel, 'en', binod)).statusCode).toBe(403);
    expect(await stored()).toEqual(before);
    expect((await set('0199b8a0-0000-7000-8000-000000000000', 'en')).statusCode).toBe(404);
  });

  it('can be added to a reel that is not ready', async () => {
    const reel = await newReel();
    await changeWorks(server.db, (trx) =>
      trx.updateTable('reels').set({ state: 'processing' }).where('id', '=', reel).execute(),
    );
    expect((await set(reel, 'en')).json().data).toEqual([{ language: 'en', url: '' }]);
    await changeWorks(server.db, (trx) =>
      trx.updateTable('reels').set({ state: 'ready' }).where('id', '=', reel).execute(),
    );
    expect((await tracks(reel))[0].url).toMatch(/captions-en\.vtt$/);
  });
});

describe('captions follow their reel', () => {
  it('they are not served, and cannot be replaced, while the reel is taken down', async () => {
    const reel = await newReel();
    const [{ url }] = (await set(reel, 'en')).json().data;
    await server.db
      .transaction()
      .execute((trx) => takeDownReel(trx, reel, { as: 'content', reason: 'Not yours' }, new Date()));
    expect(await tracks(reel)).toEqual([{ language: 'en', url: '' }]);
    await expect.poll(async () => (await read(url)).statusCode).toBe(404);
    const answer = await set(reel, 'hi');
    expect(answer.json()).toMatchObject({
      code: 'not_allowed',
      error: 'This reel was taken down, so you cannot add captions.',
    });
    await server.db.transaction().execute((trx) => restoreReel(trx, reel, new Date()));
    await expect.poll(async () => (await read(url)).statusCode).toBe(200);
  });

  it('they are deleted with the reel, and with the account', async () => {
    const leaver = await signUpSomebody(server);
    const [reel, other] = [await newReel(leaver), await newReel(leaver)];
    const urls: string[] = [];
    for (const id of [reel, other]) urls.push((await set(id, 'en', hello, leaver)).json().data[0].url);
    await call(server, {
      method: 'DELETE',
      url: `/api/reel/deleteReel/${reel}`,
      headers: leaver.headers,
    });
    expect((await read(urls[0] ?? '')).statusCode).toBe(404);
    expect((await set(reel, 'en', hello, leaver)).statusCode).toBe(404);
    await call(server, { method: 'DELETE', url: `/api/delete/${leaver.id}`, headers: leaver.headers });
    await expect.poll(async () => (await read(urls[1] ?? '')).statusCode).toBe(404);
    const left = await server.db
      .selectFrom('reel_captions')
      .select('key')
      .where('reel_id', 'in', [reel, other])
      .execute();
    expect(left).toEqual([]);
  });

  it('the sweeper deletes them only after they are removed', async () => {
    const reel = await newReel();
    const [{ url }] = (await set(reel, 'en')).json().data;
    const later = new Date(Date.now() + 2 * 60 * 60 * 1000);
    await sweep({ ...server.context, clock: () => later });
    expect((await read(url)).statusCode).toBe(200);
    // A file that a crash leaves right after the captions were removed.
    await server.db.deleteFrom('reel_captions').where('reel_id', '=', reel).execute();
    const [, , key = ''] = url.split('/');
    await server.db.updateTable('stored_files').set({ state: 'removed' }).where('key', '=', key).execute();
    await sweep({ ...server.context, clock: () => later });
    expect((await read(url)).statusCode).toBe(404);
  });

  it('they are part of the export of personal data', async () => {
    const maker = await signUpSomebody(server);
    const reel = await newReel(maker);
    await set(reel, 'hi', hello, maker);
    const { url } = await call(server, { method: 'POST', url: '/api/export', headers: maker.headers });
    const files = unzipSync((await server.inject({ url })).rawPayload);
    const text = (name: string) => Buffer.from(files[name] ?? []).toString();
    expect(JSON.parse(text('reels.json'))).toMatchObject([{ _id: reel, captions: [{ language: 'hi' }] }]);
    expect(text('reels.json')).not.toMatch(/[0-9a-f]{32}/);
    expect(text(`media/reels/${reel}/captions-hi.vtt`)).toContain('Hello');
  });
});
