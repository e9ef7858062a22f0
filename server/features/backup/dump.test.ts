import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Secret } from 'otpauth';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newId, newKey } from '#server/platform/ids.ts';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { dumpOf } from '#testing/models/database-dump.ts';
import { adminOn } from '#testing/servers/admin-command.ts';
import { startIssuer, type TestIssuer, testClientId } from '#testing/servers/issuer.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { appCode } from '#testing/servers/operators.ts';
import type { TestServer } from '#testing/servers/test-server.ts';
import { invite } from '../second-factor/second-factor.ts';

/*
 * What an attacker finds in a dump of the database, in the media folder, or in a backup: no network address and no secret that could be
 * used again. They contain e-mail addresses, as SECURITY.md says.
 */
const [ipv4, ipv6] = ['203.0.113.77', '2001:db8:77:88:99aa:bbcc:ddee:ff01'];
const email = 'planted.asha@people.example';
const password = 'a planted password 77';
const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Each of them was created by a request, or read from a mail or the key folder. */
const secrets = new Map<string, string>();
/** Searched separately, because six digits occur in a dump by chance, too. */
let mailedCode = '';
/** The bytes to be searched, by place: a dump, the media, a backup. */
const found = new Map<string, Buffer>();

let issuer: TestIssuer;
let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let server: TestServer;
let place: string;

const from = (address: string, more: object = {}) => ({
  remoteAddress: address,
  headers: { 'user-agent': agent, ...more },
});
const post = (url: string, payload: object, address = ipv4, headers: object = {}) =>
  server.inject({ method: 'POST', url, payload, ...from(address, headers) });

beforeAll(async () => {
  // With a database for several processes, requests are counted in it.
  issuer = await startIssuer();
  mailing = await startMailingServer({
    DATABASE_URL: 'postgres://unused',
    OIDC_ISSUER: issuer.name,
    OIDC_CLIENT_ID: testClientId,
  });
  ({ server } = mailing);
  server.now.value = new Date('2026-06-15T12:00:00Z');
  place = await mkdtemp(join(tmpdir(), 'jhalak-dump-'));
  await plant();
  found.set(
    'a dump of the database',
    Buffer.from(await dumpOf(server.db, { schemas: ['public', 'pgboss'] })),
  );
  found.set('the media folder', await everythingIn(join(server.dataDir, 'media')));
  const backup = join(place, 'backup');
  const { code, err } = await adminOn(
    { DATABASE_URL: server.url, DATA_DIR: server.dataDir, KEYS_DIR: join(server.dataDir, 'keys') },
    ['backup', backup],
  );
  expect(err).toBe('');
  expect(code).toBe(0);
  found.set('a backup', await everythingIn(backup));
});
afterAll(async () => {
  await mailing.close();
  await issuer.close();
  await rm(place, { recursive: true, force: true });
});

/** All bytes of all files in a folder, with their names, decompressed. */
async function everythingIn(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const parts = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const bytes = await readFile(join(parentPath, name));
        return [Buffer.from(`\n${parentPath}/${name}\n`), name.endsWith('.gz') ? gunzipSync(bytes) : bytes];
      }),
  );
  return Buffer.concat(parts.flat());
}

