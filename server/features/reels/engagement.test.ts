import { sql } from 'kysely';
import { v7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { commentOnReel } from './engagement.ts';

let server: TestServer;
let asha: Person;
let binod: Person;
let reelId: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server, 'Binod')];
  reelId = await publish();
});

const publish = () => publishedReel(server.db, asha.id, new Date(), 'Asia/Kolkata');
type Method = 'GET' | 'POST' | 'DELETE';
const ask = (method: Method, url: string, person?: Person, payload?: object) =>
  server.inject({ method, url, headers: person?.headers ?? {}, ...(payload ? { payload } : {}) });
const reel = async () => (await call(server, { url: `/api/reel/getReel/${reelId}` })).data;
const say = (text: string, sentAs: string, person = binod) =>
  ask('POST', `/api/reel/comment/${reelId}`, person, { text, sentAs });
const nobody = '018f0000-0000-7000-8000-000000000000';

describe('liking a reel (decisions §5)', () => {
  it('counts a person once, also with parallel requests', async () => {
    const people = await Promise.all(Array.from({ length: 8 }, () => signUpSomebody(server)));
    const answers = await Promise.all(
      people.flatMap((person) => [1, 2, 3].map(() => ask('POST', `/api/reel/like/${reelId}`, person))),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(24).fill(200));
    const { likeCount, likes } = await reel();
    expect(likeCount).toBe(8);
    expect(new Set(likes)).toEqual(new Set(people.map(({ id }) => id)));

    await Promise.all(
      people.flatMap((person) => [1, 2].map(() => ask('DELETE', `/api/reel/like/${reelId}`, person))),
    );
    expect(await reel()).toMatchObject({ likeCount: 0, likes: [] });
  });

  it('lists the newest like by a person without a block, also if there are blocks between the viewer and everybody who liked later', async () => {
    const people = await Promise.all(Array.from({ length: 7 }, () => signUpSomebody(server)));
    for (const person of people) await ask('POST', `/api/reel/like/${reelId}`, person);
    const [, seen = binod, ...others] = people;
    for (const [index, { id }] of others.entries()) {
      const [blocker_id, blocked_id] = index % 2 === 0 ? [binod.id, id] : [id, binod.id];
      await server.db
        .insertInto('blocks')
        .values({ blocker_id, blocked_id, blocked_at: new Date() })
        .execute();
    }
    const { rows } =
      await sql`select newest_reel_likes(${reelId}, ${asha.id}, ${binod.id}, 1) as likes`.execute(server.db);
    expect(rows).toEqual([{ likes: [seen.id] }]);
  });

  it('returns the current count', async () => {
    expect((await ask('POST', `/api/reel/like/${reelId}`, binod)).json()).toMatchObject({
      liked: true,
      likeCount: 1,
    });
    expect((await ask('POST', `/api/reel/like/${reelId}`, binod)).json().likeCount).toBe(1);
    expect((await ask('DELETE', `/api/reel/like/${reelId}`, binod)).json()).toMatchObject({
      liked: false,
      likeCount: 0,
    });
  });

  it('notifies the creator', async () => {
    await ask('POST', `/api/reel/like/${reelId}`, binod);
    const { data } = await call(server, {
      url: `/api/notification/getNotifications/${asha.id}`,
      headers: asha.headers,
    });
    expect(data).toMatchObject([{ kind: 'like_reel', senderId: binod.id, aboutId: reelId }]);
  });

  it('needs a session and a public reel', async () => {
    expect((await ask('POST', `/api/reel/like/${reelId}`)).statusCode).toBe(401);
    expect((await ask('POST', `/api/reel/like/${nobody}`, binod)).statusCode).toBe(404);
    await ask('DELETE', `/api/reel/deleteReel/${reelId}`, asha);
    expect((await ask('POST', `/api/reel/like/${reelId}`, binod)).statusCode).toBe(404);
  });

  it('finds no reel if one of the two blocks the other', async () => {
    await ask('POST', `/api/block/${binod.id}`, asha);
    const refused = await ask('POST', `/api/reel/like/${reelId}`, binod);
    expect([refused.statusCode, refused.json().error]).toEqual([404, 'This reel was not found.']);
    expect((await say('Still here', v7())).statusCode).toBe(404);
    expect((await reel()).likeCount).toBe(0);
  });
});

