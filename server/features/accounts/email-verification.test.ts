import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { type Person, signUpSomebody, type TestServer } from '#testing/servers/test-server.ts';
import type { IdentityClaims } from '../identity/id-token.ts';
import { signInWithIdentity } from '../identity/identity.ts';
import { placesWith } from './places.ts';
import { openSession } from './sessions.ts';

const issuer = 'https://accounts.google.com';
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

const send = ({ headers }: Pick<Person, 'headers'>) =>
  server.inject({ method: 'POST', url: '/api/email/send-verification', headers });
const verify = ({ headers }: Pick<Person, 'headers'>, token: string) =>
  server.inject({ method: 'POST', url: '/api/email/verify', headers, payload: { token } });
const isVerified = async ({ headers }: Pick<Person, 'headers'>) =>
  (await server.inject({ method: 'POST', url: '/api/userdata', headers, payload: {} })).json().data
    .emailVerified;

async function secretFor(person: Person): Promise<string> {
  expect((await send(person)).statusCode).toBe(200);
  return await mailing.sendAll();
}

describe('an address', () => {
  it('is verified by a link that was sent to it, in a session opened with the password', async () => {
    expect(await isVerified(asha)).toBe(false);
    const secret = await secretFor(asha);
    expect(smtp.mails).toMatchObject([{ to: [asha.email], subject: 'Verify your address for Jhalak' }]);
    expect(smtp.mails[0]?.text).toContain(`${mailing.origin}/VerifyEmail#${secret}`);
    expect((await verify(asha, secret)).json()).toEqual({ status: 'ok' });
    expect(await isVerified(asha)).toBe(true);
    // A link works once, and a verified address gets no further mail.
    expect((await verify(asha, secret)).json().code).toBe('link_over');
    expect((await send(asha)).statusCode).toBe(200);
    await mailing.sendAll();
    expect(smtp.mails).toHaveLength(1);
  });

  it('is not verified by a person who reads its mail but does not know the password of the account', async () => {
    const secret = await secretFor(asha);
    const reader = await signUpSomebody(server, 'The reader');
    const byReader = await verify(reader, secret);
    expect([byReader.statusCode, byReader.json().code]).toEqual([403, 'not_yours']);
    const nobody = await server.inject({
      method: 'POST',
      url: '/api/email/verify',
      payload: { token: secret },
    });
    expect(nobody.statusCode).toBe(401);
    // A session of the account that an identity provider opened.
    const token = await openSession(server.db, { personId: asha.id, issuer }, start);
    const byIssuer = await verify({ headers: { authorization: `Bearer ${token}` } }, secret);
    expect([byIssuer.statusCode, byIssuer.json().code]).toEqual([403, 'password_needed']);
    expect(await isVerified(asha)).toBe(false);
    // None of these used up the link.
    expect((await verify(asha, secret)).statusCode).toBe(200);
  });

  it('of an account that Google made, without a password, is verified in a session by Google', async () => {
    const secret = await secretFor(asha);
    await server.db.updateTable('people').set({ password_hash: null }).where('id', '=', asha.id).execute();
    const token = await openSession(server.db, { personId: asha.id, issuer }, start);
    expect((await verify({ headers: { authorization: `Bearer ${token}` } }, secret)).statusCode).toBe(200);
    expect(await isVerified(asha)).toBe(true);
  });

  it('is not verified by a link for another purpose, and its link does not reset a password', async () => {
    const proof = await secretFor(asha);
    const payload = { token: proof, password: 'a new password', cpassword: 'a new password' };
    const reset = await server.inject({ method: 'POST', url: '/api/password/reset', payload });
    expect(reset.json().code).toBe('link_over');
    await server.inject({ method: 'POST', url: '/api/password/forgot', payload: { email: asha.email } });
    expect((await verify(asha, await mailing.sendAll())).json().code).toBe('link_over');
  });

  it('can be verified for a day, and only while it is the address of the account', async () => {
    const late = await secretFor(asha);
    server.now.value = at(24 * 60 + 1);
    expect((await verify(asha, late)).json().code).toBe('link_over');
    const secret = await secretFor(asha);
    await server.db
      .updateTable('people')
      .set({ email: 'other@people.example', email_key: 'other@people.example' })
      .where('id', '=', asha.id)
      .execute();
    expect((await verify(asha, secret)).json().code).toBe('link_over');
  });

  it('is also verified by a password reset link', async () => {
    await server.inject({ method: 'POST', url: '/api/password/forgot', payload: { email: asha.email } });
    const payload = {
      token: await mailing.sendAll(),
      password: 'a new password',
      cpassword: 'a new password',
    };
    await server.inject({ method: 'POST', url: '/api/password/reset', payload });
    const signIn = { email: asha.email, password: 'a new password' };
    const { user } = (await server.inject({ method: 'POST', url: '/api/signin', payload: signIn })).json();
    expect(user.emailVerified).toBe(true);
  });

  it('can get a verification link even after many notices in the same hour', async () => {
    for (const minutes of [0, 11, 22, 33]) {
      server.now.value = at(minutes);
      await inTransaction(server.db, (trx) =>
        server.context.outbox.sendNotice(trx, asha.id, { act: 'address_needed' }, server.now.value),
      );
      await mailing.sendAll();
    }
    expect((await send(asha)).statusCode).toBe(200);
    expect(await mailing.sendAll()).toBeDefined();
  });

  it('gets at most three mails an hour, then the request is rejected', async () => {
    for (let place = 0; place < 3; place += 1) expect((await send(asha)).statusCode).toBe(200);
    const refused = await send(asha);
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'too_many_requests']);
    server.now.value = at(61);
    expect((await send(asha)).statusCode).toBe(200);
  });
});

