import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSmtp } from '#testing/servers/smtp.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { deviceNameOf } from './device-name.ts';
import { openSession } from './sessions.ts';

const [hour, day] = [60 * 60 * 1000, 24 * 60 * 60 * 1000];
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0';
const phone =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

let server: TestServer;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let asha: Person;
beforeAll(async () => {
  smtp = await startSmtp();
  // Mails wait in the outbox: nothing sends them here.
  server = await startTestServer({ ROLE: 'web', SMTP_URL: smtp.url, ORIGIN: 'https://jhalak.example' });
});
afterAll(async () => {
  await server.close();
  await smtp.close();
});
beforeEach(async () => {
  server.now.value = new Date();
  asha = await signUpSomebody(server);
});

interface From {
  userAgent?: string;
  address?: string;
}
/** Logs asha in and returns the headers of the new session. */
async function logIn({ userAgent = firefox, address = '203.0.113.7' }: From = {}) {
  const { data } = await call(server, {
    method: 'POST',
    url: '/api/signin',
    payload: { email: asha.email, password: 'correct horse' },
    headers: { 'user-agent': userAgent },
    remoteAddress: address,
  });
  return { authorization: `Bearer ${data}` };
}
const list = async (headers: Person['headers']) =>
  (await call(server, { url: '/api/sessions', headers })).data;
const isAlive = async (headers: Person['headers']) =>
  (await server.inject({ url: '/api/sessions', headers })).statusCode === 200;
const end = (path: string, headers: Person['headers']) =>
  server.inject({ method: 'DELETE', url: `/api/sessions${path}`, headers });
const later = (milliseconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + milliseconds);
};
const notices = async () => {
  const rows = await server.db
    .selectFrom('mails')
    .select('template')
    .where('person_id', '=', asha.id)
    .execute();
  return rows.map(({ template }) => template);
};

describe('sessions (decisions §8)', () => {
  it('are at most 100 of a person: a login ends the one that was not used for longest, and none of others', async () => {
    const binod = await signUpSomebody(server);
    const [first, second] = [await logIn(), await logIn()];
    later(2 * hour);
    // The first one is used again, so the second one is the oldest.
    expect(await isAlive(first)).toBe(true);
    const now = server.now.value;
    for (let opened = 2; opened < 100; opened += 1) await openSession(server.db, { personId: asha.id }, now);
    const count = async () =>
      (await server.db.selectFrom('sessions').select('id').where('person_id', '=', asha.id).execute()).length;
    expect(await count()).toBe(100);
    const newest = await logIn();
    expect(await count()).toBe(100);
    const alive = await Promise.all([first, second, newest, binod.headers].map(isAlive));
    expect(alive).toEqual([true, false, true, true]);
  });

  it('are listed with device, network and times, the current one first, then by last use', async () => {
    const begun = server.now.value;
    later(hour / 2);
    const onPhone = await logIn({ userAgent: phone, address: '2001:db8:1234::1' });
    later(1000);
    await logIn();
    const loggedInAt = server.now.value;
    expect(await list(asha.headers)).toEqual([
      {
        _id: expect.any(String),
        device: 'Chrome, Linux',
        network: '127.1.0.0/16',
        createdAt: begun.toISOString(),
        usedAt: begun.toISOString(),
        current: true,
      },
      expect.objectContaining({
        device: 'Firefox, Windows',
        network: '203.0.0.0/16',
        createdAt: loggedInAt.toISOString(),
        current: false,
      }),
      expect.objectContaining({ device: 'Chrome, Android', network: '2001:db8::/32', current: false }),
    ]);
    expect((await list(onPhone))[0]).toMatchObject({ device: 'Chrome, Android', current: true });
  });

  it('can be ended one by one, by their own person only; for others they do not seem to exist', async () => {
    const other = await logIn();
    const session = (await list(other))[0]._id;
    const stranger = await signUpSomebody(server);
    for (const headers of [stranger.headers, { authorization: 'Bearer none' }])
      expect([401, 404]).toContain((await end(`/${session}`, headers)).statusCode);
    expect(await isAlive(other)).toBe(true);
    expect((await end(`/${session}`, asha.headers)).statusCode).toBe(200);
    expect([await isAlive(other), await isAlive(asha.headers)]).toEqual([false, true]);
    expect((await end(`/${session}`, asha.headers)).json()).toMatchObject({
      code: 'not_found',
      error: 'This session has ended already.',
    });
  });

  it('can all be ended except the current one, with pending downloads', async () => {
    const others = [await logIn(), await logIn({ userAgent: phone })];
    const { url } = await call(server, { method: 'POST', url: '/api/export', headers: asha.headers });
    const stranger = await signUpSomebody(server);
    expect((await end('', asha.headers)).statusCode).toBe(200);
    expect(await Promise.all(others.map(isAlive))).toEqual([false, false]);
    expect([await isAlive(asha.headers), await isAlive(stranger.headers)]).toEqual([true, true]);
    expect((await server.inject({ url })).statusCode).toBe(404);
  });

  it('of an unknown device and network are listed without them', async () => {
    await server.db
      .updateTable('sessions')
      .set({ device: null, network: null })
      .where('person_id', '=', asha.id)
      .execute();
    expect(await list(asha.headers)).toMatchObject([{ device: null, network: null, current: true }]);
  });

  it('store the time and place of their last use at most once an hour', async () => {
    const begun = server.now.value.toISOString();
    later(hour / 2);
    expect(await list(asha.headers)).toMatchObject([{ usedAt: begun, network: '127.1.0.0/16' }]);
    later(hour);
    const used = server.now.value.toISOString();
    await server.inject({ url: '/api/block', headers: asha.headers, remoteAddress: '198.51.100.4' });
    later(hour / 2);
    expect(await list(asha.headers)).toMatchObject([{ usedAt: used, network: '198.51.0.0/16' }]);
  });

  it('end after 30 days without use and after 180 days in total, and are then not listed', async () => {
    const idle = await logIn();
    later(29 * day);
    expect(await list(asha.headers)).toHaveLength(2);
    later(2 * day);
    expect(await list(asha.headers)).toHaveLength(1);
    expect(await isAlive(idle)).toBe(false);
    for (let days = 31; days < 175; days += 24) {
      later(24 * day);
      expect(await isAlive(asha.headers)).toBe(true);
    }
    later(10 * day);
    expect(await isAlive(asha.headers)).toBe(false);
  });

  it('are stored without a network address that could be searched for in a dump', async () => {
    await logIn({ address: '203.0.113.7' });
    const { rows } = await sql<{ row: string }>`select to_jsonb(s)::text as row from sessions s`.execute(
      server.db,
    );
    const stored = rows.map(({ row }) => row).join('\n');
    for (const part of ['203.0', Buffer.from('203.0.').toString('hex')]) expect(stored).not.toContain(part);
  });
});

