import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { deleteExpiredLinks } from './links.ts';

let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let server: TestServer;
let smtp: typeof mailing.smtp;
let asha: Person;
const start = new Date();
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
beforeAll(async () => {
  mailing = await startMailingServer();
  ({ server, smtp } = mailing);
});
afterAll(() => mailing.close());
beforeEach(async () => {
  server.now.value = start;
  asha = await signUpSomebody(server, 'Asha');
});
afterEach(async () => {
  await server.db.deleteFrom('mails').execute();
  smtp.mails.length = 0;
});

const post = (url: string, payload: object) => server.inject({ method: 'POST', url, payload });
const forgot = (email: string, more: object = {}) => post('/api/password/forgot', { email, ...more });
const reset = (token: string, password = 'a new password', cpassword = password) =>
  post('/api/password/reset', { token, password, cpassword });
const signIn = async ({ email }: Person, password: string) =>
  (await post('/api/signin', { email, password })).statusCode;
const isAlive = async ({ token }: Person) => (await post('/api/userdata', { token })).statusCode === 200;

async function secretFor(person: Person): Promise<string> {
  await forgot(person.email);
  return await mailing.sendAll();
}

describe('a forgotten password', () => {
  it('is replaced by a link from a mail, which ends every session and sends a notice', async () => {
    const secret = await secretFor(asha);
    expect(smtp.mails).toMatchObject([{ to: [asha.email], subject: 'A new password for Jhalak' }]);
    expect(smtp.mails[0]?.html).toContain(`href="${mailing.origin}/ResetPassword#${secret}"`);
    const answer = await reset(secret);
    expect([answer.statusCode, answer.json()]).toEqual([200, { status: 'ok' }]);
    expect(await isAlive(asha)).toBe(false);
    expect([await signIn(asha, 'correct horse'), await signIn(asha, 'a new password')]).toEqual([401, 200]);
    await mailing.sendAll();
    expect(smtp.mails[1]).toMatchObject({ to: [asha.email], subject: 'Your Jhalak password was replaced' });
  });

  it('is not replaced by a weak password, and the link stays valid', async () => {
    const secret = await secretFor(asha);
    for (const weak of ['short', 'password', asha.email])
      expect((await reset(secret, weak)).json()).toMatchObject({ code: 'weak_password', field: 'password' });
    expect((await reset(secret)).statusCode).toBe(200);
  });

  it('gets the same response for an unknown address, which gets no mail', async () => {
    const [known, unknown] = [await forgot(asha.email), await forgot('nobody@people.example')];
    expect([unknown.statusCode, unknown.body]).toEqual([known.statusCode, known.body]);
    await mailing.sendAll();
    expect(smtp.mails.map(({ to }) => to)).toEqual([[asha.email]]);
    const outcomes = await server.db.selectFrom('mails').select('outcome').orderBy('outcome').execute();
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['dropped', 'sent']);
  });

  it('is mailed about in the language of the person, or of the page if the person has none', async () => {
    await forgot(asha.email, { language: 'hi' });
    await mailing.sendAll();
    expect(smtp.mails[0]?.subject).toBe('झलक के लिए नया पासवर्ड');
    expect(smtp.mails[0]?.text).toContain(`${mailing.origin}/ResetPassword?lang=hi#`);
    const payload = { language: 'en' };
    await call(server, { method: 'POST', url: '/api/profile/language', headers: asha.headers, payload });
    await forgot(asha.email, { language: 'hi' });
    await mailing.sendAll();
    expect(smtp.mails[1]?.subject).toBe('A new password for Jhalak');
  });

  it('is rejected without an address; one that no account can have gets the response of an unknown one', async () => {
    expect((await forgot('')).json()).toMatchObject({ code: 'missing_fields' });
    expect((await forgot('nobody')).statusCode).toBe(200);
    await mailing.sendAll();
    expect(smtp.mails).toEqual([]);
  });

  it('can be set for a person who signed up by Google, who stays linked to Google', async () => {
    await server.db
      .updateTable('people')
      .set({ password_hash: null, email_verified_at: start })
      .where('id', '=', asha.id)
      .execute();
    await link(asha);
    expect((await reset(await secretFor(asha))).statusCode).toBe(200);
    expect(await signIn(asha, 'a new password')).toBe(200);
    expect(await linked(asha)).toBe(1);
  });
});

async function link({ id }: Person, linked_at = start, issuer = 'https://accounts.google.com') {
  const identity = { issuer, subject: id, person_id: id, linked_at };
  await server.db.insertInto('identities').values(identity).execute();
}
const linked = async ({ id }: Person) =>
  (await server.db.selectFrom('identities').selectAll().where('person_id', '=', id).execute()).length;