describe('mails that strangers cause', () => {
  const post = (url: string, payload: object, headers = {}) =>
    server.inject({ method: 'POST', url, payload, headers });

  it.each([
    ['a new password for the address', () => post('/api/password/forgot', { email: asha.email })],
    [
      'a change of their own account to it',
      async () => {
        const stranger = await signUpSomebody(server, 'Stranger');
        return await post('/api/email/change', { email: asha.email }, stranger.headers);
      },
    ],
  ])('use up nothing that the owner asks for: %s', async (_, ask) => {
    for (let times = 0; times < 4; times += 1) await ask();
    // Sent before the owner asks, since the secret of the last mail is used.
    await mailing.sendAll();
    expect((await verify(asha, await secretFor(asha))).statusCode).toBe(200);
    const code = await post('/api/confirm/send-code', { act: 'export', params: {} }, asha.headers);
    expect(code.json()).toEqual({ status: 'ok' });
    const change = await post('/api/email/change', { email: `new.${asha.email}` }, asha.headers);
    expect(change.json()).toEqual({ status: 'ok' });
    await mailing.sendAll();
    expect(smtp.mails.filter(({ to }) => to.includes(`new.${asha.email}`))).toHaveLength(1);
  });

  it('by signing in elsewhere do not use up the way back by a new password', async () => {
    const stranger = await signUpSomebody(server, 'Stranger');
    for (let times = 0; times < 4; times += 1)
      await post('/api/email/change', { email: asha.email }, stranger.headers);
    await post('/api/password/forgot', { email: asha.email });
    await mailing.sendAll();
    expect(smtp.mails.map(({ subject }) => subject)).toContain('A new password for Jhalak');
  });
});

describe('Google', () => {
  const claims = (email: string, subject: string) => ({ issuer, subject, email, name: 'Asha', nonce: 'x' });
  const places = placesWith(Buffer.from('a secret of this test'));
  const signIn = (identity: IdentityClaims) =>
    signInWithIdentity(server.context, identity, { from: { address: '', userAgent: '', places } });

  it('verifies the address of an account that it makes', async () => {
    const { personId } = await signIn(claims('made@people.example', 'made'));
    const token = await inTransaction(server.db, (trx) => openSession(trx, { personId }, start));
    expect(await isVerified({ headers: { authorization: `Bearer ${token}` } })).toBe(true);
  });

  it('verifies the same address of an account that it is linked to, and no other address', async () => {
    const subject = asha.id;
    const identity = { issuer, subject, person_id: asha.id, linked_at: start };
    await server.db.insertInto('identities').values(identity).execute();
    await signIn(claims('another@people.example', subject));
    expect(await isVerified(asha)).toBe(false);
    await signIn(claims(asha.email.toUpperCase(), subject));
    expect(await isVerified(asha)).toBe(true);
  });

  it('does not verify an account that it is not linked to', async () => {
    await expect(signIn(claims(asha.email, 'a stranger'))).rejects.toThrow();
    expect(await isVerified(asha)).toBe(false);
  });
});