async function plant(): Promise<void> {
  const person = { name: 'Asha', username: 'planted', email, password, cpassword: password };
  expect((await post('/api/signup', person)).statusCode).toBe(200);
  secrets.set('a password', password);
  const session = await post('/api/signin', { email, password });
  const token: string = session.json().data;
  secrets.set('a token of a session', token);
  const cookie = /=([^;]+)/.exec(String(session.headers['set-cookie']))?.[1] ?? '';
  expect(cookie).not.toBe('');
  secrets.set('the cookie of a known browser', decodeURIComponent(cookie));
  secrets.set(
    'a token of a session by IPv6',
    (await post('/api/signin', { email, password }, ipv6)).json().data,
  );
  const signedIn = { authorization: `Bearer ${token}` };

  // Guesses, from both networks.
  for (const address of [ipv4, ipv6])
    expect((await post('/api/signin', { email, password: 'a wrong one' }, address)).statusCode).toBe(401);

  const { id: personId } = await server.db
    .selectFrom('people')
    .select('id')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();
  // Views, with and without a login.
  const id = newId(new Date());
  await changeWorks(server.db, (trx) =>
    trx
      .insertInto('reels')
      .values({
        id,
        creator_id: personId,
        media_key: newKey(),
        caption: '',
        credit: '',
        categories: [],
        state: 'ready',
        sha256: randomBytes(32),
        uploaded_at: new Date(),
        published_at: new Date(),
      })
      .execute(),
  );
  for (const [address, headers] of [
    [ipv4, {}],
    [ipv6, {}],
    [ipv4, signedIn],
  ] as const)
    expect((await post(`/api/reel/increaseView/${id}`, {}, address, headers)).statusCode).toBe(200);

  // Links by mail: a used one, and two pending ones.
  await post('/api/password/forgot', { email });
  secrets.set('a link for a new password', await mailing.sendAll());
  expect((await post('/api/email/send-verification', {}, ipv4, signedIn)).statusCode).toBe(200);
  secrets.set('a link that proves an address', await mailing.sendAll());
  // A pending mail.
  await post('/api/password/forgot', { email });

  await plantOfBinod();
  secrets.set('the nonce of a log-in by Google', (await post('/api/google-nonce', {})).json().nonce);

  const asked = await post('/api/passkeys/begin-login', {});
  secrets.set('the challenge of a passkey', asked.json().options.challenge);

  const phone = 'cAbCdEfGhIj:APA91bPlantedTokenOfAPhoneThatIsNowhereElse';
  const device = { device: phone, platform: 'android' };
  const registered = await post('/api/notification/register', device, ipv4, signedIn);
  expect(registered.statusCode, registered.body).toBe(200);
  secrets.set('the token of a phone', phone);
  const browser = {
    endpoint: 'https://fcm.googleapis.com/fcm/send/planted-address-of-a-browser-77',
    keys: {
      p256dh: randomBytes(65).toString('base64url'),
      auth: randomBytes(16).toString('base64url'),
    },
  };
  const subscribed = await post('/api/push/subscribe', browser, ipv4, signedIn);
  expect(subscribed.statusCode, subscribed.body).toBe(200);
  secrets.set('the address of a browser at its push service', browser.endpoint);
  secrets.set('the public key of a browser', browser.keys.p256dh);
  secrets.set('the secret of a browser', browser.keys.auth);

  // An unused confirmation, and the address of a download.
  const act = { act: 'change_email', params: { email: 'other.asha@people.example' }, password };
  const confirmed = await post('/api/confirm', act, ipv4, signedIn);
  expect(confirmed.statusCode, confirmed.body).toBe(200);
  secrets.set('a confirmation', confirmed.json().confirmation);
  const exported = await post('/api/export', {}, ipv4, signedIn);
  expect(exported.statusCode, exported.body).toBe(200);
  secrets.set('the address of a download', String(exported.json().url.split('/').at(-1)));
  const bank = { kind: 'bank', account: '998877665544332', ifsc: 'HDFC0001234', name: 'ASHA RAO' };
  const chosen = await server.inject({
    method: 'PUT',
    url: '/api/payout/destination',
    payload: bank,
    ...from(ipv4, signedIn),
  });
  expect(chosen.statusCode, chosen.body).toBe(200);
  secrets.set('the number of a bank account', bank.account);
  // An operator's second factor.
  await server.db.updateTable('people').set({ role: 'operator' }).where('id', '=', personId).execute();
  const code = await inTransaction(server.db, (trx) => invite(trx, personId, server.now.value));
  secrets.set('a code to enrol an app', code);
  const begun = await post('/api/second-factor/begin', { code }, ipv4, signedIn);
  expect(begun.statusCode, begun.body).toBe(200);
  const seed: string = begun.json().secret;
  secrets.set('the secret of an app', seed);
  const totp = appCode(seed, server.now.value);
  const finished = await post('/api/second-factor/finish', { totp }, ipv4, signedIn);
  expect(finished.statusCode, finished.body).toBe(200);
  secrets.set('a recovery code', finished.json().recoveryCodes[0]);

  const message = { name: 'Asha', email, text: 'Hello' };
  expect((await post('/api/contact/contact', message)).statusCode).toBe(200);
  await publishPicture(server.db, server.dataDir, personId, 'A photo', new Date());
  // Requests are counted in the database once a second.
  const counts = () => server.db.selectFrom('rate_limits').select('key').execute();
  await vi.waitUntil(async () => (await counts()).length > 0, { timeout: 120_000 });

  const keys = join(server.dataDir, 'keys');
  for (const name of await readdir(keys))
    secrets.set(`the key ${name}`, (await readFile(join(keys, name), 'utf8')).trim());
}