describe('the link', () => {
  it('works once, also if it is used several times at once', async () => {
    const secret = await secretFor(asha);
    const answers = await Promise.all(
      ['one', 'two', 'three', 'four'].map((word) => reset(secret, `${word} horses`)),
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410, 410, 410]);
    expect((await reset(secret)).json()).toMatchObject({ code: 'link_over', field: 'token' });
  });

  it('works for an hour, and is deleted then', async () => {
    const secret = await secretFor(asha);
    server.now.value = at(61);
    expect((await reset(secret)).statusCode).toBe(410);
    expect(await signIn(asha, 'correct horse')).toBe(200);
    await deleteExpiredLinks(server.context);
    const left = await server.db.selectFrom('account_links').where('person_id', '=', asha.id).execute();
    expect(left).toEqual([]);
  });

  it('works even if another one was requested later, which then becomes void', async () => {
    const [first, second] = [await secretFor(asha), await secretFor(asha)];
    expect(first).not.toBe(second);
    expect((await reset(first)).statusCode).toBe(200);
    expect((await reset(second)).statusCode).toBe(410);
  });

  it('becomes void when the address of the account changes', async () => {
    const secret = await secretFor(asha);
    await server.db
      .updateTable('people')
      .set({ email: 'new@people.example', email_key: 'new@people.example' })
      .where('id', '=', asha.id)
      .execute();
    expect((await reset(secret)).statusCode).toBe(410);
  });

  it('is stored only as a hash, and no mail is stored', async () => {
    const secret = await secretFor(asha);
    expect(secret).toHaveLength(43);
    for (const table of ['account_links', 'mails'] as const)
      expect(JSON.stringify(await server.db.selectFrom(table).selectAll().execute())).not.toContain(secret);
  });

  it.each(['', 'nonsense', 'x'.repeat(201)])('is rejected when it is %j', async (secret) => {
    expect((await reset(secret)).statusCode).toBeGreaterThanOrEqual(400);
  });

  it('is not used up by two passwords that differ', async () => {
    const secret = await secretFor(asha);
    expect((await reset(secret, 'one', 'two')).json()).toMatchObject({ code: 'password_mismatch' });
    expect((await reset(secret)).statusCode).toBe(200);
  });
});

describe('the first verification of an address', () => {
  it('keeps the Google account that made the account before addresses were verified', async () => {
    await server.db.updateTable('people').set({ password_hash: null }).where('id', '=', asha.id).execute();
    await link(asha);
    expect((await reset(await secretFor(asha))).statusCode).toBe(200);
    expect([await signIn(asha, 'a new password'), await linked(asha)]).toEqual([200, 1]);
  });

  it('removes what another person linked who had signed up with it, and reports that; a later reset does not', async () => {
    await link(asha, at(1));
    server.now.value = at(2);
    expect((await reset(await secretFor(asha))).statusCode).toBe(200);
    expect(await linked(asha)).toBe(0);
    await mailing.sendAll();
    const said = `Passkeys: 0; linked Google accounts: 1; added on ${at(1).toISOString().slice(0, 10)}.`;
    expect(smtp.mails.filter(({ text }) => text.includes(said))).toHaveLength(1);
    server.now.value = start;
    await link(asha);
    expect((await reset(await secretFor(asha))).statusCode).toBe(200);
    expect(await linked(asha)).toBe(1);
  });
});

it('a later reset removes what was added in the seven days before and reports it, and keeps what is older', async () => {
  const day = 24 * 60;
  await server.db
    .updateTable('people')
    .set({ created_at: at(-30 * day), email_verified_at: at(-29 * day) })
    .where('id', '=', asha.id)
    .execute();
  const passkey = (name: string, created_at: Date) => ({
    id: newId(created_at),
    person_id: asha.id,
    credential_id: `${asha.id} ${name}`,
    public_key: Buffer.alloc(8),
    counter: 0,
    transports: [],
    name,
    is_factor: false,
    created_at,
  });
  await server.db
    .insertInto('passkeys')
    .values([passkey('old', at(-8 * day)), passkey('new', at(-6 * day))])
    .execute();
  await link(asha, at(-1));
  await link(asha, at(-30 * day), 'https://made-with.example');
  await link(asha, at(-9 * day), 'https://older.example');
  expect((await reset(await secretFor(asha))).statusCode).toBe(200);
  expect(await linked(asha)).toBe(2);
  const left = await server.db
    .selectFrom('passkeys')
    .select('name')
    .where('person_id', '=', asha.id)
    .execute();
  expect(left).toEqual([{ name: 'old' }]);
  await mailing.sendAll();
  const dates = [at(-6 * day), at(-1)].map((time) => time.toISOString().slice(0, 10)).join(', ');
  const said = `Passkeys: 1; linked Google accounts: 1; added on ${dates}.`;
  expect(
    smtp.mails
      .map(({ text }) => text)
      .join()
      .replace(/\s+/g, ' '),
  ).toContain(said);
  const told = await server.db
    .selectFrom('notifications')
    .select('kind')
    .where('person_id', '=', asha.id)
    .where('kind', 'in', ['passkey_removed', 'google_unlinked'])
    .orderBy('kind')
    .execute();
  expect(told.map(({ kind }) => kind)).toEqual(['google_unlinked', 'passkey_removed']);
});

it('a site without mail rejects the request', async () => {
  const silent = await startTestServer();
  const answer = await silent.inject({
    method: 'POST',
    url: '/api/password/forgot',
    payload: { email: 'somebody@people.example' },
  });
  expect([answer.statusCode, answer.json().code]).toEqual([404, 'mail_off']);
  expect((await silent.inject({ url: '/api/config' })).json().mail).toBe(false);
  await silent.close();
});
