import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeBackup } from '#server/features/backup/backup.ts';
import { auditMedia } from '#server/features/stored-files/audit.ts';
import {
  extraFilesJob,
  giveUpExtraFiles,
  makeExtraFiles,
} from '#server/features/stored-files/extra-files.ts';
import { sweep } from '#server/features/stored-files/sweeper.ts';
import type { Storage } from '#server/platform/storage.ts';
import { makeOperator } from '#testing/servers/operators.ts';
import { jobsIn } from '#testing/servers/queues.ts';
import { startS3Server } from '#testing/servers/s3/server.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { seedOr, someOf } from '#testing/share.ts';
import { loadSite } from '../pages/page-renderer.ts';

/** A picture with some content and unique bytes. AVIF is dear by the pixel. */
async function picture(width = 120): Promise<Buffer<ArrayBuffer>> {
  const noise = { type: 'gaussian' as const, mean: 128, sigma: 50 };
  const create = { width: 80, height: 100, channels: 3 as const, background: '#000', noise };
  const dots = await sharp({ create }).png().toBuffer();
  return Buffer.from(await sharp(dots).resize({ width, kernel: 'cubic' }).jpeg().toBuffer());
}

const kinds = {
  post: { upload: '/api/s3Post/uploadPosts', add: '/api/post/add', remove: '/api/post/deletePost' },
  story: { upload: '/api/s3Story/uploadStorys', add: '/api/story/add', remove: '/api/story/deleteStory' },
} as const;
type Kind = keyof typeof kinds;
const tableOf = { post: 'posts', story: 'stories' } as const;

interface Shown {
  _id: string;
  fileName: string;
  imageurl: string;
  renditions: { url: string; width: number }[];
  avif?: { url: string; width: number }[];
}

async function publish(server: TestServer, who: Person, kind: Kind = 'post', width?: number) {
  const { payload, headers } = await multipart(await picture(width));
  const sent = { method: 'POST' as const, headers: { ...headers, ...who.headers } };
  const { fileName } = await call(server, { ...sent, url: kinds[kind].upload, payload });
  const form = { method: 'POST' as const, headers: who.headers, payload: { fileName } };
  const { data } = await call(server, { ...form, url: kinds[kind].add });
  return data as Shown;
}

const shownTo = async (server: TestServer, who: Person, kind: Kind) => {
  const path = kind === 'post' ? '/api/post/getFrienddata' : '/api/story/getFriendStorydata';
  const { data } = await call(server, { url: `${path}/${who.id}`, headers: who.headers });
  return data[0] as Shown;
};

