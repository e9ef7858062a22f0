import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createServer } from '#server/boot/create-server.ts';
import { readConfig } from '#server/config.ts';
import { newId } from '#server/platform/ids.ts';
import { holding } from '#server/platform/storage.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { earnReleased, publishedReel } from '#testing/fixtures/earnings.ts';
import { follow } from '#testing/fixtures/follows.ts';
import { payWithdrawal } from '#testing/fixtures/payouts.ts';
import { anotherFilm } from '#testing/fixtures/reels.ts';
import { showAndWatch } from '#testing/fixtures/watching.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import {
  call,
  multipart,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { auditLedger } from '../earnings/audit.ts';
import { setPicture } from '../people/profile.ts';
import { likePost } from '../posts-and-stories/likes.ts';
import { publishPost } from '../posts-and-stories/posts.ts';
import { publishStory } from '../posts-and-stories/stories.ts';
import { commentOnReel, likeReel } from '../reels/engagement.ts';
import { acceptPhoto } from '../uploads/photos.ts';
import { viewerOf } from '../views/viewers.ts';

const timeZone = 'Asia/Kolkata';
let server: TestServer;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-deletion-'));
  server = await startTestServer();
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const remove = (person: Person, userId = person.id) =>
  server.inject({ method: 'DELETE', url: `/api/delete/${userId}`, headers: person.headers });
const preview = (person: Person) =>
  call(server, { url: `/api/delete/${person.id}`, headers: person.headers });

async function upload(person: Person): Promise<string> {
  const { payload, headers } = await multipart(await anotherFilm());
  const sent = { method: 'POST' as const, url: '/api/s3Reel/uploadReels', payload };
  return (await call(server, { ...sent, headers: { ...headers, ...person.headers } })).fileName;
}
const add = (person: Person, videoKey: string, category: string[] = []) =>
  server.inject({
    method: 'POST',
    url: '/api/reel/add',
    headers: person.headers,
    payload: { videoKey, caption: `A reel of ${person.username}`, creadit: person.username, category },
  });
async function startReel(person: Person, category: string[] = []): Promise<string> {
  return (await add(person, await upload(person), category)).json().data._id;
}
async function publishReel(person: Person, category: string[] = []): Promise<string> {
  const id = await startReel(person, category);
  await expect
    .poll(async () => (await server.inject({ url: `/api/reel/getReel/${id}` })).statusCode)
    .toBe(200);
  return id;
}
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
const post = async (person: Person, at = new Date(), words = '') =>
  (
    await publishPost(contextAt(server.db, at), person.id, {
      fileName: await photo(person),
      caption: `Seen by ${person.username} ${words}`,
      description: person.username,
    })
  ).id;
const story = async (person: Person) =>
  (
    await publishStory(contextOn(server.db), person.id, {
      fileName: await photo(person),
      statusText: `Says ${person.username}`,
    })
  ).id;
/** A person watches a reel for five seconds, until now. */
const view = async (reelId: string, { id: personId }: Person) => {
  const at = new Date();
  const viewer = viewerOf(server.keyring.secret('viewers'), { personId, address: '', userAgent: '' });
  const [isCounted] = await showAndWatch(server.context, [
    {
      ...{ reelId, viewer, address: Buffer.alloc(8), signedIn: true, personId, neededMs: 4000 },
      ...{ issuedAt: new Date(at.getTime() - 5000), at },
    },
  ]);
  expect(isCounted).toBe(true);
};

const personRow = (person: Person) =>
  server.db.selectFrom('people').selectAll().where('id', '=', person.id).executeTakeFirstOrThrow();
