import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeClip } from '#testing/fixtures/clips.ts';
import { anotherOf, sendReel } from '#testing/fixtures/reels.ts';
import { filesNamedByRows, filesRegistered } from '#testing/models/files-model.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditMedia } from '../stored-files/audit.ts';
import { editReel } from './edit.ts';

let server: TestServer;
let asha: Person;
let reel: string;
/** Red for two seconds, then blue. */
let film: Buffer;
beforeAll(async () => {
  server = await startTestServer();
  const path = join(server.dataDir, 'film.mp4');
  const source = "color=c=red:size=270x480:rate=25,drawbox=c=blue:t=fill:enable='gte(t,2)'";
  await makeClip(path, { seconds: 4, source });
  film = await readFile(path);
});
afterAll(() => server.close());
beforeEach(async () => {
  asha = await signUpSomebody(server);
  const { id } = await sendReel(server, asha, anotherOf(film));
  await expect
    .poll(async () => (await server.inject({ url: `/api/reel/getReel/${id}` })).statusCode)
    .toBe(200);
  reel = id;
});

const edit = (payload: object) =>
  server.inject({ method: 'POST', url: `/api/reel/edit/${reel}`, headers: asha.headers, payload });
const shown = async () =>
  (await call(server, { url: `/api/reel/getReel/${reel}`, headers: asha.headers })).data;
const files = async () =>
  (await readdir(join(server.dataDir, 'media'), { recursive: true }))
    .filter((name) => name.includes('.'))
    .sort();

/** The colour of the middle of a picture. */
async function colourOf(url: string): Promise<'red' | 'blue' | undefined> {
  const { rawPayload } = await server.inject({ url });
  const { channels } = await sharp(rawPayload).stats();
  const [red = 0, , blue = 0] = channels.map(({ mean }) => mean);
  if (Math.max(red, blue) < 150) return undefined;
  return red > blue ? 'red' : 'blue';
}

it('the cover of a reel becomes the frame of a second, in every picture of it', async () => {
  const before = await shown();
  for (const [second, colour] of [
    [3.1, 'blue'],
    [1.9, 'red'],
    [2, 'blue'],
    [0, 'red'],
    [3.9, 'blue'],
  ] as const) {
    const answer = await edit({ cover: second });
    expect(answer.statusCode, `${second}`).toBe(200);
    const { posterurl, tileurl, thumbnillurl, card, placeholder } = answer.json().data;
    for (const url of [posterurl, tileurl, thumbnillurl, card.url])
      expect(await colourOf(url), `${second}: ${url}`).toBe(colour);
    expect(placeholder).toMatch(/^data:image/);
  }
  const { posterurl, videourl, createdAt } = await shown();
  expect([videourl, createdAt]).toEqual([before.videourl, before.createdAt]);
  const { width, height } = await sharp((await server.inject({ url: posterurl })).rawPayload).metadata();
  expect([width, height]).toEqual([before.width, before.height]);
});

it('the files of a replaced cover are deleted, and those of a refused one leave nothing behind [long]', async () => {
  await edit({ cover: 1 });
  const first = await files();
  const [{ posterurl }] = [await shown()];
  expect((await edit({ cover: 3 })).statusCode).toBe(200);
  expect((await server.inject({ url: posterurl })).statusCode).toBe(404);
  expect(await files()).toHaveLength(first.length);
  const kept = await files();
  for (const cover of [-1, 4.5, 'x', null]) {
    const refused = await edit({ cover, caption: 'Other words' });
    expect([refused.statusCode, refused.json().field], `${cover}`).toEqual([400, 'cover']);
  }
  expect(await files()).toEqual(kept);
  expect((await shown()).caption).toBe('A clip');
  expect(await filesRegistered(server.db)).toEqual(await filesNamedByRows(server.db));
  expect((await auditMedia(server.context)).differences).toEqual([]);
});

it('a new cover stays if the files of the one before cannot be deleted at once [long]', async () => {
  await edit({ cover: 1 });
  const remove = () => Promise.reject(new Error('The store does not answer'));
  const context = { ...server.context, storage: { ...server.context.storage, remove } };
  const target = { reelId: reel, callerId: asha.id };
  await expect(editReel(context, target, { cover: 3 })).rejects.toThrow('The store does not answer');
  const { posterurl } = await shown();
  expect(await colourOf(posterurl)).toBe('blue');
});

it('the same cover sent twice, also at once, is made once [long]', async () => {
  const tiles = async () => (await files()).filter((name) => name.endsWith('tile.webp')).length;
  const before = await tiles();
  const answers = await Promise.all([1, 2, 3].map(() => edit({ cover: 3 })));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  const { posterurl } = await shown();
  expect((await edit({ cover: 3 })).json().data.posterurl).toBe(posterurl);
  expect(await tiles()).toBe(before + 1);
  expect(await filesRegistered(server.db)).toEqual(await filesNamedByRows(server.db));
});

it('a cover is withheld with its reel, restored with it, and deleted with it; operators read the second of the one before', async () => {
  const operator = await signUpSomebody(server, 'Ravi');
  await makeOperator(server, operator.id);
  const { headers } = operator;
  await edit({ cover: 1.5 });
  await edit({ cover: 3 });
  const { posterurl } = await shown();
  const status = async () => (await server.inject({ url: posterurl })).statusCode;
  expect(await status()).toBe(200);
  const act = (name: string, payload: object) =>
    call(server, { method: 'POST', url: `/api/operator/reports/${name}`, headers, payload });
  const { data } = await call(server, { url: `/api/operator/reports/versions/${reel}`, headers });
  expect(data.map(({ coverSecond }: { coverSecond: number | null }) => coverSecond)).toEqual([1.5, null]);
  await act('take-down', { target: `reel:${reel}`, what: 'copy', rule: 'spam', reason: 'Not theirs' });
  await expect.poll(status).toBe(404);
  expect((await shown()).thumbnillurl).toBe('');
  await act('restore', { target: `reel:${reel}` });
  await expect.poll(status).toBe(200);
  await call(server, { method: 'DELETE', url: `/api/reel/deleteReel/${reel}`, headers: asha.headers });
  await expect.poll(status).toBe(404);
  expect(await filesRegistered(server.db)).toEqual(await filesNamedByRows(server.db));
});
