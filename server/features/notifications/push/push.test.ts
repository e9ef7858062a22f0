import { createDecipheriv, createECDH, generateKeyPairSync, hkdfSync, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer as bytesOf } from 'node:stream/consumers';
import { compactVerify, importJWK } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createGuard } from '#server/features/imports/guarded-fetch.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId } from '#server/platform/ids.ts';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { networkTo, type Site, startSite } from '#testing/servers/internet.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { deleteNotificationsAbout, notify, notifyFromSite } from '../notifications.ts';
import { encryptFor } from './encryption.ts';
import { fcmHosts, pushHosts } from './hosts.ts';

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

interface Received {
  host: string;
  path: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

let folder: string;
let site: Site;
let server: TestServer;
let asha: Person;
let binod: Person;
/** The messages that the stand-ins of the push services received, and their response. */
let received: Received[] = [];
let answer: Answer = { status: 201, body: '' };
/** Requests to these hosts are not answered before the test ends. */
let silent: string[] = [];
let speak: (() => void)[] = [];
const start = new Date();

const account = generateKeyPairSync('rsa', { modulusLength: 2048 });
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'jhalak-push-'));
  site = await startSite(async (request, response) => {
    const body = await bytesOf(request);
    const { host = '' } = request.headers;
    received.push({ host, path: request.url ?? '', headers: request.headers, body });
    if (host === 'oauth2.googleapis.com')
      return response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ access_token: 'an access token', expires_in: 3600 }));
    if (silent.includes(host)) await new Promise<void>((done) => speak.push(done));
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  const keyFile = join(folder, 'account.json');
  const private_key = account.privateKey.export({ type: 'pkcs8', format: 'pem' });
  await writeFile(
    keyFile,
    JSON.stringify({ project_id: 'jhalak-app', client_email: 'push@jhalak-app.example', private_key }),
  );
  const guard = createGuard(networkTo(site), [...pushHosts, ...fcmHosts]);
  server = await startTestServer(
    { ORIGIN: 'https://jhalak.example', FCM_KEY_FILE: keyFile },
    { outside: { guard, push: guard, extractor: undefined } },
  );
});
afterAll(async () => {
  await server.close();
  await site.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  server.now.value = start;
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server, 'Binod')];
});
afterEach(async () => {
  await server.db.deleteFrom('push_devices').execute();
  for (const end of speak) end();
  [received, silent, speak] = [[], [], []];
  answer = { status: 201, body: '' };
});

const send = (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, { headers } = asha) =>
  server.inject({ method, url, headers, ...(payload ? { payload } : {}) });
const later = (minutes: number) => {
  server.now.value = new Date(server.now.value.getTime() + minutes * 60_000);
};
/** The person in one more session. */
async function anotherSession({ email } = asha): Promise<Person> {
  const payload = { email, password: 'correct horse' };
  const { data } = await call(server, { method: 'POST', url: '/api/signin', payload });
  return { ...asha, token: data, headers: { authorization: `Bearer ${data}` } };
}
/** How many messages push services have rejected permanently. */
const refusedOnes = () => endedAs('refused');
async function endedAs(outcome: string, { metrics } = server): Promise<number> {
  const all = await metrics.registry.getMetricsAsJSON();
  const values = all.find(({ name }) => name === 'jhalak_pushes_total')?.values ?? [];
  return values.find(({ labels }) => labels.outcome === outcome)?.value ?? 0;
}
let endpoints = 0;

/** A browser that subscribes like a real push manager. */
function newBrowser(host = 'fcm.googleapis.com') {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const auth = randomBytes(16);
  endpoints += 1;
  const endpoint = `https://${host}/fcm/send/subscription-${endpoints}`;
  return {
    endpoint,
    subscription: {
      endpoint,
      keys: { p256dh: pair.getPublicKey('base64url'), auth: auth.toString('base64url') },
    },
    read: (body: Buffer) => JSON.parse(decrypted(body, pair, auth)),
  };
}