const reelRow = (id: string) =>
  server.db.selectFrom('reels').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const postRow = (id: string) =>
  server.db.selectFrom('posts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const monthsOf = (personId: string) =>
  server.db
    .selectFrom('creator_months')
    .select(['month', 'reels', 'posts', 'stories', 'views', 'likes'])
    .where('creator_id', '=', personId)
    .orderBy('month')
    .execute();
const categoryCount = async (id: string) =>
  (await call(server, { url: '/api/count/getCategoryCounts' })).data.find(
    (one: { id: string }) => one.id === id,
  ).count;
const filesOf = async (keys: string[]) => {
  const there: string[] = [];
  for (const place of ['inbox', 'media'])
    there.push(...(await readdir(join(server.dataDir, place), { recursive: true })));
  return there.filter((name) => keys.some((key) => name.includes(key)));
};
/** Differences between these people's months and their events. */
async function wrongMonthsOf(...people: Person[]) {
  const { differences } = await auditLedger(server.context);
  return differences.filter(({ id }) => people.some((person) => person.id === id));
}

const nothing = () => undefined;

/** Tables and columns that still contain one of these words. */
async function tablesWith(words: string[]): Promise<string[]> {
  const tables = await server.db.introspection.getTables();
  const found: string[] = [];
  for (const { name, schema } of tables) {
    if (schema !== 'public' || name.startsWith('kysely')) continue;
    const rows = await server.db
      .selectFrom(name as 'people')
      .selectAll()
      .execute();
    const text = JSON.stringify(rows);
    for (const word of words) if (text.includes(word)) found.push(`${name}: ${word}`);
  }
  return found;
}

describe('deleting an account', () => {
  it('deletes all content of the person, and the counts of others stay exact', async () => {
    const [asha, binod, chitra] = [
      await signUpSomebody(server, 'Asha the Departing'),
      await signUpSomebody(server),
      await signUpSomebody(server),
    ];
    await setPicture(
      { db: server.db, storage: server.storage, clock: () => new Date() },
      asha.id,
      await photo(asha),
    );
    const [ownReel, ownPost, ownStory] = [
      await publishReel(asha, ['dance', 'food']),
      await post(asha, new Date(), 'secretmotif'),
      await story(asha),
    ];
    const unused = [await upload(asha), await photo(asha)];
    const [reel, picture] = [await publishReel(binod, ['dance']), await post(binod)];
    const now = new Date();
    for (const person of [asha, chitra]) {
      await likeReel(server.context, reel, person.id);
      await likePost(server.context, picture, person.id);
      await commentOnReel(server.context, reel, person.id, {
        text: `Words of ${person.username}`,
        sentAs: newId(now),
      });
    }
    await commentOnReel(server.context, reel, asha.id, { text: 'More words of hers', sentAs: newId(now) });
    await likeReel(server.context, ownReel, binod.id);
    await likePost(server.context, ownPost, binod.id);
    await view(ownReel, binod);
    await view(reel, asha);
    await follow(contextAt(server.db, now), asha.id, binod.id);
    await follow(contextAt(server.db, now), binod.id, asha.id);
    await follow(contextAt(server.db, now), chitra.id, asha.id);
    await follow(contextAt(server.db, now), chitra.id, binod.id);
    await call(server, {
      method: 'POST',
      url: '/api/contact/contact',
      headers: asha.headers,
      payload: { userId: asha.id, name: 'x', email: 'x@x.example', phone: '99887766', text: 'Please help' },
    });
    const dancing = await categoryCount('dance');
    const before = await monthsOf(binod.id);
    const keys = (
      await server.db.selectFrom('uploads').select('key').where('owner_id', '=', asha.id).execute()
    ).map(({ key }) => key);
    expect(await filesOf(keys)).not.toEqual([]);

    expect((await preview(asha)).data).toEqual({
      username: asha.username,
      reels: 1,
      posts: 1,
      stories: 1,
      comments: 2,
      likes: 2,
      followers: 2,
      following: 1,
      unpaidCoins: 8,
      withdrawalPending: false,
    });
    const second = await call(server, {
      method: 'POST',
      url: '/api/signin',
      payload: { email: asha.email, password: 'correct horse' },
    });
    const answer = await remove(asha);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ status: 'ok', message: 'User deleted successfully!' });

    // The sessions of both devices end.
    for (const token of [asha.token, second.data]) {
      const who = await server.inject({ method: 'POST', url: '/api/userdata', payload: { token } });
      expect(who.statusCode).toBe(401);
    }
    expect((await remove(asha)).statusCode).toBe(401);

    // Nothing is visible any more.
    expect((await server.inject({ url: `/api/getuser/${asha.id}` })).statusCode).toBe(404);
    expect((await server.inject({ url: `/api/reel/getReel/${ownReel}` })).statusCode).toBe(404);
    for (const url of [
      '/api/reel/getallReels?limit=100',
      '/api/post/getallPostsall?limit=100',
      '/api/story/getallStorys?limit=100',
      '/api/getallUser?limit=100',
      '/api/getallUser?q=the%20Departing',
      `/api/reel/getFrienddata/${asha.id}`,
      `/api/post/getFrienddata/${asha.id}`,
      `/api/story/getFriendStorydata/${asha.id}`,
    ]) {
      const { body } = await server.inject({ url });
      for (const word of [asha.id, asha.username, ownReel, ownPost, ownStory])
        expect(body, url).not.toContain(word);
    }
    const notifications = await call(server, {
      url: `/api/notification/getNotifications/${binod.id}`,
      headers: binod.headers,
    });
    expect(notifications.data.map(({ senderId }: { senderId: string }) => senderId)).not.toContain(asha.id);
    expect(notifications).toMatchObject({ unread: 4 });

    // The counts of others are exact.
    expect(await personRow(binod)).toMatchObject({ follower_count: 1, following_count: 0, reel_count: 1 });
    expect(await personRow(chitra)).toMatchObject({ follower_count: 0, following_count: 1 });
    expect(await reelRow(reel)).toMatchObject({ like_count: 1, comment_count: 1, views: 1 });
    expect(await postRow(picture)).toMatchObject({ like_count: 1 });
    expect(await categoryCount('dance')).toBe(dancing - 1);
    expect(await monthsOf(binod.id)).toEqual(before.map((month) => ({ ...month, likes: month.likes - 1 })));
    expect(await monthsOf(asha.id)).toMatchObject([{ reels: 0, posts: 0, stories: 0, views: 0, likes: 0 }]);

    expect(await wrongMonthsOf(asha, binod, chitra)).toEqual([]);

    // No personal data or text is left in the database; files are removed by a job.
    expect(
      await tablesWith([
        ...['Asha the Departing', asha.username, asha.email, 'More words', '99887766'],
        // What they were searched by, as the search stores it.
        ...['departing', 'sekretmotif', 'secretmotif'],
      ]),
    ).toEqual([]);
    expect(await tablesWith(['asha'])).toContain('search_words: asha');
    await expect.poll(() => filesOf([...keys, ...unused])).toEqual([]);
    const messages = await server.db.selectFrom('messages').selectAll().execute();
    expect(messages).toMatchObject([
      { text: 'Please help', person_id: null, name: '', email: '', phone: '' },
    ]);
  });

  it('makes e-mail address and username available, for a new person without any old data', async () => {
    const asha = await signUpSomebody(server);
    await post(asha);
    expect((await remove(asha)).statusCode).toBe(200);
    const form = { email: asha.email, password: 'correct horse' };
    expect((await server.inject({ method: 'POST', url: '/api/signin', payload: form })).statusCode).toBe(401);
    const { user } = await call(server, {
      method: 'POST',
      url: '/api/signup',
      payload: { ...form, cpassword: form.password, name: 'Asha again', username: asha.username },
    });
    expect(user).toMatchObject({ username: asha.username, postCount: 0 });
    expect(user._id).not.toBe(asha.id);
    await call(server, { method: 'POST', url: '/api/signin', payload: form });
  });

  it('does not change past months, nor the data they are derived from', async () => {
    const [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
    const longAgo = new Date(Date.now() - 70 * 24 * 3_600_000);
    const picture = await post(binod, longAgo);
    await likePost(contextAt(server.db, longAgo), picture, asha.id);
    const [old] = [await post(asha, longAgo)];
    await likePost(contextAt(server.db, longAgo), old, binod.id);
    const reel = await publishedReel(server.db, asha.id, longAgo, timeZone);
    await view(reel, binod);
    const before = { asha: await monthsOf(asha.id), binod: await monthsOf(binod.id) };
    expect(before.asha).toHaveLength(2);

    expect((await remove(asha)).statusCode).toBe(200);
    expect(await monthsOf(asha.id)).toEqual(before.asha);
    expect(await monthsOf(binod.id)).toEqual(before.binod);
    expect(await postRow(picture)).toMatchObject({ like_count: 0 });
    const likes = await server.db
      .selectFrom('post_likes')
      .selectAll()
      .where('post_id', '=', picture)
      .execute();
    expect(likes).toMatchObject([{ person_id: asha.id, liked_at: longAgo, undone_at: expect.any(Date) }]);
    const remaining = { creator_id: asha.id, caption: '', deleted_at: expect.any(Date), duplicate: false };
    expect(await postRow(old)).toMatchObject({ ...remaining, published_at: longAgo, like_count: 1 });
    expect(await reelRow(reel)).toMatchObject({ ...remaining, published_at: longAgo, views: 1 });
    const events = await server.db.selectFrom('views').selectAll().where('reel_id', '=', reel).execute();
    expect(events).toMatchObject([{ creator_id: asha.id }]);
    expect(await wrongMonthsOf(asha, binod)).toEqual([]);
  });

  it('is refused to other people', async () => {
    const [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
    expect((await remove(binod, asha.id)).statusCode).toBe(403);
    expect((await remove(binod, newId(new Date()))).statusCode).toBe(403);
    expect((await remove(binod, 'nobody')).statusCode).toBe(400);
    expect((await server.inject({ method: 'DELETE', url: `/api/delete/${asha.id}` })).statusCode).toBe(401);
    const url = `/api/delete/${asha.id}`;
    expect((await server.inject({ url })).statusCode).toBe(401);
    expect((await server.inject({ url, headers: binod.headers })).statusCode).toBe(403);
    await personRow(asha);
  });
});

describe('deleting an account that has earned (decisions §4)', () => {
  const month = '2026-01';
  /** Creates a past month worth ₹1.00. */
  const earn = (person: Person) => earnReleased(server.db, person.id, month);
  const withdraw = (person: Person) =>
    server.inject({
      method: 'POST',
      url: '/api/user-earnings/request',
      headers: person.headers,
      payload: { userId: person.id, userName: person.username, month, totalRupee: '1.00' },
    });
  const withdrawalsOf = (person: Person) =>
    server.db.selectFrom('withdrawals').selectAll().where('creator_id', '=', person.id).execute();

  it('is refused while a withdrawal is pending, and changes nothing', async () => {
    const asha = await signUpSomebody(server);
    await earn(asha);
    expect((await preview(asha)).data).toMatchObject({ unpaidCoins: 500, withdrawalPending: false });
    const { data } = (await withdraw(asha)).json();
    expect((await preview(asha)).data).toMatchObject({ unpaidCoins: 0, withdrawalPending: true });
    const answer = await remove(asha);
    expect(answer.statusCode).toBe(409);
    expect(answer.json()).toMatchObject({
      code: 'withdrawal_pending',
      error:
        'You have a pending withdrawal. You can delete your account once it has been paid, rejected or cancelled.',
    });
    expect((await personRow(asha)).username).toBe(asha.username);

    await payWithdrawal(server.db, data._id, 'UTR 1');
    expect((await remove(asha)).statusCode).toBe(200);
    // The ledger keeps the amounts, under an id without a person.
    expect(await withdrawalsOf(asha)).toMatchObject([{ paise: 100, state: 'completed', reference: 'UTR 1' }]);
    const steps = await server.db
      .selectFrom('ledger_transactions')
      .selectAll()
      .where('withdrawal_id', '=', data._id)
      .execute();
    expect(steps.map(({ step, paise }) => [step, paise])).toEqual([
      ['requested', 100],
      ['completed', 100],
    ]);
    expect(await monthsOf(asha.id)).toMatchObject([{ month }]);
  });

  it('at the same moment as a withdrawal: either the withdrawal is stored or the account is deleted', async () => {
    for (let round = 0; round < 5; round += 1) {
      const asha = await signUpSomebody(server);
      await earn(asha);
      const [requested, deleted] = await Promise.all([withdraw(asha), remove(asha)]);
      const outcome = [requested.statusCode, deleted.statusCode, (await withdrawalsOf(asha)).length];
      expect([
        [200, 409, 1],
        [401, 200, 0],
      ]).toContainEqual(outcome);
    }
  });
});

describe('deleting an account during other requests', () => {
  const statuses = (answers: { statusCode: number }[]) => answers.map((answer) => answer.statusCode);

  it('twice at the same time happens once', async () => {
    const asha = await signUpSomebody(server);
    const answers = await Promise.all([1, 2, 3, 4].map(() => remove(asha)));
    expect(statuses(answers).sort()).toEqual([200, 401, 401, 401]);
  });

  it('stops the processing of a reel without an error, and leaves no file of it', async () => {
    const asha = await signUpSomebody(server);
    const reel = await startReel(asha, ['art']);
    const { media_key } = await reelRow(reel);
    const before = await categoryCount('art');
    await expect
      .poll(async () => (await readdir(join(server.dataDir, 'workspaces'))).length, {
        interval: 5,
      })
      .toBeGreaterThan(0);
    expect((await remove(asha)).statusCode).toBe(200);
    await expect.poll(() => readdir(join(server.dataDir, 'workspaces'))).toEqual([]);
    await expect.poll(() => filesOf([media_key])).toEqual([]);
    expect(await reelRow(reel)).toMatchObject({ published_at: null, deleted_at: expect.any(Date) });
    expect(await categoryCount('art')).toBe(before);
    expect(await monthsOf(asha.id)).toEqual([]);
  });

  it('leaves uploads, publications, likes, comments and follows either complete or refused [long]', async () => {
    for (let round = 0; round < 4; round += 1) {
      const [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
      const [ownPost, picture] = [await post(asha), await post(binod)];
      const reel = newId(new Date());
      await changeWorks(server.db, (trx) =>
        trx
          .insertInto('reels')
          .values({
            id: reel,
            creator_id: asha.id,
            media_key: reel,
            caption: '',
            credit: '',
            categories: ['music'],
            state: 'ready',
            sha256: Buffer.from(reel),
            duplicate: true,
            uploaded_at: new Date(),
            published_at: new Date(),
          })
          .execute(),
      );
      await server.db
        .insertInto('category_counts')
        .values({ category: 'music', reels: 1 })
        .onConflict((one) =>
          one.column('category').doUpdateSet((eb) => ({ reels: eb('category_counts.reels', '+', 1) })),
        )
        .execute();
      const music = await categoryCount('music');
      const videoKey = await upload(asha);
      const now = new Date();
      // Either success or refusal; the result is checked below.
      const settle = (deed: () => Promise<unknown>) => deed().then(nothing, nothing);
      const { payload, headers } = await multipart(await anotherFilm());
      const [deleted, ...others] = await Promise.all([
        remove(asha),
        add(asha, videoKey),
        server.inject({
          method: 'POST',
          url: '/api/s3Reel/uploadReels',
          payload,
          headers: { ...headers, ...asha.headers },
        }),
        settle(() => view(reel, binod)),
        settle(() => likePost(server.context, picture, asha.id)),
        settle(() => likePost(server.context, ownPost, binod.id)),
        settle(() => likeReel(server.context, reel, binod.id)),
        settle(() => follow(contextAt(server.db, now), binod.id, asha.id)),
        settle(() => follow(contextAt(server.db, now), asha.id, binod.id)),
      ]);
      expect(deleted?.statusCode).toBe(200);
      for (const other of others) if (other) expect(other.statusCode).toBeLessThan(500);
      // In either order none of her content exists, and no count is wrong.
      for (const table of ['reels', 'posts', 'stories'] as const) {
        const standing = await server.db
          .selectFrom(table)
          .select('id')
          .where('creator_id', '=', asha.id)
          .where('deleted_at', 'is', null)
          .execute();
        expect(standing, table).toEqual([]);
      }
      expect(
        await server.db.selectFrom('uploads').select('key').where('owner_id', '=', asha.id).execute(),
      ).toEqual([]);
      expect(await personRow(binod)).toMatchObject({ follower_count: 0, following_count: 0 });
      expect(await postRow(picture)).toMatchObject({ like_count: 0 });
      expect(await categoryCount('music')).toBe(music - 1);
      expect(await wrongMonthsOf(asha, binod)).toEqual([]);
    }
  });

  it('returns no 5xx to parallel likes, follows and queries, and counts stay exact [long]', async () => {
    const asha = await signUpSomebody(server);
    const crowd = await Promise.all(Array.from({ length: 6 }, () => signUpSomebody(server)));
    const [ownReel, ownPost] = [await publishReel(asha), await post(asha)];
    const pictures = await Promise.all(crowd.map((person) => post(person)));
    for (const [index, person] of crowd.entries()) {
      await follow(contextOn(server.db), person.id, asha.id);
      await follow(contextOn(server.db), asha.id, person.id);
      await likePost(server.context, pictures[index] ?? '', asha.id);
    }
    const codes: unknown[] = [];
    const deeds = crowd.map(async (person, index) => {
      const other = crowd[(index + 1) % crowd.length] as Person;
      for (const deed of [
        () => likeReel(server.context, ownReel, person.id),
        () => likePost(server.context, ownPost, person.id),
        () => follow(contextOn(server.db), person.id, other.id),
        () => commentOnReel(server.context, ownReel, person.id, { text: 'Hello', sentAs: newId(new Date()) }),
        () => likePost(server.context, pictures[index] ?? '', other.id),
      ])
        await deed().catch((error) => codes.push(error.code));
    });
    const [deleted] = await Promise.all([remove(asha), ...deeds]);
    expect(deleted?.statusCode).toBe(200);
    expect(codes.filter((code) => code !== 'not_found')).toEqual([]);
    expect(await wrongMonthsOf(asha, ...crowd)).toEqual([]);
    for (const [index, person] of crowd.entries()) {
      expect(await personRow(person)).toMatchObject({ follower_count: 1, following_count: 1 });
      expect(await postRow(pictures[index] ?? '')).toMatchObject({ like_count: 1 });
    }
  });

  it('removes the files even if the server stops between deletion and removal', async () => {
    const ended = await startTestServer();
    const asha = await signUpSomebody(ended);
    const bytes = await sharp({ create: { width: 64, height: 80, channels: 3, background: 'teal' } })
      .png()
      .toBuffer();
    await holding(await ended.storage.receive(Readable.from([bytes])), (file) =>
      acceptPhoto(ended.context, asha.id, file),
    );
    const stored = async () =>
      (await readdir(join(ended.dataDir, 'media'), { recursive: true })).filter((name) => name.includes('.'));
    // No worker is running any more.
    await ended.jobs.stop();
    const { headers } = asha;
    await call(ended, { method: 'DELETE', url: `/api/delete/${asha.id}`, headers });
    expect(await stored()).not.toEqual([]);

    const config = readConfig({ DATA_DIR: ended.dataDir });
    const next = await createServer({
      config,
      databaseUrl: ended.url,
      clock: () => new Date(),
      logger: pino({ level: 'silent' }),
    });
    await expect.poll(stored).toEqual([]);
    await next.close();
    await ended.close();
  });
});
