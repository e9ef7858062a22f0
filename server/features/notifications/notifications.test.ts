import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Notification, siteKinds } from '#contract/notifications.ts';
import { isolated } from '#contract/text-direction.ts';
import { writeCursor } from '#server/platform/cursor.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { contextAt, contextOn } from '#testing/context.ts';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { follow } from '#testing/fixtures/follows.ts';
import { photoIn, publishPicture } from '#testing/fixtures/posts.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { countLockWaits } from '#testing/servers/lock-waits.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { unfollow } from '../people/follows.ts';
import { publishStory } from '../posts-and-stories/stories.ts';
import { notify, notifyFromSite } from './notifications.ts';
import { composePush } from './push/words.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
});

const of = (person: Person, query: Record<string, string> = {}) =>
  call(server, { url: `/api/notification/getNotifications/${person.id}`, headers: person.headers, query });

describe('notifications (specification §3, decisions §2)', () => {
  it('say who did what, once for each fact, even if it is undone and repeated', async () => {
    for (let n = 0; n < 3; n += 1) {
      await follow(contextOn(server.db), binod.id, asha.id);
      await unfollow(server.db, binod.id, asha.id);
    }
    const answer = await of(asha);
    expect(answer).toMatchObject({ status: 'ok', unread: 1, nextCursor: null });
    expect(answer.data).toMatchObject([
      {
        kind: 'follow',
        title: `${binod.username} started following you`,
        username: binod.username,
        senderId: binod.id,
        profileImage: '',
        read: false,
      },
    ]);
    expect((await of(binod)).unread).toBe(0);
  });

  it.each(['\u202Eevil', '\u202Devil', '\u2066evil', '\u2067evil', '\u2068evil', '\u2069evil', 'جھلک'])(
    'of a person whose username is %j are not turned by it, in the list and on a locked screen',
    async (turned) => {
      const username = `${turned}${process.pid}`;
      await server.db.updateTable('people').set({ username }).where('id', '=', binod.id).execute();
      await follow(contextOn(server.db), binod.id, asha.id);
      const [{ title }] = (await of(asha)).data;
      const { body } = composePush(
        [{ kind: 'follow', username, sender_id: binod.id, about_id: null, comment_id: null }],
        'en',
      );
      for (const said of [title, body]) expect(said).toBe(`${isolated(username)} started following you`);
      expect(title).toMatch(/^\u2068[^\u202A-\u202E]*\u2069+ started/u);
    },
  );

  it('of a kind that only the next version knows are left out, and the others are listed', async () => {
    await follow(contextOn(server.db), binod.id, asha.id);
    await inTransaction(server.db, (trx) =>
      notifyFromSite(trx, asha.id, 'of_the_next_version' as (typeof siteKinds)[number], new Date()),
    );
    const { data, unread } = await of(asha);
    expect([data.map(({ kind }: { kind: string }) => kind), unread]).toEqual([['follow'], 1]);
  });

  it('are visible to their person only', async () => {
    const url = `/api/notification/getNotifications/${asha.id}`;
    expect((await server.inject({ url })).statusCode).toBe(401);
    expect((await server.inject({ url, headers: binod.headers })).statusCode).toBe(403);
  });

  it('can all be marked as read, and later ones are unread', async () => {
    await follow(contextOn(server.db), binod.id, asha.id);
    const headers = asha.headers;
    await call(server, { method: 'POST', url: '/api/notification/markRead', headers });
    expect(await of(asha)).toMatchObject({ unread: 0, data: [{ read: true }] });
    const somebody = await signUpSomebody(server);
    await follow(contextOn(server.db), somebody.id, asha.id);
    expect((await of(asha)).unread).toBe(1);
  });

  it('can be marked as read up to one, and later ones stay unread', async () => {
    await follow(contextOn(server.db), binod.id, asha.id);
    const seen = (await of(asha)).data[0]._id;
    const somebody = await signUpSomebody(server);
    await follow(contextAt(server.db, new Date(Date.now() + 1000)), somebody.id, asha.id);
    const { headers } = asha;
    const url = '/api/notification/markRead';
    expect(await call(server, { method: 'POST', url, headers, query: { upTo: seen } })).toMatchObject({
      unread: 1,
    });
    expect((await of(asha)).data.map(({ read }: { read: boolean }) => read)).toEqual([false, true]);
  });

  it('are not created for own actions, and not shown from suspended people', async () => {
    await inTransaction(server.db, (trx) =>
      notify(trx, asha.id, { kind: 'follow', senderId: asha.id }, new Date()),
    );
    await follow(contextOn(server.db), binod.id, asha.id);
    await server.db
      .updateTable('people')
      .set({ suspended_at: new Date() })
      .where('id', '=', binod.id)
      .execute();
    expect(await of(asha)).toMatchObject({ unread: 0, data: [] });
  });

  it('of every kind from the site can be stored, and say what was done', async () => {
    const person = await signUpSomebody(server);
    for (const kind of siteKinds)
      await inTransaction(server.db, (trx) => notifyFromSite(trx, person.id, kind, new Date()));
    const { data } = await call(server, {
      url: `/api/notification/getNotifications/${person.id}?limit=100`,
      headers: person.headers,
    });
    const told = data as { kind: string; title: string; username: string }[];
    expect(told.map(({ kind }) => kind).sort()).toEqual([...siteKinds].sort());
    for (const { title, username } of told) expect([title.length > 10, username]).toEqual([true, 'jhalak']);
  });

  it('are listed in pages, newest first', async () => {
    for (let n = 0; n < 5; n += 1) {
      const somebody = await signUpSomebody(server);
      await follow(contextAt(server.db, new Date(Date.now() + n * 1000)), somebody.id, asha.id);
    }
    const first = await of(asha, { limit: '3' });
    const second = await of(asha, { limit: '3', cursor: first.nextCursor });
    const times = [...first.data, ...second.data].map(({ createdAt }) => createdAt);
    expect(times).toHaveLength(5);
    expect(times).toEqual([...times].sort().reverse());
    expect([first.unread, second.unread]).toEqual([5, 5]);
  });

  it('fill their pages, and count exactly, beside many of people who are suspended or blocked', async () => {
    const [suspended, blocked] = [await signUpSomebody(server), await signUpSomebody(server)];
    const start = Date.now();
    const told = async (sender: Person, count: number, after: number) => {
      for (let n = 0; n < count; n += 1) {
        const fact = { kind: 'like_post' as const, senderId: sender.id, aboutId: v7() };
        const at = new Date(start + after + n * 1000);
        await inTransaction(server.db, (trx) => notify(trx, asha.id, fact, at));
      }
    };
    await told(binod, 5, 0);
    for (const sender of [suspended, blocked]) await told(sender, 60, 10_000);
    await told(binod, 1, 100_000);
    const at = new Date();
    await server.db.updateTable('people').set({ suspended_at: at }).where('id', '=', suspended.id).execute();
    await call(server, { method: 'POST', url: `/api/block/${blocked.id}`, headers: asha.headers });
    const first = await of(asha, { limit: '3' });
    const second = await of(asha, { limit: '3', cursor: first.nextCursor });
    expect([first, second].map(({ data, unread }) => [data.length, unread])).toEqual([
      [3, 6],
      [3, 6],
    ]);
    expect(second.nextCursor).toBeNull();
    const senders = [...first.data, ...second.data].map(({ senderId }: Notification) => senderId);
    expect(new Set(senders)).toEqual(new Set([binod.id]));
  });

  it('include the number of unread ones even on a page after the oldest', async () => {
    await follow(contextOn(server.db), binod.id, asha.id);
    const [oldest] = (await of(asha)).data;
    const cursor = writeCursor({ at: new Date(oldest.createdAt), id: oldest._id });
    expect(await of(asha, { cursor })).toMatchObject({ unread: 1, data: [], nextCursor: null });
  });
});