function decrypted(body: Buffer, pair: ReturnType<typeof createECDH>, auth: Buffer): string {
  const [salt, theirs] = [body.subarray(0, 16), body.subarray(21, 86)];
  const derive = (secret: Buffer, of: Buffer, info: Buffer | string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, of, info, length));
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), pair.getPublicKey(), theirs]);
  const secret = derive(pair.computeSecret(theirs), auth, info, 32);
  const decipher = createDecipheriv(
    'aes-128-gcm',
    derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16),
    derive(secret, salt, 'Content-Encoding: nonce\0', 12),
  );
  decipher.setAuthTag(body.subarray(-16));
  const text = Buffer.concat([decipher.update(body.subarray(86, -16)), decipher.final()]);
  return text.subarray(0, text.lastIndexOf(2)).toString();
}

const subscribe = async (browser = newBrowser(), person = asha) => {
  expect((await send('POST', '/api/push/subscribe', browser.subscription, person)).statusCode).toBe(200);
  return browser;
};
const follow = () => call(server, { method: 'POST', url: `/api/follow/${asha.id}`, headers: binod.headers });
const addNotice = (person = asha) =>
  inTransaction(server.db, (trx) => notifyFromSite(trx, person.id, 'passkey_added', server.now.value));
const hear = (kind: 'comment' | 'new_story', person = asha) =>
  inTransaction(server.db, (trx) =>
    notify(trx, person.id, { kind, senderId: binod.id, factId: newId(new Date()) }, server.now.value),
  );
const hearOfPhoto = (kind: 'new_post' | 'like_post', aboutId: string) =>
  inTransaction(server.db, (trx) =>
    notify(trx, asha.id, { kind, senderId: binod.id, aboutId }, server.now.value),
  );
const comment = (person = asha) => hear('comment', person);
/** Seconds until each waiting message is due. */
const dueIn = async () => {
  const rows = await server.db.selectFrom('pushes').select('next_try_at').orderBy('next_try_at').execute();
  return rows.map(({ next_try_at }) => (next_try_at.getTime() - server.now.value.getTime()) / 1000);
};
const messages = () => received.filter(({ host }) => host !== 'oauth2.googleapis.com');
async function next(count = 1): Promise<Received> {
  await expect.poll(() => messages().length).toBe(count);
  return messages()[count - 1] as Received;
}
const waiting = async () => (await server.db.selectFrom('pushes').select('id').execute()).length;
/** After one message, nothing is sent of what `hear` stores, once Asha or the other person has blocked the other. */
async function expectNothingOnceBlocked(other: Person, hear: () => Promise<unknown>): Promise<void> {
  for (const [by, whom] of [
    [asha, other],
    [other, asha],
  ] as const) {
    await hear();
    expect(await waiting()).toBe(1);
    await send('POST', `/api/block/${whom.id}`, undefined, by);
    later(2);
    await expect.poll(waiting).toBe(0);
    expect(messages()).toHaveLength(1);
    await server.inject({ method: 'DELETE', url: `/api/block/${whom.id}`, headers: by.headers });
  }
}
const devices = async () => (await server.db.selectFrom('push_devices').select('id').execute()).length;

