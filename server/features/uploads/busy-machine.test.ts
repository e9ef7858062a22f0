import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { photoBounds } from '#server/media/encode-photo.ts';
import { senderTo } from '#testing/clients/tus-client.ts';
import { starveChildren } from '#testing/servers/processes.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

const { seconds } = photoBounds;
let server: TestServer;
let asha: Person;
let origin: string;
beforeAll(async () => {
  server = await startTestServer();
  origin = await server.app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => server.close());
beforeEach(async () => {
  asha = await signUpSomebody(server);
});

async function picture(hue: number) {
  const background = { r: hue, g: 120, b: 90 };
  const made = sharp({ create: { width: 300, height: 400, channels: 3, background } }).jpeg();
  return new Uint8Array(await made.toBuffer());
}

/** While the children of this process get no processor, until a photo's time is over. */
async function whileBusy<T>(run: () => Promise<T>): Promise<T> {
  // The child needs less than a second of a processor to start.
  photoBounds.seconds = 4;
  const starving = starveChildren();
  try {
    return await run();
  } finally {
    starving.end();
    photoBounds.seconds = seconds;
  }
}

const tryAgain = {
  code: 'unavailable',
  error: 'Jhalak is very busy right now. Please try again in a moment.',
  params: { what: 'busy' },
};

async function stored(): Promise<string[]> {
  const places = ['inbox', 'workspaces', 'media'].map((folder) =>
    readdir(join(server.dataDir, folder), { recursive: true }),
  );
  return (await Promise.all(places)).flat();
}
const rows = () =>
  server.db.selectFrom('stored_files').select('key').where('owner_id', '=', asha.id).execute();

describe('while the machine is too busy to read a photo in time', () => {
  it('the answer is to try again; nothing is stored, and the same photo is taken afterwards', async () => {
    const { payload, headers } = await multipart(await picture(1), 'file', 'photo.jpg', 'image/jpeg');
    const request = {
      method: 'POST',
      url: '/api/s3Post/uploadPosts',
      payload,
      headers: { ...headers, ...asha.headers },
    } as const;
    const before = await stored();
    const refused = await whileBusy(() => server.inject(request));
    expect(refused.statusCode).toBe(503);
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.json()).toMatchObject(tryAgain);
    expect(await stored()).toEqual(before);
    expect(await rows()).toEqual([]);
    await call(server, request);
  });

  it('a photo that was sent in chunks is not sent again: finishing it is repeated', async () => {
    const sender = senderTo(origin, asha.token);
    const bytes = await picture(2);
    const { headers } = await sender.begin('post', bytes.length);
    const address = headers.get('location') ?? '';
    await sender.patch(address, 0, bytes);
    const refused = await whileBusy(() => sender.ask('POST', `${address}/finish`));
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(JSON.parse(refused.body)).toMatchObject(tryAgain);
    expect(await readdir(join(server.dataDir, 'workspaces'))).toEqual([]);
    expect(await sender.finish(address)).toMatchObject({ status: 200, body: { kind: 'image' } });
  });
});