describe('a login from a device that is new to the account', () => {
  it('is reported by mail and by a notification from jhalak, once', async () => {
    expect(await notices()).toEqual([]);
    await logIn();
    await logIn();
    expect(await notices()).toEqual(['new_device']);
    const { data, unread } = await call(server, {
      url: `/api/notification/getNotifications/${asha.id}`,
      headers: asha.headers,
    });
    expect(unread).toBe(1);
    expect(data).toMatchObject([
      {
        kind: 'new_device',
        title: 'Your account was logged in to on a new device',
        username: 'jhalak',
        senderId: asha.id,
        profileImage: '/icon-192.png',
        aboutId: null,
        read: false,
      },
    ]);
  });

  it.each([
    ['another browser in the same network', { address: '203.0.99.9', userAgent: phone }, 2],
    ['the same browser in another network', { address: '198.51.100.1' }, 2],
    ['the same browser in the same network', { address: '203.0.99.9' }, 1],
  ])('is %s: reported %j times', async (_what, from, times) => {
    await logIn();
    await logIn(from);
    expect(await notices()).toHaveLength(times);
  });

  it('is reported also months later, when no device of the account is known any more', async () => {
    await server.db.deleteFrom('sign_in_places').where('person_id', '=', asha.id).execute();
    await server.db
      .updateTable('people')
      .set({ created_at: new Date(server.now.value.getTime() - 90 * day) })
      .where('id', '=', asha.id)
      .execute();
    await logIn();
    expect(await notices()).toEqual(['new_device']);
  });
});

describe('the name of a device', () => {
  it.each([
    [firefox, 'Firefox, Windows'],
    [phone, 'Chrome, Android'],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari, iOS',
    ],
    ['Dalvik/2.1.0 (Linux; U; Android 14; Pixel 8)', 'Android Browser, Android'],
    ['okhttp/4.9.1', undefined],
    ['', undefined],
    // The client chooses this header, and the owner of the account reads the name.
    ['Visit evil.example/1 now', undefined],
    ['x'.repeat(8000), undefined],
  ])('is made of %j', (userAgent, name) => {
    expect(deviceNameOf(userAgent)).toBe(name);
  });
});

describe('the username jhalak', () => {
  const taken = { code: 'name_refused', field: 'username' };
  it.each(['jhalak', 'Jhalak', 'JHALAK'])('is refused at sign-up as %s', async (username) => {
    const password = 'correct horse';
    const refused = await server.inject({
      method: 'POST',
      url: '/api/signup',
      payload: { name: 'Jhalak', username, email: 'a.jhalak@people.example', password, cpassword: password },
    });
    expect(refused.json()).toMatchObject(taken);
  });

  it('is refused to a person who changes their username', async () => {
    const refused = await server.inject({
      method: 'POST',
      url: '/api/profile/edit',
      headers: asha.headers,
      payload: { username: 'Jhalak' },
    });
    expect(refused.json()).toMatchObject(taken);
  });
});