it('a message is encrypted as in RFC 8291', () => {
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  const sealed = encryptFor(
    {
      p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
    'When I grow up, I want to be a watermelon',
    {
      salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
      privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
    },
  );
  expect(sealed.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  );
});

describe('a browser that has subscribed', () => {
  it("gets a notification as an encrypted message, signed with the site's public key", async () => {
    const browser = await subscribe(newBrowser('web.push.apple.com'));
    await follow();
    const { host, path, headers, body } = await next();
    expect(`https://${host}${path}`).toBe(browser.endpoint);
    expect(browser.read(body)).toEqual({
      title: 'Jhalak',
      body: `${binod.username} started following you`,
      url: `/user/${binod.id}`,
      lang: 'en',
    });
    expect(headers).toMatchObject({ ttl: '86400', 'content-encoding': 'aes128gcm' });
    const [, token = '', key] = /^vapid t=(\S+), k=(\S+)$/.exec(String(headers.authorization)) ?? [];
    const { publicKey } = (await send('GET', '/api/push')).json();
    expect(key).toBe(publicKey);
    const point = Buffer.from(publicKey, 'base64url');
    const part = (from: number) => point.subarray(from, from + 32).toString('base64url');
    const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x: part(1), y: part(33) }, 'ES256');
    const { payload } = await compactVerify(token, jwk);
    expect(JSON.parse(Buffer.from(payload).toString())).toMatchObject({
      aud: 'https://web.push.apple.com',
      sub: 'https://jhalak.example',
    });
    await expect.poll(waiting).toBe(0);
  });

  it('gets text in the language of the person; for account events only that there is news', async () => {
    await server.db.updateTable('people').set({ language: 'hi' }).where('id', '=', asha.id).execute();
    const browser = await subscribe();
    await addNotice();
    expect(browser.read((await next()).body)).toMatchObject({
      title: 'झलक',
      body: 'आपके खाते के बारे में एक सूचना है। पढ़ने के लिए झलक खोलें।',
    });
  });

  it('opens the stories of the person if it hears of one, and the notifications if it hears of several', async () => {
    const browser = await subscribe();
    await hear('new_story');
    expect(browser.read((await next()).body).url).toBe(`/story/${binod.id}`);
    await expect.poll(waiting).toBe(0);
    await hear('new_story');
    await hear('new_story');
    later(2);
    expect(browser.read((await next(2)).body).url).toBe('/Activity');
  });

  it.each(['new_post', 'like_post'] as const)('opens the photo that it hears of by %s', async (kind) => {
    const browser = await subscribe();
    const photo = newId(new Date());
    await hearOfPhoto(kind, photo);
    expect(browser.read((await next()).body).url).toBe(`/post/${photo}`);
  });

  it.each(['comment', 'mention'] as const)('opens the comment that it hears of by %s', async (kind) => {
    const browser = await subscribe();
    const [reel, said] = [await publishedReel(server.db, binod.id, start, 'Asia/Kolkata'), newId(new Date())];
    await inTransaction(server.db, (trx) =>
      notify(trx, asha.id, { kind, senderId: binod.id, aboutId: reel, factId: said }, server.now.value),
    );
    expect(browser.read((await next()).body).url).toBe(`/videoplayer?reel=${reel}#${said}`);
  });

  it('opens the notifications if it hears of the account', async () => {
    const browser = await subscribe();
    await addNotice();
    expect(browser.read((await next()).body).url).toBe('/Activity');
  });

  it('gets one message a minute, which counts the notifications of that time', async () => {
    const browser = await subscribe();
    await addNotice();
    await next();
    await expect.poll(waiting).toBe(0);
    for (let count = 0; count < 30; count += 1) await comment();
    expect(await waiting()).toBe(20);
    expect(messages()).toHaveLength(1);
    later(2);
    expect(browser.read((await next(2)).body).body).toBe('You have 20 new notifications');
  });

  it('gets news about the account, however many comments wait', async () => {
    const browser = await subscribe();
    await addNotice();
    await next();
    await expect.poll(waiting).toBe(0);
    for (let count = 0; count < 30; count += 1) await comment();
    await addNotice();
    expect(await waiting()).toBe(21);
    later(2);
    expect(browser.read((await next(2)).body).body).toContain('news about your account');
  });

  it('gets account news even if it was read before it is sent, but no comments that were read', async () => {
    const browser = await subscribe();
    await addNotice();
    await next();
    await expect.poll(waiting).toBe(0);
    await comment();
    await addNotice();
    expect((await send('POST', '/api/notification/markRead')).json().unread).toBe(0);
    later(2);
    expect(browser.read((await next(2)).body).body).toContain('news about your account');
    await expect.poll(waiting).toBe(0);
    await comment();
    await send('POST', '/api/notification/markRead');
    later(2);
    await expect.poll(waiting).toBe(0);
    expect(messages()).toHaveLength(2);
  });

  it('gets nothing of a notification that was deleted before it was sent', async () => {
    await subscribe();
    await addNotice();
    await next();
    await expect.poll(waiting).toBe(0);
    const dropped = await endedAs('dropped');
    const photo = newId(new Date());
    await hearOfPhoto('like_post', photo);
    expect(await waiting()).toBe(1);
    await inTransaction(server.db, (trx) => deleteNotificationsAbout(trx, photo));
    later(2);
    await expect.poll(waiting).toBe(0);
    expect([messages().length, await endedAs('dropped')]).toEqual([1, dropped + 1]);
  });

  it('gets nothing of a person from the moment when one of the two blocks the other', async () => {
    const browser = await subscribe();
    await addNotice();
    await next();
    await expect.poll(waiting).toBe(0);
    await expectNothingOnceBlocked(binod, () => comment());
    await addNotice();
    later(2);
    expect(browser.read((await next(2)).body).body).toContain('your account');
  });

  it('gets no mention on a reel from the moment when one of its creator and the person blocks the other', async () => {
    await subscribe();
    await addNotice();
    await next();
    await expect.poll(waiting).toBe(0);
    const chitra = await signUpSomebody(server);
    const reel = await publishedReel(server.db, chitra.id, start, 'Asia/Kolkata');
    await expectNothingOnceBlocked(chitra, () => {
      const fact = { kind: 'mention', senderId: binod.id, aboutId: reel, factId: newId(new Date()) } as const;
      return inTransaction(server.db, (trx) => notify(trx, asha.id, fact, server.now.value));
    });
  });

  it('gets nothing of a group that its person has switched off', async () => {
    const browser = await subscribe();
    expect((await send('PUT', '/api/push', { off: ['followers'] })).json().off).toEqual(['followers']);
    expect((await send('GET', '/api/push')).json().off).toEqual(['followers']);
    await follow();
    expect(await waiting()).toBe(0);
    await addNotice();
    expect(browser.read((await next()).body).body).toContain('your account');
  });

  it('always gets account news, which cannot be switched off', async () => {
    expect((await send('PUT', '/api/push', { off: ['account'] })).statusCode).toBe(400);
    expect(
      (await send('PUT', '/api/push', { off: ['likes', 'comments', 'followers', 'news'] })).statusCode,
    ).toBe(200);
    const browser = await subscribe();
    await addNotice();
    expect(browser.read((await next()).body).body).toContain('your account');
  });

  it('that another person takes over gets nothing that waits for the former one', async () => {
    const browser = await subscribe();
    await addNotice();
    await next();
    await expect.poll(waiting).toBe(0);
    await comment();
    expect(await waiting()).toBe(1);
    await subscribe(browser, binod);
    expect(await waiting()).toBe(0);
    later(2);
    await addNotice(binod);
    await next(2);
    expect(browser.read(messages()[1]?.body as Buffer).body).toContain('news about your account');
  });

  it('gets no message of another person, even if one waits for the device', async () => {
    await subscribe();
    answer = { status: 503, body: '' };
    await addNotice();
    await next();
    await expect.poll(dueIn).toEqual([60]);
    await addNotice(binod);
    const { id } = await server.db
      .selectFrom('notifications')
      .select('id')
      .where('person_id', '=', binod.id)
      .executeTakeFirstOrThrow();
    await server.db.updateTable('pushes').set({ notification_id: id }).execute();
    answer = { status: 201, body: '' };
    later(2);
    await expect.poll(waiting).toBe(0);
    expect(messages()).toHaveLength(1);
  });

  it.each([400, 401, 403, 413])(
    'loses one message, and is kept, where its push service answers %s',
    async (status) => {
      const before = await refusedOnes();
      answer = { status, body: '' };
      await subscribe();
      await addNotice();
      await next();
      await expect.poll(waiting).toBe(0);
      expect(await devices()).toBe(1);
      expect(messages()).toHaveLength(1);
      await expect.poll(refusedOnes).toBe(before + 1);
    },
  );

  it.each([
    ['900', 900],
    ['864000', 3600],
    ['soon', 60],
  ])(
    'is left alone as long as its push service asks for (Retry-After: %s), within an hour',
    async (wanted, seconds) => {
      answer = { status: 429, body: '', headers: { 'retry-after': wanted } };
      await subscribe();
      await addNotice();
      await next();
      const due = async () =>
        (await server.db.selectFrom('pushes').select('next_try_at').executeTakeFirst())?.next_try_at;
      await expect.poll(due).toEqual(new Date(start.getTime() + seconds * 1000));
      // Later messages wait as long.
      await comment();
      const all = await server.db.selectFrom('pushes').select('next_try_at').execute();
      expect(all.map(({ next_try_at }) => next_try_at)).toEqual(
        Array(2).fill(new Date(start.getTime() + seconds * 1000)),
      );
    },
  );

  it.each([404, 410])('is removed once its push service answers %s', async (status) => {
    answer = { status, body: '' };
    await subscribe();
    await addNotice();
    await expect.poll(devices).toBe(0);
    expect(await waiting()).toBe(0);
  });

  it('is removed if its key is invalid', async () => {
    const { subscription } = newBrowser();
    const keys = { ...subscription.keys, p256dh: Buffer.alloc(65).toString('base64url') };
    await send('POST', '/api/push/subscribe', { ...subscription, keys });
    await addNotice();
    await expect.poll(devices).toBe(0);
    expect(messages()).toEqual([]);
  });

  it('has each message retried by its own age: a new one is not given up with an old one', async () => {
    answer = { status: 503, body: '' };
    await subscribe();
    await addNotice();
    await expect.poll(dueIn).toEqual([60]);
    later(24 * 60 - 2);
    await expect.poll(dueIn).toEqual([120]);
    await comment();
    later(5);
    await expect.poll(dueIn).toEqual([60]);
    expect(messages()).toHaveLength(3);
  });

  it('does not wait for another push service that does not answer', async () => {
    const begun = performance.now();
    silent = ['updates.push.services.mozilla.com'];
    for (let count = 0; count < 16; count += 1) {
      const person = await signUpSomebody(server);
      await subscribe(newBrowser('updates.push.services.mozilla.com'), person);
      await addNotice(person);
    }
    await expect.poll(() => speak.length).toBeGreaterThanOrEqual(4);
    await subscribe(newBrowser('web.push.apple.com'));
    await addNotice();
    await expect.poll(() => messages().map(({ host }) => host)).toContain('web.push.apple.com');
    // Four in parallel, each for five seconds.
    const rounds = 1 + Math.floor((performance.now() - begun) / 5000);
    expect(speak.length).toBeLessThanOrEqual(4 * rounds);
  });

  it('gets its message again after a minute if the push service fails, for at most a day', async () => {
    answer = { status: 503, body: '' };
    await subscribe();
    await addNotice();
    await next();
    const dueAgain = async () =>
      (await server.db.selectFrom('pushes').select('next_try_at').executeTakeFirst())?.next_try_at;
    await expect.poll(dueAgain).toEqual(new Date(start.getTime() + 60_000));
    later(1);
    await next(2);
    later(25 * 60);
    await expect.poll(waiting).toBe(0);
    expect(await devices()).toBe(1);
  });

  it('gets nothing after a logout, and is removed', async () => {
    await subscribe();
    await send('POST', '/api/logout', {});
    await addNotice();
    await expect.poll(devices).toBe(0);
    expect(messages()).toEqual([]);
  });

  it('gets nothing after it has unsubscribed, which other people cannot do for it', async () => {
    const { endpoint } = await subscribe();
    await send('POST', '/api/push/unsubscribe', { endpoint }, binod);
    expect(await devices()).toBe(1);
    await send('POST', '/api/push/unsubscribe', { endpoint });
    expect(await devices()).toBe(0);
  });

  it('is one of at most five of its session and 20 of its person; another one is refused, and removes none', async () => {
    const first = await subscribe();
    const more = (person: Person) => send('POST', '/api/push/subscribe', newBrowser().subscription, person);
    for (let count = 1; count < 5; count += 1) await subscribe();
    expect((await more(asha)).json()).toMatchObject({ code: 'too_many_devices' });
    // The same browser does not count twice.
    await subscribe(first);
    for (let session = 0; session < 3; session += 1) {
      const person = await anotherSession();
      for (let count = 0; count < 5; count += 1) await subscribe(newBrowser(), person);
    }
    const refused = await more(await anotherSession());
    expect(refused.statusCode).toBe(409);
    expect(await devices()).toBe(20);
    await send('POST', '/api/logout', {});
    expect((await more(await anotherSession())).statusCode).toBe(200);
    expect(await devices()).toBe(16);
  });

  it.each([
    'http://fcm.googleapis.com/a',
    'https://fcm.googleapis.com:8443/a',
    'https://user:secret@fcm.googleapis.com/a',
    'https://fcm.googleapis.com.evil.example/a',
    'https://evil-fcm.googleapis.com/a',
    'https://169.254.169.254/latest/meta-data',
    'https://localhost/a',
  ])('at %s is refused', async (endpoint) => {
    const { subscription } = newBrowser();
    const refused = await send('POST', '/api/push/subscribe', { ...subscription, endpoint });
    expect(refused.statusCode).toBe(400);
    expect(await devices()).toBe(0);
  });
});