describe('querying which of these the caller likes (decisions §5)', () => {
  const askLiked = (ids: string[], person?: Person) => ask('POST', '/api/liked', person, { ids });
  const photo = (): Promise<string> =>
    publishPicture(server.db, server.dataDir, asha.id, 'A photo', new Date(), '#7664e8');

  it('returns the reels and posts that the caller likes now, in the order of the query', async () => {
    const [other, liked, takenBack] = [await publish(), await photo(), await photo()];
    await ask('POST', `/api/reel/like/${reelId}`, binod);
    for (const id of [liked, takenBack]) await ask('POST', `/api/post/like/${id}`, binod);
    await ask('DELETE', `/api/post/like/${takenBack}`, binod);
    await ask('POST', `/api/reel/like/${other}`, asha);
    const answer = await askLiked([liked, other, nobody, reelId, takenBack, liked], binod);
    expect(answer.json()).toEqual({ status: 'ok', data: [liked, reelId] });
    expect((await askLiked([other, reelId], asha)).json().data).toEqual([other]);
    expect((await askLiked([], binod)).json().data).toEqual([]);
  });

  it('includes a like that is not embedded in the reel', async () => {
    await ask('POST', `/api/reel/like/${reelId}`, binod);
    const fans = await Promise.all(Array.from({ length: 20 }, () => signUpSomebody(server)));
    for (const fan of fans) await ask('POST', `/api/reel/like/${reelId}`, fan);
    const { data } = await call(server, { url: `/api/reel/getFrienddata/${asha.id}` });
    expect(data[0]).toMatchObject({ likeCount: 21 });
    expect(data[0].likes).not.toContain(binod.id);
    expect((await askLiked([reelId], binod)).json().data).toEqual([reelId]);
  });

  it('needs a session, and accepts at most 100 ids', async () => {
    expect((await askLiked([reelId])).statusCode).toBe(401);
    expect((await askLiked(Array(100).fill(reelId), binod)).statusCode).toBe(200);
    const refused = await askLiked(Array(101).fill(reelId), binod);
    expect([refused.statusCode, refused.json().error]).toEqual([
      400,
      'Please ask about at most 100 at a time.',
    ]);
    expect((await askLiked(['not an id'], binod)).statusCode).toBe(400);
  });
});