/** A person with a verified address, a mailed code, and links for a pending and a finished change of address. */
async function plantOfBinod(): Promise<void> {
  const binod = { email: 'planted.binod@people.example', password };
  const person = { name: 'Binod', username: 'planted.binod', cpassword: password, ...binod };
  expect((await post('/api/signup', person)).statusCode).toBe(200);
  const proven = server.db.updateTable('people').set({ email_verified_at: server.now.value });
  await proven.where('email', '=', binod.email).execute();
  const signedIn = { authorization: `Bearer ${(await post('/api/signin', binod)).json().data}` };
  const change = async (to: string): Promise<string> => {
    const answer = await post('/api/email/change', { email: to }, ipv4, signedIn);
    expect(answer.statusCode, answer.body).toBe(200);
    return await linkTo(to);
  };
  const token = await change('new.binod@people.example');
  secrets.set('a link that proved a new address', token);
  expect((await post('/api/email/verify', { token }, ipv4, signedIn)).statusCode).toBe(200);
  secrets.set('a link that undoes a change of address', await linkTo(binod.email));
  secrets.set('a link that proves a new address', await change('newest.binod@people.example'));
  const act = { act: 'export', params: {} };
  expect((await post('/api/confirm/send-code', act, ipv4, signedIn)).statusCode).toBe(200);
  await mailing.sendAll();
  const codes = mailing.smtp.mails.flatMap(({ text }) => /^\d{6}$/m.exec(text) ?? []);
  expect(codes).toHaveLength(1);
  mailedCode = codes[0] ?? '';
}

/** The secret of the last link that was sent to this address. */
async function linkTo(address: string): Promise<string> {
  await mailing.sendAll();
  const links = mailing.smtp.mails
    .filter(({ to }) => to.includes(address))
    .flatMap(({ text }) => /#(\S+)/.exec(text)?.[1] ?? []);
  expect(links, address).not.toEqual([]);
  return links.at(-1) ?? '';
}

/** A secret in the forms in which it could be stored: as text, or as the bytes that it encodes, which a dump has in hex. */
function formsOf(secret: string): Buffer[] {
  const texts = [secret, secret.slice(0, 20)];
  const bytes: Buffer[] = [Buffer.from(secret), Buffer.from(secret, 'base64url')];
  if (/^[A-Z2-7]{32}$/.test(secret)) bytes.push(Buffer.from(Secret.fromBase32(secret).buffer));
  if (/^[0-9a-f]+$/.test(secret)) bytes.push(Buffer.from(secret, 'hex'));
  const written = bytes.flatMap((one) => [
    one.toString('hex'),
    one.toString('base64'),
    one.toString('base64url'),
  ]);
  return [...[...texts, ...written].map((text) => Buffer.from(text)), ...bytes].filter(
    ({ length }) => length >= 12,
  );
}

/** A network address in the forms in which it could be stored. */
function formsOfAddress(address: string): Buffer[] {
  const groups = address.split(':');
  const raw = address.includes(':')
    ? Buffer.from(groups.map((group) => group.padStart(4, '0')).join(''), 'hex')
    : Buffer.from(address.split('.').map(Number));
  const texts = address.includes(':')
    ? [
        address,
        groups.slice(0, 4).join(':'),
        groups.slice(0, 3).join(':'),
        '2001:db8::/32',
        raw.toString('hex'),
        raw.subarray(0, 8).toString('hex'),
        raw.toString('base64'),
      ]
    : [address, '203.0.0.0/16', `\\x${raw.toString('hex')}`];
  // Four bytes occur by chance, too.
  return [...texts.map((text) => Buffer.from(text)), ...(raw.length === 16 ? [raw, raw.subarray(0, 8)] : [])];
}

const places = ['a dump of the database', 'the media folder', 'a backup'];

describe.each(places)('%s', (where) => {
  it('is not empty', () => {
    expect(found.get(where)?.length).toBeGreaterThan(1000);
  });

  it('contains no network address', () => {
    for (const address of [ipv4, ipv6])
      for (const form of formsOfAddress(address))
        expect(found.get(where)?.includes(form), `${address} as ${form}`).toBe(false);
  });

  it('contains no secret that could be used again', () => {
    expect([...secrets.values()].filter((secret) => secret.length < 12)).toEqual([]);
    for (const [name, secret] of secrets)
      for (const form of formsOf(secret)) expect(found.get(where)?.includes(form), name).toBe(false);
  });
});

it.each(places)(
  '%s has no code that was mailed, neither as it is nor as a plain hash, which is soon guessed',
  (where) => {
    expect(mailedCode).toMatch(/^\d{6}$/);
    const bytes = found.get(where) ?? Buffer.alloc(0);
    // Fractions of a second are six digits, too.
    expect(new RegExp(`(?<![0-9a-f.])${mailedCode}(?![0-9a-f])`).test(bytes.toString('latin1'))).toBe(false);
    for (const algorithm of ['md5', 'sha1', 'sha256', 'sha512']) {
      const hash = createHash(algorithm).update(mailedCode).digest();
      for (const form of [hash, hash.toString('hex'), hash.toString('base64'), hash.toString('base64url')])
        expect(bytes.includes(form), algorithm).toBe(false);
    }
  },
);

it('the dump and the backup contain e-mail addresses, which proves that the search works', () => {
  expect(places.map((where) => found.get(where)?.includes(email))).toEqual([true, false, true]);
});

it('secrets of every kind were planted', () => {
  expect([...secrets.keys()].filter((name) => name.startsWith('the key '))).toHaveLength(9);
  expect(secrets.size).toBe(30);
});
