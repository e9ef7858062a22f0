import type { ReadStream } from 'node:fs';
import { readdir, readFile, readlink, truncate, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { holding, type Storage } from '#server/platform/storage.ts';
import { contextAt } from '#testing/context.ts';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { follow } from '#testing/fixtures/follows.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { setPicture } from '../people/profile.ts';
import { editPost } from '../posts-and-stories/edit.ts';
import { likePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { publishStory } from '../posts-and-stories/stories.ts';
import { commentOnReel, likeReel } from '../reels/engagement.ts';
import { saveWatched, switchTaste } from '../taste/taste.ts';
import { acceptPhoto } from '../uploads/photos.ts';
import { archiveOf } from './archive.ts';

const timeZone = 'Asia/Kolkata';
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const ask = (person: Person) =>
  server.inject({ method: 'POST', url: '/api/export', headers: person.headers });
const addressFor = async (person: Person) => (await ask(person)).json().url as string;

let hue = 0;
async function photo(person: Person): Promise<string> {
  hue += 1;
  const bytes = await sharp({
    create: { width: 64, height: 80, channels: 3, background: { r: hue % 256, g: 90, b: 40 } },
  })
    .png()
    .toBuffer();
  const received = await server.storage.receive(Readable.from([bytes]));
  const { fileName } = await holding(received, (file) => acceptPhoto(server.context, person.id, file));
  return fileName;
}
/** Stores a film as the file of a reel, filled by `fill`. Returns its key. */
async function film(reelId: string, fill: (path: string) => Promise<void>): Promise<string> {
  const { media_key } = await server.db
    .selectFrom('reels')
    .select('media_key')
    .where('id', '=', reelId)
    .executeTakeFirstOrThrow();
  await server.storage.inWorkspace(async (folder) => {
    await writeFile(join(folder, 'video.mp4'), '');
    await fill(join(folder, 'video.mp4'));
    await server.storage.publish(media_key, folder);
  });
  return media_key;
}

describe('a copy of one’s data (decisions §5)', () => {
  it('is one archive with all data of the person, and no private data of others', async () => {
    const [asha, binod] = [await signUpSomebody(server, 'आशा Rao'), await signUpSomebody(server)];
    const now = new Date();
    await setPicture(
      { db: server.db, storage: server.storage, clock: () => now },
      asha.id,
      await photo(asha),
    );
    const reel = await publishedReel(server.db, asha.id, now, timeZone);
    const clip = Buffer.alloc(300_000, 'film');
    await film(reel, (path) => writeFile(path, clip));
    const form = { fileName: await photo(asha), caption: 'Her picture', description: 'Told "at length"' };
    const context = contextAt(server.db, now);
    const { id: post } = await publishPost(context, asha.id, form);
    await publishStory(context, asha.id, { fileName: await photo(asha), statusText: 'Her day' });
    await editPost(context, post, asha.id, { caption: 'Her photo' });
    const waiting = await photo(asha);
    const others = await publishedReel(server.db, binod.id, now, timeZone);
    const his = { fileName: await photo(binod), caption: 'His picture', description: '' };
    const { id: othersPost } = await publishPost(context, binod.id, his);
    await commentOnReel(context, others, asha.id, { text: 'Her words', sentAs: newId(now) });
    const { data: asked } = await commentOnReel(context, reel, binod.id, {
      ...{ text: 'His words', sentAs: newId(now) },
    });
    await commentOnReel(context, reel, asha.id, {
      ...{ text: 'Her answer', sentAs: newId(now), parentId: asked._id },
    });
    await likeReel(context, others, asha.id);
    await likePost(context, othersPost, asha.id);
    await follow(context, binod.id, asha.id);
    await follow(context, asha.id, binod.id);
    await switchTaste(context, asha.id, { on: true, adult: true });
    await saveWatched(context, asha.id, [{ _id: others, toEnd: true }]);
    await call(server, {
      method: 'POST',
      url: '/api/feedback/feed',
      headers: asha.headers,
      payload: { name: '', text: 'Her feedback' },
    });

    const established = { person_id: asha.id, month: '2026-01' };
    await server.db.insertInto('active_people').values(established).execute();
    const look = { creator_id: asha.id, month: '2026-02', asked_at: new Date('2026-02-03T00:00:00Z') };
    await server.db.insertInto('month_looks').values(look).execute();
    const created = await ask(asha);
    expect(created.json()).toMatchObject({ status: 'ok', expiresAt: expect.any(String) });
    const answer = await server.inject({ url: created.json().url });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="jhalak-data-\d{4}-\d\d-\d\d\.zip"$/,
      ),
      'cache-control': 'private, no-store',
    });
    const files = unzipSync(answer.rawPayload);
    const { media_key: story } = await server.db
      .selectFrom('stories')
      .select(['media_key', 'id'])
      .where('creator_id', '=', asha.id)
      .executeTakeFirstOrThrow();
    const lists = Object.keys(files).filter((name) => name.endsWith('.json'));
    const read = (name: string) => JSON.parse(Buffer.from(files[name] ?? []).toString());
    expect(lists.sort()).toEqual([
      'activity.json',
      'blocked.json',
      'comments.json',
      'copies.json',
      'decisions.json',
      'devices.json',
      'earnings.json',
      'established.json',
      'followers.json',
      'following.json',
      'identities.json',
      'liked-posts.json',
      'liked-reels.json',
      'links.json',
      'looks.json',
      'messages.json',
      'notifications.json',
      'passkeys.json',
      'payments.json',
      'payout-destination.json',
      'posts.json',
      'profile.json',
      'reels.json',
      'reports.json',
      'seen-stories.json',
      'sessions.json',
      'shared-reels.json',
      'stories.json',
      'taste.json',
      'uploads.json',
      'versions.json',
      'watched.json',
      'withdrawals.json',
    ]);
    expect(read('profile.json')).toMatchObject({ _id: asha.id, name: 'आशा Rao', email: asha.email });
    expect(read('reels.json')).toMatchObject([{ _id: reel, state: 'ready', likeCount: 0, commentCount: 2 }]);
    expect(read('posts.json')).toMatchObject([{ _id: post, description: 'Told "at length"' }]);
    expect(read('versions.json')).toMatchObject([
      { kind: 'post', workId: post, words: { caption: 'Her picture', description: 'Told "at length"' } },
    ]);
    expect(read('stories.json')).toMatchObject([{ statusText: 'Her day' }]);
    expect(read('taste.json')).toEqual({ since: now.toISOString() });
    expect(read('watched.json')).toMatchObject([{ reelId: others, toEnd: true }]);
    expect(read('comments.json')).toMatchObject([
      { reelId: others, parentId: null, text: 'Her words' },
      { reelId: reel, parentId: asked._id, text: 'Her answer' },
    ]);
    expect(read('liked-reels.json')).toMatchObject([{ reelId: others }]);
    expect(read('liked-posts.json')).toMatchObject([{ postId: othersPost, undoneAt: null }]);
    expect(read('followers.json')).toMatchObject([{ userId: binod.id, username: binod.username }]);
    expect(read('following.json')).toMatchObject([{ userId: binod.id, username: binod.username }]);
    expect(
      read('notifications.json')
        .map(({ kind }: { kind: string }) => kind)
        .sort(),
    ).toEqual(['comment', 'follow']);
    expect(read('messages.json')).toMatchObject([
      { kind: 'feedback', text: 'Her feedback', email: asha.email },
    ]);
    expect(read('earnings.json')).toMatchObject([
      { reels: 1, posts: 1, stories: 1, coins: 8, waitingViews: 0, established: 0, decisions: [] },
    ]);
    expect(read('established.json')).toEqual([{ month: '2026-01', views: null }]);
    expect(read('looks.json')).toMatchObject([{ askedAt: '2026-02-03T00:00:00.000Z' }]);
    expect(read('uploads.json')).toMatchObject([{ fileName: waiting, kind: 'photo' }]);
    expect(read('sessions.json')).toMatchObject([{ device: 'Chrome, Linux', network: '127.1.0.0/16' }]);
    expect(read('withdrawals.json')).toEqual([]);
    expect(read('payments.json')).toEqual([]);
    expect(read('activity.json')).toEqual(expect.any(Array));

    const media = Object.keys(files).filter((name) => !name.endsWith('.json'));
    expect(media.sort()).toEqual(
      [
        'media/profile/photo.jpg',
        `media/posts/${post}/photo.jpg`,
        `media/reels/${reel}/video.mp4`,
        `media/stories/${read('stories.json')[0]._id}/photo.jpg`,
      ].sort(),
    );
    expect(Buffer.compare(Buffer.from(files[`media/reels/${reel}/video.mp4`] ?? []), clip)).toBe(0);
    const stored = await readFile(join(server.dataDir, 'media', story.slice(0, 2), story, 'photo.jpg'));
    const inArchive = files[media.find((name) => name.startsWith('media/stories')) ?? ''] ?? new Uint8Array();
    expect(Buffer.compare(Buffer.from(inArchive), stored)).toBe(0);

    const whole = answer.rawPayload.toString();
    for (const secret of [
      binod.email,
      'His words',
      'His picture',
      '$argon2id',
      'password',
      asha.token,
      'token_hash',
      story,
    ])
      expect(whole, secret).not.toContain(secret);
  });

  it('says that the payout destination cannot be read if its key is lost', async () => {
    const asha = await signUpSomebody(server);
    // A key version that this site does not have.
    const details = Buffer.alloc(64, 77);
    await server.db
      .insertInto('payout_destinations')
      .values({
        person_id: asha.id,
        details,
        fingerprint: Buffer.alloc(32),
        checked_payer: 'file',
        chosen_at: new Date(),
      })
      .execute();
    const answer = await server.inject({ url: (await ask(asha)).json().url });
    const { 'payout-destination.json': file } = unzipSync(answer.rawPayload);
    expect(JSON.parse(Buffer.from(file ?? []).toString())).toEqual({ unreadable: true });
  });

  it('contains lists of more than one page, each entry once [long]', async () => {
    const asha = await signUpSomebody(server);
    const reel = await publishedReel(server.db, asha.id, new Date(), timeZone);
    for (let n = 0; n < 1003; n += 1)
      await commentOnReel(server.context, reel, asha.id, { text: `Number ${n}`, sentAs: newId(new Date()) });
    const { rawPayload } = await server.inject({ url: await addressFor(asha) });
    const comments = JSON.parse(Buffer.from(unzipSync(rawPayload)['comments.json'] ?? []).toString());
    expect(new Set(comments.map(({ text }: { text: string }) => text)).size).toBe(1003);
    expect(comments).toHaveLength(1003);
  });

  it('can be downloaded once within five minutes, from an unguessable address', async () => {
    const asha = await signUpSomebody(server);
    const url = await addressFor(asha);
    expect(url).toMatch(/^\/api\/export\/[\w-]{43}$/);
    const stored = await server.db.selectFrom('export_tickets').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(url.slice(-43));
    expect((await server.inject({ url, method: 'HEAD' })).statusCode).toBe(404);
    const both = await Promise.all([server.inject({ url }), server.inject({ url })]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404]);
    const again = await server.inject({ url });
    expect(again.statusCode).toBe(404);
    expect(again.json().error).toBe('This download link was used or has expired. Please ask for a new one.');
    expect((await server.inject({ url: '/api/export/guessed' })).statusCode).toBe(404);

    const late = await addressFor(asha);
    server.now.value = new Date(Date.now() + 5 * 60_000 + 1);
    expect((await server.inject({ url: late })).statusCode).toBe(404);
    server.now.value = new Date();
  });

  it('needs a session, and is limited to six an hour, also with parallel requests', async () => {
    expect((await server.inject({ method: 'POST', url: '/api/export' })).statusCode).toBe(401);
    const asha = await signUpSomebody(server);
    const answers = await Promise.all(Array.from({ length: 9 }, () => ask(asha)));
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...Array(6).fill(200),
      ...Array(3).fill(429),
    ]);
    server.now.value = new Date(Date.now() + 61 * 60_000);
    // An export needs a fresh session.
    const payload = { email: asha.email, password: 'correct horse' };
    const { data } = await call(server, { method: 'POST', url: '/api/signin', payload });
    const again = { ...asha, headers: { authorization: `Bearer ${data}` } };
    expect((await ask(again)).statusCode).toBe(200);
    server.now.value = new Date();
  });

  it('cannot be downloaded after its person was suspended or deleted', async () => {
    const [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
    const [one, other] = [await addressFor(asha), await addressFor(binod)];
    await server.db
      .updateTable('people')
      .set({ suspended_at: new Date() })
      .where('id', '=', asha.id)
      .execute();
    await call(server, { method: 'DELETE', url: `/api/delete/${binod.id}`, headers: binod.headers });
    for (const url of [one, other]) expect((await server.inject({ url })).statusCode).toBe(404);
  });

  /** A person with a film of this many bytes. */
  async function withFilm(bytes: number) {
    const person = await signUpSomebody(server);
    const reel = await publishedReel(server.db, person.id, new Date(), timeZone);
    return { person, key: await film(reel, (path) => truncate(path, bytes)) };
  }

  it('is produced no faster than it is downloaded', async () => {
    const { person } = await withFilm(64 * 1024 * 1024);
    const opened: Readable[] = [];
    const storage: Storage = {
      ...server.storage,
      async find(key, name) {
        const found = await server.storage.find(key, name);
        if (!found) return undefined;
        const open = () => {
          const stream = found.open();
          opened.push(stream);
          return stream;
        };
        return { ...found, open };
      },
    };
    let taken = 0;
    for await (const part of archiveOf({ ...server.context, storage }, person.id)) {
      taken += part.length;
      if (taken > 1024 * 1024) break;
    }
    const [stream] = opened as ReadStream[];
    expect(stream?.bytesRead).toBeLessThan(taken + 1024 * 1024);
    expect(stream?.destroyed).toBe(true);
  });

  it.skipIf(process.platform !== 'linux')('closes the file it reads when the connection ends', async () => {
    const { person, key } = await withFilm(64 * 1024 * 1024);
    const origin = await server.app.listen({ port: 0, host: '127.0.0.1' });
    const url = await addressFor(person);
    const response = await new Promise<IncomingMessage>((resolve, reject) =>
      request(`${origin}${url}`, resolve).on('error', reject).end(),
    );
    // The client does not read: the film is open, and the export waits.
    await expect.poll(() => timesOpen(key)).toBe(1);
    response.destroy();
    await expect.poll(() => timesOpen(key)).toBe(0);
  });
});

/** Number of open files of this process whose path contains a key. */
async function timesOpen(key: string): Promise<number> {
  const open = await readdir('/proc/self/fd');
  const paths = await Promise.all(open.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return paths.filter((path) => path.includes(key)).length;
}