const rowOf = (server: TestServer, id: string, kind: Kind = 'post') =>
  server.db
    .selectFrom(tableOf[kind])
    .select(['media_key', 'extra_key', 'extra_files'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** Makes AVIF of a photo without any, like the job. */
const make = (server: TestServer, id: string, ownerId: string, storage: Storage = server.storage) =>
  makeExtraFiles(
    { ...server.context, storage },
    {
      data: { kind: 'post', id, ownerId },
      signal: new AbortController().signal,
    },
  );

describe.each(['disk', 's3'])('a published photo, with files stored in: %s', (place) => {
  let server: TestServer;
  let asha: Person;
  let close: () => Promise<void>;
  beforeAll(async () => {
    const s3 = place === 's3' ? await startS3Server() : undefined;
    server = await startTestServer({ ...s3?.settings, BACKGROUND_WORKERS: '1' });
    asha = await signUpSomebody(server);
    close = async () => {
      await server.close();
      await s3?.close();
    };
  });
  afterAll(() => close());

  it.each(someOf(['post', 'story'] as const, 1, seedOr(place === 'disk' ? 1 : 3)))(
    'of a %s is soon served as AVIF too, until it is deleted',
    async (kind) => {
      const published = await publish(server, asha, kind, 400);
      expect(published).not.toHaveProperty('avif');
      await expect.poll(() => shownTo(server, asha, kind)).toHaveProperty('avif');
      const { avif = [], ...shown } = await shownTo(server, asha, kind);
      // Existing fields do not change.
      expect(shown).toEqual(published);
      expect(avif.map(({ width }) => width)).toEqual(shown.renditions.map(({ width }) => width));
      for (const [index, { url, width }] of avif.entries()) {
        const [file, webp] = await Promise.all(
          [url, shown.renditions[index]?.url ?? ''].map((one) => server.inject({ url: one })),
        );
        expect(file?.statusCode).toBe(200);
        expect(file?.headers).toMatchObject({
          'content-type': 'image/avif',
          'cache-control': 'public, max-age=31536000, immutable',
          'x-content-type-options': 'nosniff',
          'content-security-policy': "default-src 'none'; sandbox",
        });
        expect(await sharp(file?.rawPayload).metadata()).toMatchObject({ compression: 'av1', width });
        expect(file?.rawPayload.length).toBeLessThanOrEqual(0.9 * (webp?.rawPayload.length ?? 0));
      }
      const { extra_key } = await rowOf(server, shown._id, kind);
      const url = `${kinds[kind].remove}/${shown._id}`;
      await call(server, { method: 'DELETE', url, headers: asha.headers });
      for (const one of avif) expect((await server.inject({ url: one.url })).statusCode).toBe(404);
      for await (const { key } of server.storage.list(`media/${extra_key}/`)) expect(key).toBe('gone');
    },
  );
});

describe('AVIF of a photo', () => {
  /** A queue that only records its jobs. */
  let server: TestServer;
  let asha: Person;
  let operator: Person;
  beforeAll(async () => {
    server = await startTestServer({ ROLE: 'web' }, { site: await loadSite() });
    asha = await signUpSomebody(server);
    operator = await signUpSomebody(server, 'Ravi');
    await makeOperator(server, operator.id);
  });
  afterAll(() => server.close());
  const act = (path: string, payload: object) =>
    call(server, { method: 'POST', url: `/api/operator/${path}`, headers: operator.headers, payload });
  const folderOf = (key: string) => join(server.dataDir, 'media', key.slice(0, 2), key);
  const folders = async () => {
    const shelves = await readdir(join(server.dataDir, 'media'));
    return (await Promise.all(shelves.map((name) => readdir(join(server.dataDir, 'media', name)))))
      .flat()
      .sort();
  };
  /** A photo with AVIF. */
  async function madeOf(who = asha) {
    const post = await publish(server, who);
    await make(server, post._id, who.id);
    const { extra_key, extra_files } = await rowOf(server, post._id);
    const key = extra_key ?? '';
    const names = Object.keys(extra_files ?? {});
    expect(names).toEqual(['120.avif']);
    return { ...post, key, urls: names.map((name) => `/media/${key}/${name}`) };
  }
  const statuses = (urls: string[]) =>
    Promise.all(urls.map(async (url) => (await server.inject({ url })).statusCode));

  /** The row of a photo without AVIF. */
  const never = (fileName: string) => ({ media_key: fileName, extra_key: null, extra_files: {} });

  it('is in the page before WebP, if it exists', async () => {
    const before = await publish(server, asha);
    const pageWith = async (id: string) => {
      const { body } = await server.inject({ url: `/user/${asha.id}?tab=posts` });
      const { media_key } = await rowOf(server, id);
      return body.split('<picture').find((one) => one.includes(media_key)) ?? '';
    };
    const plain = await pageWith(before._id);
    expect(plain).toContain('type="image/webp"');
    expect(plain).not.toContain('avif');
    await make(server, before._id, asha.id);
    const { extra_key } = await rowOf(server, before._id);
    await expect.poll(() => pageWith(before._id)).toContain(`/media/${extra_key}/120.avif 120w`);
    const html = await pageWith(before._id);
    expect(html.indexOf('type="image/avif"')).toBeGreaterThan(-1);
    expect(html.indexOf('type="image/avif"')).toBeLessThan(html.indexOf('type="image/webp"'));
  });

  it('is queued by the publication, in the turn of the creator', async () => {
    const { _id } = await publish(server, asha);
    const jobs = await jobsIn<{ id: string }>(server.db, extraFilesJob.name);
    const queued = jobs.filter(({ data }) => data.id === _id);
    expect(queued.map(({ groupId }) => groupId)).toEqual([asha.id]);
  });

  it('is not stored if it is not a tenth smaller than the WebP, and that is tried once', async () => {
    const { _id, fileName } = await publish(server, asha);
    // As small as a WebP can be.
    await writeFile(join(folderOf(fileName), '120.webp'), 'tiny');
    const before = await folders();
    await make(server, _id, asha.id);
    expect(await rowOf(server, _id)).toEqual(never(fileName));
    expect(await folders()).toEqual(before);
    await call(server, { method: 'DELETE', url: `/api/post/deletePost/${_id}`, headers: asha.headers });
  });

  it('is not made of a photo that cannot be decoded, and that is not retried', async () => {
    const { _id, fileName, imageurl } = await publish(server, asha);
    await writeFile(join(folderOf(fileName), 'photo.jpg'), randomBytes(5000));
    await make(server, _id, asha.id);
    expect(await rowOf(server, _id)).toEqual(never(fileName));
    expect((await server.inject({ url: imageurl })).statusCode).toBe(200);
    // The same after the queue's last try, whatever made the others fail.
    const other = await publish(server, asha);
    await giveUpExtraFiles(server.db, { kind: 'post', id: other._id, ownerId: asha.id });
    await make(server, other._id, asha.id);
    expect(await rowOf(server, other._id)).toEqual(never(other.fileName));
    await call(server, { method: 'DELETE', url: `/api/post/deletePost/${_id}`, headers: asha.headers });
  });

  it('is not deleted by the sweeper, is checked by the audit and is part of a backup', async () => {
    const { key, _id } = await madeOf();
    const later = new Date(Date.now() + 3 * 60 * 60 * 1000);
    await sweep({ ...server.context, clock: () => later });
    expect(await folders()).toContain(key);
    expect((await auditMedia({ ...server.context, clock: () => later })).differences).toEqual([]);
    const backup = join(await mkdtemp(join(tmpdir(), 'jhalak-backup-')), 'one');
    const { missing } = await makeBackup(server, backup, undefined, new Date());
    expect(missing).toEqual([]);
    expect(existsSync(join(backup, 'media', key, '120.avif'))).toBe(true);
    await rm(backup, { recursive: true });

    const path = join(folderOf(key), '120.avif');
    const { size } = await stat(path);
    await writeFile(path, 'short');
    await writeFile(join(folderOf(key), 'more.avif'), 'more');
    const row = `extra of ${asha.id}`;
    expect((await auditMedia(server.context)).differences).toEqual([
      { what: 'size', file: `media/${key}/120.avif`, row, recorded: size, found: 5 },
      { what: 'stray', file: `media/${key}/more.avif`, row, recorded: null, found: 4 },
    ]);
    await rm(folderOf(key), { recursive: true });
    const { differences } = await auditMedia(server.context);
    expect(differences.map(({ what, file }) => [what, file])).toEqual([['missing', `media/${key}/120.avif`]]);
    await call(server, { method: 'DELETE', url: `/api/post/deletePost/${_id}`, headers: asha.headers });
  });

  it('without a row, after a crash while it was made, is in quarantine for a week, and made again', async () => {
    const { _id } = await publish(server, asha);
    const before = await folders();
    const crashing: Storage = {
      ...server.storage,
      async publish(key, folder) {
        await server.storage.publish(key, folder);
        throw new Error('the process ends here');
      },
    };
    await expect(make(server, _id, asha.id, crashing)).rejects.toThrow('ends here');
    const [orphan, ...others] = (await folders()).filter((key) => !before.includes(key));
    expect(others).toEqual([]);
    const long = new Date(Date.now() - 2 * 60 * 60 * 1000);
    for (const name of await readdir(folderOf(orphan ?? '')))
      await utimes(join(folderOf(orphan ?? ''), name), long, long);
    expect(await sweep(server.context)).toEqual({ removed: 0, quarantined: 1 });
    const inAWeek = () => new Date(Date.now() + 7.1 * 24 * 60 * 60 * 1000);
    expect(await sweep({ ...server.context, clock: inAWeek })).toMatchObject({ quarantined: 0 });
    expect(await folders()).toEqual(before);
    await make(server, _id, asha.id);
    expect((await rowOf(server, _id)).extra_key).toMatch(/^[0-9a-f]{32}$/);
  });

  it('is deleted if the photo is deleted while it is made', async () => {
    const { _id, fileName } = await publish(server, asha);
    const before = (await folders()).filter((key) => key !== fileName);
    const late: Storage = {
      ...server.storage,
      async publish(key, folder) {
        await server.storage.publish(key, folder);
        await call(server, { method: 'DELETE', url: `/api/post/deletePost/${_id}`, headers: asha.headers });
      },
    };
    await make(server, _id, asha.id, late);
    expect(await folders()).toEqual(before);
  });

  it('that is made twice in parallel is stored once', async () => {
    const { _id } = await publish(server, asha);
    const before = await folders();
    await Promise.all([make(server, _id, asha.id), make(server, _id, asha.id)]);
    const { extra_key } = await rowOf(server, _id);
    expect((await folders()).filter((key) => !before.includes(key))).toEqual([extra_key]);
  });

  it('is not served while its post is taken down, and external caches are purged', async () => {
    const { _id, key, urls } = await madeOf();
    expect(await statuses(urls)).toEqual([200]);
    await act('reports/take-down', {
      target: `post:${_id}`,
      what: 'copy',
      rule: 'spam',
      reason: 'Not yours',
    });
    await expect.poll(() => statuses(urls)).toEqual([404]);
    const own = await shownTo(server, asha, 'post');
    expect(own).toMatchObject({ _id, renditions: [] });
    expect(own).not.toHaveProperty('avif');
    const purges = await server.db.selectFrom('purges').select('keys').execute();
    expect(purges.flatMap(({ keys }) => keys)).toContain(key);
    await act('reports/restore', { target: `post:${_id}` });
    await expect.poll(() => statuses(urls)).toEqual([200]);
    expect(await shownTo(server, asha, 'post')).toHaveProperty('avif');
  });

  it('is not served while its owner is suspended, nor what is made in the meantime', async () => {
    const mona = await signUpSomebody(server, 'Mona');
    const { key, urls } = await madeOf(mona);
    const other = await publish(server, mona);
    await act(`people/suspend/${mona.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    await expect.poll(() => statuses(urls)).toEqual([404]);
    const purges = await server.db.selectFrom('purges').select('keys').execute();
    expect(purges.flatMap(({ keys }) => keys)).toContain(key);
    expect(purges.flatMap(({ keys }) => keys)).not.toContain(null);
    await make(server, other._id, mona.id);
    const { extra_key: ofOther } = await rowOf(server, other._id);
    const made = `/media/${ofOther}/120.avif`;
    await expect.poll(() => statuses([made])).toEqual([404]);
    await act(`people/restore/${mona.id}`, {});
    await expect.poll(() => statuses([...urls, made])).toEqual([200, 200]);
  });

  it('is not served, like any other file of a suspended person, whose follows are not listed', async () => {
    const kavi = await signUpSomebody(server, 'Kavi');
    await call(server, { method: 'POST', url: `/api/follow/${kavi.id}`, headers: asha.headers });
    const { imageurl, renditions } = await publish(server, kavi);
    const urls = [imageurl, ...renditions.map(({ url }) => url)];
    const lists = [`/api/followers/${kavi.id}`, `/api/following/${kavi.id}`];
    expect(new Set(await statuses([...urls, ...lists]))).toEqual(new Set([200]));
    await act(`people/suspend/${kavi.id}`, { rule: 'spam', days: 7, reason: 'Spam' });
    await expect.poll(async () => new Set(await statuses(urls))).toEqual(new Set([404]));
    expect(await statuses(lists)).toEqual([404, 404]);
  });

  it('is deleted with the account', async () => {
    const nadia = await signUpSomebody(server, 'Nadia');
    const { key } = await madeOf(nadia);
    await call(server, { method: 'DELETE', url: `/api/delete/${nadia.id}`, headers: nadia.headers });
    const removals = await jobsIn<{ keys: string[] }>(server.db, 'removal');
    expect(removals.flatMap(({ data }) => data.keys)).toContain(key);
  });
});
