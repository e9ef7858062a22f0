import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server, 'Binod')];
});

const edit = (payload: object) =>
  server.inject({ method: 'POST', url: '/api/profile/edit', headers: asha.headers, payload });
const send = async (bytes: Uint8Array<ArrayBuffer>) => {
  const { payload, headers } = await multipart(bytes, 'file', 'me.jpg', 'image/jpeg');
  return await server.inject({
    method: 'POST',
    url: '/api/profile/photo',
    payload,
    headers: { ...headers, ...asha.headers },
  });
};
const photo = async (background: string) =>
  new Uint8Array(
    await sharp({ create: { width: 300, height: 300, channels: 3, background } })
      .jpeg()
      .toBuffer(),
  );
const files = async () =>
  (await readdir(join(server.dataDir, 'media'), { recursive: true })).filter((name) => name.includes('.'))
    .length;

describe('changing one’s profile in the app (decisions §5)', () => {
  it('changes the given fields only', async () => {
    expect((await edit({ name: 'आशा राव' })).json().user).toMatchObject({
      name: 'आशा राव',
      username: asha.username,
    });
    const username = `${asha.username}.new`;
    expect((await edit({ username })).json().user).toMatchObject({ name: 'आशा राव', username });
    expect((await edit({})).json().user).toMatchObject({ username });
  });

  it('refuses a username that is taken in any case, and accepts the current one', async () => {
    const refused = await edit({ username: binod.username.toUpperCase() });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'username_taken']);
    expect((await edit({ username: asha.username.toUpperCase() })).statusCode).toBe(200);
  });

  it.each([{ name: ' ' }, { username: 'two words' }, { username: '' }, { name: 'x'.repeat(81) }])(
    'refuses %j',
    async (form) => {
      expect((await edit(form)).statusCode).toBe(400);
      expect((await call(server, { url: `/api/getuser/${asha.id}` })).data).toMatchObject({
        name: 'Asha Rao',
      });
    },
  );

  it('shows a new photo and deletes the files of the previous one', async () => {
    const before = await files();
    const first = (await send(await photo('#aa3300'))).json().user.profilePic;
    const held = await files();
    expect((await server.inject({ url: first })).statusCode).toBe(200);
    const second = (await send(await photo('#0033aa'))).json().user.profilePic;
    expect(second).not.toBe(first);
    expect((await server.inject({ url: first })).statusCode).toBe(404);
    expect(await files()).toBe(held);
    const removed = await server.inject({
      method: 'DELETE',
      url: '/api/profile/photo',
      headers: asha.headers,
    });
    expect(removed.json().user.profilePic).toBe('');
    expect((await server.inject({ url: second })).statusCode).toBe(404);
    expect(await files()).toBe(before);
  });

  it('refuses a file that is not a photo and keeps the previous picture', async () => {
    const { profilePic } = (await send(await photo('#aa33aa'))).json().user;
    const refused = await send(new TextEncoder().encode('<html>'));
    expect(refused.statusCode).toBe(415);
    expect((await server.inject({ url: profilePic })).statusCode).toBe(200);
  });
});