describe('a notification by or to a person who deletes the account (decisions §2)', () => {
  const remove = (person: Person) =>
    call(server, { method: 'DELETE', url: `/api/delete/${person.id}`, headers: person.headers });
  const stored = async (person: Person) =>
    await server.db
      .selectFrom('notifications')
      .select(['person_id', 'sender_id'])
      .where((row) => row.or([row('person_id', '=', person.id), row('sender_id', '=', person.id)]))
      .execute();

  it('is deleted, also if it was about to be stored', async () => {
    await follow(contextOn(server.db), binod.id, asha.id);
    await follow(contextOn(server.db), asha.id, binod.id);
    const { promise: stores, resolve: release } = Promise.withResolvers<void>();
    const { promise: isStored, resolve: hasStored } = Promise.withResolvers<void>();
    const storing = inTransaction(server.db, async (trx) => {
      const fact = { kind: 'like_post' as const, aboutId: v7() };
      await notify(trx, asha.id, { ...fact, senderId: binod.id }, new Date());
      await notify(trx, binod.id, { ...fact, senderId: asha.id }, new Date());
      hasStored();
      await stores;
    });
    await isStored;
    const removed = remove(binod);
    await expect.poll(() => countLockWaits(server.db)).toBeGreaterThan(0);
    release();
    await storing;
    expect(await removed).toMatchObject({ status: 'ok' });
    expect(await stored(binod)).toEqual([]);
  });

  it('is not stored any more', async () => {
    await remove(binod);
    await inTransaction(server.db, async (trx) => {
      await notify(trx, asha.id, { kind: 'follow', senderId: binod.id }, new Date());
      await notify(trx, binod.id, { kind: 'follow', senderId: asha.id }, new Date());
    });
    expect(await stored(binod)).toEqual([]);
  });
});

