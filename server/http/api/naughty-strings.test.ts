import { v7 } from 'uuid';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { asciiDigits } from '#contract/digits.ts';
import { openSession } from '#server/features/accounts/sessions.ts';
import { listDevices } from '#server/features/notifications/devices.ts';
import { openWorld, type World } from '#testing/access/fixtures.ts';
import { personIn } from '#testing/fixtures/earnings.ts';
import { naughtyStrings, someNaughtyStrings } from '#testing/fuzz/naughty-strings.ts';
import { type Person, startTestServer, type TestServer } from '#testing/servers/test-server.ts';

let server: TestServer;
let world: World;
let count = 0;
beforeAll(async () => {
  server = await startTestServer();
  world = await openWorld(server);
  await server.db.deleteFrom('messages').execute();
  await nextWriter();
});
afterAll(() => server.close());

/**
 * The person who sends a text. The rate limit is a few texts a minute for each person, so a new one is used for every
 * few texts.
 */
let writer: Pick<Person, 'id' | 'headers'>;
async function nextWriter() {
  const now = new Date();
  const id = await personIn(server.db, now);
  writer = {
    id,
    headers: { authorization: `Bearer ${await openSession(server.db, { personId: id }, now)}` },
  };
}

const post = (url: string, payload: object) =>
  server.inject({ method: 'POST', url, headers: writer.headers, payload });
/** Reads the only message and deletes it, so that the next one is the only one again. */
const lastMessage = async () =>
  await server.db.deleteFrom('messages').returningAll().executeTakeFirstOrThrow();
/** Signed-in people use their own name. */
const write = (url: string, payload: object) => server.inject({ method: 'POST', url, payload });

interface Field {
  /** Sends the text and returns the response. */
  send(text: string): ReturnType<typeof post>;
  /** The text as it is read back, wherever it is stored. */
  read(answer: Record<string, never>): Promise<string | string[]> | string;
  /** The field accepts only e-mail addresses. */
  picky?: boolean;
  /** The field is stored without surrounding white space. */
  trimmed?: boolean;
  /** The digits of any script are stored as 0 to 9. */
  digits?: boolean;
  /** A password is hashed each time: every fifth text is enough. */
  dear?: boolean;
}

const fields: Record<string, Field> = {
  'a reel’s caption and credit': {
    send: async (text) =>
      post('/api/reel/add', {
        videoKey: await world.upload('video', writer),
        caption: text,
        creadit: text,
      }),
    read: async ({ data }: Record<string, { _id: string }>) => {
      const { caption, creadit } = await takeReel(data?._id);
      return [caption, creadit];
    },
  },
  'a post’s caption and description': {
    send: async (text) =>
      post('/api/post/add', {
        fileName: await world.upload('photo', writer),
        caption: text,
        description: text,
      }),
    read: async ({ data }: Record<string, { _id: string }>) => {
      const { caption, description } = await getPost(data?._id);
      return [caption, description];
    },
  },
  'a story’s text': {
    send: async (statustext) =>
      post('/api/story/add', { fileName: await world.upload('photo', writer), statustext }),
    read: async () => {
      const { data } = (
        await server.inject({ url: '/api/story/getallStorys', query: { limit: '1' } })
      ).json();
      return data[0].statustext;
    },
  },
  'a comment': {
    send: async (text) => {
      lastReel = await world.reel();
      return await post(`/api/reel/comment/${lastReel}`, { text, sentAs: v7() });
    },
    read: async () => (await server.inject({ url: `/api/reel/comments/${lastReel}` })).json().data[0].text,
  },
  'a name': {
    send: (name) => post('/api/profile/edit', { name }),
    read: async () => (await server.inject({ url: `/api/getuser/${writer.id}` })).json().data.name,
    trimmed: true,
  },
  'a name at sign-up': {
    send: async (name) => {
      const username = `naughty${process.pid}x${++count}`;
      const secret = { password: 'a long password', cpassword: 'a long password' };
      return await post('/api/signup', { name, username, email: `${username}@people.example`, ...secret });
    },
    read: async ({ user }: Record<string, { _id: string }>) =>
      (await server.inject({ url: `/api/getuser/${user?._id}` })).json().data.name,
    trimmed: true,
    dear: true,
  },
  'a username': {
    send: (username) => post('/api/profile/edit', { username }),
    read: async () => (await server.inject({ url: `/api/getuser/${writer.id}` })).json().data.username,
    trimmed: true,
    picky: true,
  },
  'an address at sign-up': {
    send: (email) => {
      const username = `naughty${process.pid}x${++count}`;
      return post('/api/signup', {
        name: 'N',
        username,
        email,
        password: 'a long password',
        cpassword: 'a long password',
      });
    },
    read: ({ user }: Record<string, { email: string }>) => user?.email ?? '',
    trimmed: true,
    picky: true,
  },
  'a message': {
    send: (text) => post('/api/contact/contact', { name: 'A', email: 'a@people.example', text }),
    read: async () => (await lastMessage()).text,
  },
  'the name under a message': {
    send: (name) => write('/api/contact/contact', { name, email: 'a@people.example', text: 'Hello' }),
    read: async () => (await lastMessage()).name,
    trimmed: true,
  },
  'the phone under a message': {
    digits: true,
    send: (phone) =>
      write('/api/contact/contact', { name: 'A', email: 'a@people.example', text: 'Hello', phone }),
    read: async () => (await lastMessage()).phone,
    trimmed: true,
    picky: true,
  },
  feedback: {
    send: (text) => post('/api/feedback/feed', { text }),
    read: async () => (await lastMessage()).text,
  },
  'the name under feedback': {
    send: (name) => write('/api/feedback/feed', { name, text: 'Good' }),
    read: async () => (await lastMessage()).name,
    trimmed: true,
  },
  'a device': {
    send: (device) => post('/api/notification/register', { device, platform: 'ios' }),
    // Deleted after reading, so that the next one is the only one: two may have the same millisecond.
    read: async () => {
      const { person_id } = await server.db
        .selectFrom('push_devices')
        .select('person_id')
        .executeTakeFirstOrThrow();
      const [device] = await listDevices({ db: server.db, keyring: server.keyring }, person_id);
      await server.db.deleteFrom('push_devices').execute();
      return device?.token ?? '';
    },
    trimmed: true,
  },
  'a report': {
    send: async (text) =>
      post('/api/report', { kind: 'reel', id: await world.reel(world.other), reason: 'other', text }),
    read: async () =>
      (
        await server.db
          .selectFrom('reports')
          .select('text')
          .orderBy('id', 'desc')
          .limit(1)
          .executeTakeFirstOrThrow()
      ).text,
  },
};

