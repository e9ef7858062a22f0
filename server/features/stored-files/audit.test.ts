import { mkdir, readdir, readFile, rename, rm, truncate, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { newKey } from '#server/platform/ids.ts';
import { freshClip, publishReel } from '#testing/fixtures/reels.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditMedia } from './audit.ts';
import { sweep } from './sweeper.ts';

let server: TestServer;
let asha: Person;
let reel: { id: string; key: string };
let post: { id: string; key: string };
let waiting: string;
beforeAll(async () => {
  server = await startTestServer();
  asha = await signUpSomebody(server);
  const id = await publishReel(server, asha);
  const { media_key } = await server.db
    .selectFrom('reels')
    .select('media_key')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  reel = { id, key: media_key };
  const photo = await send('/api/s3Post/uploadPosts', await picture());
  const added = await call(server, {
    method: 'POST',
    url: '/api/post/add',
    headers: asha.headers,
    payload: { fileName: photo, caption: 'A photo' },
  });
  post = { id: added.data._id, key: photo };
  waiting = await send('/api/s3Reel/uploadReels', await freshClip());
  await send('/api/s3Reel/uploadReels', await picture());
  // Received files are deleted only after something was made from them.
  await vi.waitFor(
    async () => expect(await readdir(join(server.dataDir, 'inbox'))).toEqual([waiting]),
    15_000,
  );
});
afterAll(() => server.close());

const picture = async () =>
  Buffer.from(
    await sharp({ create: { width: 800, height: 600, channels: 3, background: '#a41' } })
      .png()
      .toBuffer(),
  );

async function send(url: string, bytes: Buffer<ArrayBuffer>): Promise<string> {
  const { payload, headers } = await multipart(bytes);
  const sent = await call(server, { method: 'POST', url, payload, headers: { ...headers, ...asha.headers } });
  return sent.fileName;
}

const audit = (now = new Date()) => auditMedia({ ...server.context, clock: () => now });
const inMedia = (key: string, name: string) => join(server.dataDir, 'media', key.slice(0, 2), key, name);
/** The state two hours later. */
async function aged(path: string): Promise<void> {
  const then = new Date(Date.now() - 2 * 60 * 60 * 1000);
  await utimes(path, then, then);
}

describe('rows and stored files agree (issue 6: proved by a sweeper)', () => {
  let files: number;
  beforeEach(async () => {
    const found = await audit();
    expect(found.differences).toEqual([]);
    expect(found.rows).toBe(4);
    files = found.files;
    expect(files).toBeGreaterThan(8);
  });

  it('a file that is missing or truncated is reported with its row, and no longer once it is restored', async () => {
    const paths = [
      [`media/${reel.key}/poster.webp`, inMedia(reel.key, 'poster.webp'), `reel of ${asha.id}`],
      [`media/${reel.key}/video.mp4`, inMedia(reel.key, 'video.mp4'), `reel of ${asha.id}`],
      [`media/${post.key}/360.webp`, inMedia(post.key, '360.webp'), `photo of ${asha.id}`],
      [`inbox/${waiting}`, join(server.dataDir, 'inbox', waiting), `video of ${asha.id}`],
    ] as const;
    for (const [file, path, row] of paths) {
      const bytes = await readFile(path);
      const recorded = bytes.length;
      await truncate(path, recorded - 1);
      const shorter = [{ what: 'size', file, row, recorded, found: recorded - 1 }];
      expect((await audit()).differences).toEqual(shorter);
      await rm(path);
      expect((await audit()).differences).toEqual([{ what: 'missing', file, row, recorded, found: null }]);
      await writeFile(path, bytes);
    }
  });

  it('captions that are missing or empty are reported with their reel', async () => {
    const { payload, headers } = await multipart(Buffer.from('WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n'));
    const [track] = (
      await call(server, {
        method: 'POST',
        url: `/api/reel/captions/${reel.id}/hi`,
        payload,
        headers: { ...headers, ...asha.headers },
      })
    ).data;
    const [, , key = '', name = ''] = track.url.split('/');
    const recorded = (await readFile(inMedia(key, name))).length;
    const wrong = { file: `media/${key}/${name}`, row: `captions of ${asha.id}`, recorded };
    expect((await audit()).differences).toEqual([]);
    await truncate(inMedia(key, name), 0);
    expect((await audit()).differences).toEqual([{ ...wrong, what: 'size', found: 0 }]);
    await rm(inMedia(key, name));
    expect((await audit()).differences).toEqual([{ ...wrong, what: 'missing', found: null }]);
    await server.inject({ method: 'DELETE', url: `/api/reel/captions/${reel.id}/hi`, headers: asha.headers });
  });

  it('a missing folder is reported file by file', async () => {
    const folder = inMedia(post.key, '');
    await rename(folder, `${server.dataDir}/aside`);
    const { differences } = await audit();
    expect(differences.map(({ what, row }) => ({ what, row }))).toEqual(
      differences.map(() => ({ what: 'missing', row: `photo of ${asha.id}` })),
    );
    expect(differences.map(({ file }) => file.split('/')[2]).sort()).toEqual(
      ['360.webp', '720.webp', '800.webp', 'photo.jpg', 'small.webp'].sort(),
    );
    await rename(`${server.dataDir}/aside`, folder);
  });

  it('a file without a row is reported once it is old; it is in quarantine for a week, then deleted', async () => {
    const [lost, lone] = [newKey(), newKey()];
    const folder = inMedia(lost, '');
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'video.mp4'), 'abc');
    await writeFile(join(server.dataDir, 'inbox', lone), 'abcd');
    expect((await audit()).differences).toEqual([]);
    await aged(join(folder, 'video.mp4'));
    await aged(join(server.dataDir, 'inbox', lone));
    const stray = { what: 'stray', row: null, recorded: null };
    expect((await audit()).differences).toEqual([
      { ...stray, file: `inbox/${lone}`, found: 4 },
      { ...stray, file: `media/${lost}/video.mp4`, found: 3 },
    ]);
    const at = (days: number) => ({
      ...server.context,
      clock: () => new Date(Date.now() + days * 24 * 60 * 60 * 1000),
    });
    expect(await sweep(server.context)).toEqual({ removed: 0, quarantined: 2 });
    expect(await sweep(server.context)).toEqual({ removed: 0, quarantined: 0 });
    expect((await audit()).differences).toHaveLength(2);
    // Unpublished files must not expire in the meantime.
    await server.db
      .updateTable('uploads')
      .set({ created_at: at(7).clock() })
      .execute();
    expect(await sweep(at(6.9))).toEqual({ removed: 0, quarantined: 0 });
    expect((await audit()).files).toBe(files + 2);
    expect(await sweep(at(7.1))).toEqual({ removed: 2, quarantined: 0 });
    expect((await audit()).files).toBe(files);
  });

  it('an additional file among those of an existing row is reported', async () => {
    await writeFile(inMedia(reel.key, 'extra.txt'), 'abc');
    expect((await audit()).differences).toMatchObject([
      { what: 'stray', file: `media/${reel.key}/extra.txt`, row: `reel of ${asha.id}`, found: 3 },
    ]);
    await rm(inMedia(reel.key, 'extra.txt'));
  });

  it('an operator gets the same report by the API', async () => {
    const operator = await signUpSomebody(server, 'Olga');
    await makeOperator(server, operator.id);
    const { data } = await call(server, { url: '/api/operator/media/audit', headers: operator.headers });
    expect(data).toEqual({ rows: 4, files, differences: [] });
  });
});

it('stored files are listed by path, and by prefix', async () => {
  const listed = async (prefix?: string) => {
    const keys: string[] = [];
    for await (const { key } of server.storage.list(prefix)) keys.push(key);
    return keys.sort();
  };
  const all = await listed();
  for (const prefix of ['inbox/', 'media/', `media/${reel.key}`, `media/${reel.key}/po`, 'med', 'none/'])
    expect(await listed(prefix)).toEqual(all.filter((key) => key.startsWith(prefix)));
  expect(await listed(`inbox/${waiting}`)).toEqual([`inbox/${waiting}`]);
});
