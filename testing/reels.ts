import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeClip } from './clips.ts';
import { call, multipart, type Person, type TestServer } from './server.ts';

let made: Promise<Buffer> | undefined;
let copies = 0;

/** A small real clip; each time another file with the same picture. */
export async function freshClip(): Promise<Buffer<ArrayBuffer>> {
  made ??= oneClip();
  return anotherOf(await made);
}

/** A clip with other bytes after its end: another file, the same picture. */
export function anotherOf(clip: Buffer): Buffer<ArrayBuffer> {
  copies += 1;
  const rest = Buffer.from(`free${copies}`.padEnd(12));
  const box = Buffer.alloc(4);
  box.writeUInt32BE(4 + rest.length);
  return Buffer.from(Buffer.concat([clip, box, rest]));
}

async function oneClip(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-clip-'));
  const path = join(folder, 'clip.mp4');
  await makeClip(path, { seconds: 1 });
  const bytes = await readFile(path);
  await rm(folder, { recursive: true });
  return bytes;
}

/** Uploads and publishes a clip through the API; returns the reel's id once it is public. */
export async function publishReel(server: TestServer, person: Person, form: object = {}): Promise<string> {
  const { id } = await sendReel(server, person, await freshClip(), form);
  for (let tries = 0; tries < 2400; tries += 1) {
    if ((await server.inject({ url: `/api/reel/getReel/${id}` })).statusCode === 200) return id;
    await sleep(50);
  }
  throw new Error('the reel does not become public');
}

/** Uploads and publishes a clip through the API, and does not wait until it is public. */
export async function sendReel(
  server: TestServer,
  person: Person,
  bytes: Buffer<ArrayBuffer>,
  form: object = {},
): Promise<{ id: string; key: string }> {
  const { payload, headers } = await multipart(bytes);
  const { fileName } = await call(server, {
    method: 'POST',
    url: '/api/s3Reel/uploadReels',
    payload,
    headers: { ...headers, ...person.headers },
  });
  const { data } = await call(server, {
    method: 'POST',
    url: '/api/reel/add',
    headers: person.headers,
    payload: { videoKey: fileName, caption: 'A clip', ...form },
  });
  return { id: data._id, key: fileName };
}