describe('commenting on a reel', () => {
  it('stores a comment once for each sentAs, and twice for two of them', async () => {
    const sentAs = v7();
    const answers = await Promise.all([1, 2, 3, 4].map(() => say('सुंदर 🙂', sentAs)));
    expect(new Set(answers.map((answer) => answer.json().data._id)).size).toBe(1);
    expect(await reel()).toMatchObject({
      commentCount: 1,
      comments: [{ text: 'सुंदर 🙂', userId: binod.id, username: binod.username }],
    });
    expect((await say('सुंदर 🙂', v7())).json().commentCount).toBe(2);
    const { unread } = await call(server, {
      url: `/api/notification/getNotifications/${asha.id}`,
      headers: asha.headers,
    });
    expect(unread).toBe(2);
  });

  it('refuses a sentAs that was used on another reel', async () => {
    const sentAs = v7();
    await say('Here', sentAs);
    const other = await publish();
    const refused = await ask('POST', `/api/reel/comment/${other}`, binod, { text: 'There', sentAs });
    expect([refused.statusCode, refused.json().code]).toEqual([409, 'sent_before']);
  });

  it('refuses a person who was deleted meanwhile', async () => {
    const { context } = server;
    const comment = commentOnReel(context, reelId, nobody, { text: 'Too late', sentAs: v7() });
    await expect(comment).rejects.toMatchObject({ code: 'not_signed_in' });
    expect(await reel()).toMatchObject({ commentCount: 0, comments: [] });
  });

  it('deletes notifications with their comment, and shows none of suspended people', async () => {
    const { _id } = (await say('Gone soon', v7())).json().data;
    const unread = async () =>
      (
        await call(server, {
          url: `/api/notification/getNotifications/${asha.id}`,
          headers: asha.headers,
        })
      ).unread;
    expect(await unread()).toBe(1);
    await ask('DELETE', `/api/reel/comment/${_id}`, binod);
    expect(await unread()).toBe(0);
    await say('Still here', v7());
    const suspended_at = new Date();
    await server.db.updateTable('people').set({ suspended_at }).where('id', '=', binod.id).execute();
    expect((await reel()).comments).toEqual([]);
    expect((await call(server, { url: `/api/reel/comments/${reelId}` })).data).toEqual([]);
  });

  it('stores the same sentAs of another person separately', async () => {
    const sentAs = v7();
    await say('Mine', sentAs);
    await say('Mine too', sentAs, asha);
    expect((await reel()).commentCount).toBe(2);
  });

  it.each([
    ['nothing', '', 'Please write a comment first.'],
    ['only spaces', ' \n ', 'Please write a comment first.'],
    ['too much', 'x'.repeat(1001), 'Please keep this under 1000 characters.'],
  ])('refuses %s', async (_, text, sentence) => {
    const refused = await say(text, v7());
    expect(refused.statusCode).toBe(400);
    expect(refused.json().error).toBe(sentence);
  });

  it('lists all comments, newest first, in pages', async () => {
    for (const text of ['one', 'two', 'three']) await say(text, v7());
    const first = await call(server, { url: `/api/reel/comments/${reelId}`, query: { limit: '2' } });
    expect(first).toMatchObject({ commentCount: 3, data: [{ text: 'three' }, { text: 'two' }] });
    const second = await call(server, {
      url: `/api/reel/comments/${reelId}`,
      query: { limit: '2', cursor: first.nextCursor },
    });
    expect(second).toMatchObject({ data: [{ text: 'one' }], nextCursor: null });
  });

  describe('that answers another', () => {
    const answer = async (text: string, parentId: string, person = asha) =>
      (await ask('POST', `/api/reel/comment/${reelId}`, person, { text, sentAs: v7(), parentId })).json()
        .data;
    const list = async (query: Record<string, string> = {}) =>
      await call(server, { url: `/api/reel/comments/${reelId}`, query });
    const texts = async () => (await list()).data.map(({ text }: { text: string }) => text);

    it('is listed below it, and so is an answer to the answer, also across pages', async () => {
      const question = (await say('Where?', v7())).json().data._id;
      const other = (await say('Wow', v7())).json().data._id;
      const first = await answer('In Jaipur', question);
      expect(first.parentId).toBe(question);
      expect((await answer('Where there?', first._id, binod)).parentId).toBe(question);
      await answer('Thanks', other);
      const order = ['Wow', 'Thanks', 'Where?', 'In Jaipur', 'Where there?'];
      expect(await texts()).toEqual(order);
      const paged: string[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const page = await list({ limit: '2', ...(cursor ? { cursor } : {}) });
        paged.push(...page.data.map(({ text }: { text: string }) => text));
        cursor = page.nextCursor;
      }
      expect(paged).toEqual(order);
      expect((await reel()).comments[0]).toMatchObject({ text: 'Thanks', parentId: other });
    });

    it('stands alone if that is gone, or is on another reel', async () => {
      const question = (await say('Where?', v7())).json().data._id;
      const elsewhere = await publish();
      const there = { text: 'There', sentAs: v7(), parentId: question };
      const said = await ask('POST', `/api/reel/comment/${elsewhere}`, asha, there);
      expect(said.json().data.parentId).toBeUndefined();
      await ask('DELETE', `/api/reel/comment/${question}`, binod);
      expect((await answer('Too late', question)).parentId).toBeUndefined();
    });

    it.each(['blocked', 'suspended', 'deleted'] as const)(
      'stands alone if its author does not see the other one: %s',
      async (how) => {
        const carol = await signUpSomebody(server, 'Carol');
        const question = (await say('Where?', v7())).json().data._id;
        const first = await answer('In Jaipur', question, carol);
        if (how === 'blocked') await ask('POST', `/api/block/${carol.id}`, binod);
        if (how === 'deleted') await ask('DELETE', `/api/reel/comment/${question}`, binod);
        const suspended_at = new Date();
        if (how === 'suspended')
          await server.db.updateTable('people').set({ suspended_at }).where('id', '=', binod.id).execute();
        expect((await answer('Where?', question, carol)).parentId).toBeUndefined();
        // An answer to one that is seen belongs to its thread, whatever became of the first comment.
        expect((await answer('Or in Agra', first._id, carol)).parentId).toBe(question);
      },
    );

    it('stays in its place with the others if what they answer is deleted', async () => {
      const question = (await say('Where?', v7())).json().data._id;
      await answer('In Jaipur', question);
      const second = await answer('In Agra', question);
      await say('Wow', v7());
      await ask('DELETE', `/api/reel/comment/${question}`, binod);
      expect(await answer('Both', second._id)).toMatchObject({ parentId: question });
      const { data } = await list();
      expect(data).toMatchObject([
        { text: 'Wow' },
        ...['In Jaipur', 'In Agra', 'Both'].map((text) => ({ text, parentId: question })),
      ]);
      expect((await reel()).comments[0]).toMatchObject({ text: 'Both', parentId: question });
    });

    it('is on the next page also if what it answers is deleted between the two', async () => {
      const question = (await say('Where?', v7())).json().data._id;
      await answer('In Jaipur', question);
      await answer('In Agra', question);
      const { data, nextCursor } = await list({ limit: '2' });
      expect(data).toMatchObject([{ text: 'Where?' }, { text: 'In Jaipur' }]);
      await ask('DELETE', `/api/reel/comment/${question}`, binod);
      expect((await list({ cursor: nextCursor })).data).toMatchObject([{ text: 'In Agra' }]);
    });

    it('has cursors of its own', async () => {
      const response = await ask('GET', `/api/reel/comments/${reelId}?cursor=bm90IG9uZQ`);
      expect(response.json().code).toBe('bad_cursor');
    });
  });

  it('is listed, and embedded in its reel, also if the viewer sees none of the many that came later', async () => {
    const [carol, dave] = [await signUpSomebody(server, 'Carol'), await signUpSomebody(server, 'Dave')];
    await say('Before', v7());
    await server.db
      .insertInto('reel_comments')
      .values(
        Array.from({ length: 30 }, (_, index) => {
          const person_id = index % 2 === 0 ? carol.id : dave.id;
          const id = v7();
          return {
            id,
            reel_id: reelId,
            creator_id: asha.id,
            person_id,
            text: 'Later',
            sent_as: id,
            created_at: new Date(),
          };
        }),
      )
      .execute();
    await ask('POST', `/api/block/${carol.id}`, binod);
    await ask('POST', `/api/block/${binod.id}`, dave);
    const { headers } = binod;
    const { data, nextCursor } = await call(server, { url: `/api/reel/comments/${reelId}?limit=1`, headers });
    expect([data, nextCursor]).toMatchObject([[{ text: 'Before' }], null]);
    const { comments } = (await call(server, { url: `/api/reel/getReel/${reelId}`, headers })).data;
    expect(comments).toMatchObject([{ text: 'Before', username: binod.username }]);
    const { rows } =
      await sql`select newest_comments(${reelId}, ${asha.id}, ${binod.id}, 1) as newest`.execute(server.db);
    expect(rows).toMatchObject([{ newest: [{ text: 'Before' }] }]);
  });

  it("can be deleted by the author or the reel's creator only", async () => {
    const carol = await signUpSomebody(server, 'Carol');
    const [mine, other] = [
      (await say('One', v7())).json().data._id,
      (await say('Two', v7())).json().data._id,
    ];
    expect((await ask('DELETE', `/api/reel/comment/${mine}`, carol)).statusCode).toBe(403);
    const twice = await Promise.all([1, 2].map(() => ask('DELETE', `/api/reel/comment/${mine}`, binod)));
    expect(twice.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect((await ask('DELETE', `/api/reel/comment/${other}`, asha)).statusCode).toBe(200);
    expect(await reel()).toMatchObject({ commentCount: 0, comments: [] });
  });
});

describe('sharing a reel', () => {
  it('counts a person’s share once', async () => {
    const carol = await signUpSomebody(server, 'Carol');
    await Promise.all([binod, binod, carol].map((one) => ask('POST', `/api/reel/share/${reelId}`, one)));
    expect((await reel()).shareviews).toBe(2);
  });

  it('finds no reel if one of the two blocks the other', async () => {
    await ask('POST', `/api/block/${binod.id}`, asha);
    expect((await ask('POST', `/api/reel/share/${reelId}`, binod)).statusCode).toBe(404);
    expect((await reel()).shareviews).toBe(0);
  });
});