describe('a notification about a work (decisions §5)', () => {
  const act = (person: Person, path: string, payload: object = {}) =>
    call(server, { method: 'POST', url: `/api${path}`, headers: person.headers, payload });
  const shown = async (person: Person) =>
    (await of(person)).data.map(({ kind, about, comment }: Notification) => ({ kind, about, comment }));

  /** A reel of this person with a caption. */
  async function reelOf(person: Person, caption: string) {
    const id = await publishedReel(server.db, person.id, new Date(), 'Asia/Kolkata');
    const { media_key } = await server.db
      .updateTable('reels')
      .set({ caption })
      .where('id', '=', id)
      .returning('media_key')
      .executeTakeFirstOrThrow();
    return { id, key: media_key };
  }
  const photoOf = async (person: Person, caption: string) => {
    const id = await publishPicture(server.db, server.dataDir, person.id, caption, new Date());
    const { media_key } = await server.db
      .selectFrom('posts')
      .select('media_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    return { id, key: media_key };
  };

  it('has its picture and caption, and the id and the text of a comment', async () => {
    const [reel, photo] = [await reelOf(asha, 'Sunset in Goa'), await photoOf(asha, 'Rangoli')];
    await act(binod, `/reel/like/${reel.id}`);
    const comment = await act(binod, `/reel/comment/${reel.id}`, { text: 'सुंदर 🙂', sentAs: v7() });
    await act(binod, `/post/like/${photo.id}`);
    await act(binod, `/follow/${asha.id}`);
    const ofReel = { picture: `/media/${reel.key}/tile.webp`, caption: 'Sunset in Goa' };
    const ofPhoto = { picture: `/media/${photo.key}/small.webp`, caption: 'Rangoli' };
    expect(await shown(asha)).toEqual([
      { kind: 'follow', about: null, comment: '' },
      { kind: 'like_post', about: ofPhoto, comment: '' },
      { kind: 'comment', about: ofReel, comment: 'सुंदर 🙂' },
      { kind: 'like_reel', about: ofReel, comment: '' },
    ]);
    const ids = (await of(asha)).data.map(({ commentId }: Notification) => commentId);
    expect(ids).toEqual([null, null, comment.data._id, null]);
  });

  it("has its uploader's own picture of a reel, and the beginning of a long caption", async () => {
    const reel = await reelOf(asha, 'म'.repeat(2000));
    await act(binod, `/reel/like/${reel.id}`);
    await server.db
      .updateTable('reels')
      .set({ thumbnail_key: `t${reel.key}` })
      .where('id', '=', reel.id)
      .execute();
    const about = { picture: `/media/t${reel.key}/thumbnail.webp`, caption: 'म'.repeat(100) };
    expect(await shown(asha)).toEqual([{ kind: 'like_reel', about, comment: '' }]);
    // Then another frame was chosen.
    await server.db
      .updateTable('reels')
      .set({ cover_key: `c${reel.key}`, cover_second: 1 })
      .where('id', '=', reel.id)
      .execute();
    const chosen = { ...about, picture: `/media/c${reel.key}/tile.webp` };
    expect(await shown(asha)).toEqual([{ kind: 'like_reel', about: chosen, comment: '' }]);
  });

  it.each([
    ['deleted', { deleted_at: new Date() }],
    ['taken down', { taken_down_at: new Date(), taken_down_as: 'copy', taken_down_reason: 'x' }],
  ] as const)('shows nothing of one that was %s', async (_, hidden) => {
    const [reel, photo] = [await reelOf(asha, 'Seen no more'), await photoOf(asha, 'Seen no more')];
    await act(binod, `/reel/like/${reel.id}`);
    await act(binod, `/post/like/${photo.id}`);
    await changeWorks(server.db, async (trx) => {
      await trx.updateTable('reels').set(hidden).where('id', '=', reel.id).execute();
      await trx.updateTable('posts').set(hidden).where('id', '=', photo.id).execute();
    });
    expect(await shown(asha)).toEqual([
      { kind: 'like_post', about: null, comment: '' },
      { kind: 'like_reel', about: null, comment: '' },
    ]);
  });

  it('is deleted with the reel, of each person who has one', async () => {
    const reel = await reelOf(asha, 'Gone soon');
    await act(binod, `/reel/like/${reel.id}`);
    await act(asha, `/reel/comment/${reel.id}`, { text: `@${binod.username}`, sentAs: v7() });
    expect([await shown(asha), await shown(binod)].map(({ length }) => length)).toEqual([1, 1]);
    await call(server, { method: 'DELETE', url: `/api/reel/deleteReel/${reel.id}`, headers: asha.headers });
    const left = server.db.selectFrom('notifications').select('id').where('about_id', '=', reel.id);
    expect(await left.execute()).toEqual([]);
  });

  it('shows a story until its 24 hours are over', async () => {
    const fileName = await photoIn(server.db, server.dataDir, binod.id, '#345678', new Date());
    const { id } = await publishStory(server.context, binod.id, { fileName, statusText: 'Good morning' });
    const fact = { kind: 'new_story' as const, senderId: binod.id, aboutId: id };
    await inTransaction(server.db, (trx) => notify(trx, asha.id, fact, new Date()));
    expect(await shown(asha)).toMatchObject([{ about: { caption: 'Good morning' } }]);
    await server.db
      .updateTable('stories')
      .set({ published_at: new Date(Date.now() - 25 * 3_600_000) })
      .where('id', '=', id)
      .execute();
    expect(await shown(asha)).toEqual([{ kind: 'new_story', about: null, comment: '' }]);
  });
});

describe('a mention in a comment (decisions §5)', () => {
  const comment = (person: Person, reelId: string, text: string) =>
    call(server, {
      method: 'POST',
      url: `/api/reel/comment/${reelId}`,
      headers: person.headers,
      payload: { text, sentAs: v7() },
    });
  const block = (blocker: Person, blocked: Person) =>
    call(server, { method: 'POST', url: `/api/block/${blocked.id}`, headers: blocker.headers });
  const shown = async (person: Person) =>
    (await of(person)).data.map(({ kind, senderId, aboutId, comment }: Notification) => ({
      kind,
      senderId,
      aboutId,
      comment,
    }));
  let reel: string;
  beforeEach(async () => {
    reel = await publishedReel(server.db, asha.id, new Date(), 'Asia/Kolkata');
  });

  it('notifies the person once, in upper or lower case, until the comment is deleted', async () => {
    const text = `@${binod.username.toUpperCase()}, in the evening. @${binod.username}`;
    const { data } = await comment(asha, reel, text);
    expect(await shown(binod)).toEqual([
      { kind: 'mention', senderId: asha.id, aboutId: reel, comment: text },
    ]);
    expect((await of(binod)).data[0].title).toBe(`${asha.username} mentioned you in a comment`);
    await call(server, { method: 'DELETE', url: `/api/reel/comment/${data._id}`, headers: asha.headers });
    expect(await of(binod)).toMatchObject({ data: [], unread: 0 });
  });

  it('notifies the creator of the reel only of the comment, and never the author of the comment', async () => {
    await comment(binod, reel, `@${asha.username} and @${binod.username}`);
    expect((await shown(asha)).map(({ kind }: Notification) => kind)).toEqual(['comment']);
    expect(await shown(binod)).toEqual([]);
  });

  it('notifies only the first five people of a comment', async () => {
    const people = [];
    for (let n = 0; n < 6; n += 1) people.push(await signUpSomebody(server));
    await comment(binod, reel, people.map(({ username }) => `@${username}`).join(' '));
    const counts = await Promise.all(people.map(async (person) => (await shown(person)).length));
    expect(counts).toEqual([1, 1, 1, 1, 1, 0]);
  });

  it('is not found in an email address', async () => {
    await comment(asha, reel, `somebody@${binod.username}`);
    expect(await shown(binod)).toEqual([]);
  });

  it.each(['the writer', 'the creator of the reel'])(
    'does not notify a person who has blocked %s',
    async (who) => {
      const writer = await signUpSomebody(server);
      const blocked = who === 'the writer' ? writer : asha;
      await block(binod, blocked);
      await comment(writer, reel, `@${binod.username}`);
      expect(await of(binod)).toMatchObject({ data: [], unread: 0 });
      // Neither once they are not blocked any more, nor if it was sent before the block.
      await call(server, { method: 'DELETE', url: `/api/block/${blocked.id}`, headers: binod.headers });
      expect(await of(binod)).toMatchObject({ data: [], unread: 0 });
      await comment(writer, reel, `@${binod.username}`);
      expect(await shown(binod)).toHaveLength(1);
      await block(binod, blocked);
      expect(await of(binod)).toMatchObject({ data: [], unread: 0 });
    },
  );
});