describe('the app on a phone', () => {
  const register = async () => {
    const device = `token-${newId(new Date())}`;
    await send('POST', '/api/notification/register', { device, platform: 'android' });
    return device;
  };

  it('gets a notification by FCM, with one access token for several messages', async () => {
    answer = { status: 200, body: '{"name":"projects/jhalak-app/messages/1"}' };
    const token = await register();
    await follow();
    const { host, path, headers, body } = await next();
    expect(`${host}${path}`).toBe('fcm.googleapis.com/v1/projects/jhalak-app/messages:send');
    expect(headers.authorization).toBe('Bearer an access token');
    expect(JSON.parse(body.toString())).toEqual({
      message: {
        token,
        notification: { title: 'Jhalak', body: `${binod.username} started following you` },
        data: { url: `/user/${binod.id}` },
        android: { ttl: '86400s' },
      },
    });
    const assertion = new URLSearchParams(received[0]?.body.toString()).get('assertion') ?? '';
    const { payload } = await compactVerify(assertion, account.publicKey);
    expect(JSON.parse(Buffer.from(payload).toString())).toMatchObject({
      iss: 'push@jhalak-app.example',
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
    });
    later(2);
    await addNotice();
    await next(2);
    expect(received.filter(({ host }) => host === 'oauth2.googleapis.com')).toHaveLength(1);
  });

  it('gets its message with a new access token if FCM does not accept the cached one', async () => {
    answer = { status: 200, body: '{}' };
    await register();
    await addNotice();
    await next();
    await expect.poll(waiting).toBe(0);
    answer = { status: 401, body: '{}' };
    const before = received.length;
    later(2);
    await addNotice();
    await expect.poll(waiting).toBe(0);
    expect(received.slice(before).map(({ host }) => host)).toEqual([
      'fcm.googleapis.com',
      'oauth2.googleapis.com',
      'fcm.googleapis.com',
    ]);
    expect(await devices()).toBe(1);
  });

  it('is removed if FCM no longer knows it, and not for another error', async () => {
    await register();
    const others = [
      { status: 400, body: '{"error":{"status":"INVALID_ARGUMENT"}}' },
      { status: 404, body: '{"error":{"status":"NOT_FOUND","details":[]}}' },
      { status: 404, body: '<html>No such project, "UNREGISTERED" or not</html>' },
    ];
    for (const [count, other] of others.entries()) {
      answer = other;
      await addNotice();
      await next(count + 1);
      await expect.poll(waiting).toBe(0);
      expect(await devices()).toBe(1);
      later(2);
    }
    answer = { status: 404, body: '{"error":{"details":[{"errorCode":"UNREGISTERED"}]}}' };
    await addNotice();
    later(5);
    await expect.poll(devices).toBe(0);
  });
});

it('a site without its own address and a key for the app sends nothing, and stores no messages', async () => {
  const guard = createGuard(networkTo(site), [...pushHosts, ...fcmHosts]);
  const without = await startTestServer({}, { outside: { guard, push: guard, extractor: undefined } });
  const person = await signUpSomebody(without);
  const ask = (method: 'GET' | 'POST', url: string, payload: object = {}) =>
    call(without, { method, url, headers: person.headers, ...(method === 'POST' ? { payload } : {}) });
  expect(await ask('GET', '/api/push')).toMatchObject({ publicKey: null, app: false });
  await ask('POST', '/api/push/subscribe', newBrowser().subscription);
  await ask('POST', '/api/notification/register', { device: 'a-phone', platform: 'android' });
  await inTransaction(without.db, (trx) =>
    notifyFromSite(trx, person.id, 'passkey_added', without.now.value),
  );
  await expect.poll(() => endedAs('dropped', without)).toBe(2);
  expect(await without.db.selectFrom('pushes').select('id').execute()).toEqual([]);
  expect(received).toEqual([]);
  await without.close();
});