let lastReel = '';
/** A reel as its owner reads it; it is then deleted, since it has no video to be processed. */
const takeReel = async (id = '') => {
  const { data } = (await server.inject({ url: `/api/reel/getReel/${id}`, headers: writer.headers })).json();
  await remove(`/api/reel/deleteReel/${id}`);
  return data;
};
const getPost = async (id = '') => (await server.inject({ url: `/api/post/getPost/${id}` })).json().data;
const remove = (url: string) => server.inject({ method: 'DELETE', url, headers: writer.headers });

it('there are at least 515 of them', () => {
  expect(naughtyStrings.length).toBeGreaterThanOrEqual(515);
});

it.each(Object.entries(fields))(
  '%s comes back byte for byte, or is refused in one sentence',
  async (_, field) => {
    let [kept, refusedNames] = [0, 0];
    const texts = someNaughtyStrings.filter((_, place) => !field.dear || place % 5 === 0);
    for (const [place, text] of texts.entries()) {
      if (place % 8 === 0) await nextWriter();
      const answer = await field.send(text);
      if (answer.statusCode === 400) {
        expect(answer.json(), JSON.stringify(text)).toMatchObject({
          status: 'error',
          error: expect.stringMatching(/\w.*[.)!?]|required/),
        });
        if (answer.json().code === 'name_refused' && text.length <= 80) refusedNames += 1;
        continue;
      }
      expect(answer.statusCode, JSON.stringify(text)).toBe(200);
      const typed = field.trimmed ? text.trim() : text;
      const wanted = field.digits ? asciiDigits(typed) : typed;
      for (const read of [await field.read(answer.json())].flat())
        expect(Buffer.from(read), JSON.stringify(text)).toEqual(Buffer.from(wanted));
      kept += 1;
    }
    // Only a text that is empty or too long for its field may be refused, or a name that looks like another one.
    if (field.picky) return;
    const short = texts.filter((text) => text.trim() !== '' && text.length <= 80);
    expect(kept + refusedNames).toBeGreaterThanOrEqual(short.length - 2);
  },
);

it('a search for any of them gets a response', async () => {
  for (const q of someNaughtyStrings) {
    const answer = await server.inject({ url: '/api/getallUser', query: { q } });
    expect([200, 400], JSON.stringify(q)).toContain(answer.statusCode);
  }
});

it('a password of any of them works for login', async () => {
  for (const text of someNaughtyStrings.filter((one) => one !== '').slice(0, 40)) {
    // Long enough, and not anybody's name.
    const password = `${text} and eight more`;
    const username = `secret${process.pid}x${++count}`;
    const address = `${username}@people.example`;
    await post('/api/signup', { name: 'S', username, email: address, password, cpassword: password });
    expect((await post('/api/signin', { email: address, password })).statusCode, password).toBe(200);
  }
});
