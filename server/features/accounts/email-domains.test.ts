import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startIssuer, type TestIssuer, testClientId } from '#testing/servers/issuer.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import type { TestServer } from '#testing/servers/test-server.ts';

let issuer: TestIssuer;
let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let server: TestServer;
beforeAll(async () => {
  issuer = await startIssuer();
  mailing = await startMailingServer({ OIDC_ISSUER: issuer.name, OIDC_CLIENT_ID: testClientId });
  ({ server } = mailing);
  server.now.value = new Date();
});
afterAll(async () => {
  await mailing?.close();
  await issuer?.close();
});

const password = 'correct horse';
const post = (url: string, payload: object, headers = {}) =>
  server.inject({ method: 'POST', url, payload, headers });
let people = 0;
const signUp = (email: string) => {
  people += 1;
  const username = `domain${process.pid}x${people}`;
  return post('/api/signup', { name: 'Asha', username, email, password, cpassword: password });
};
const signIn = (email: string) => post('/api/signin', { email, password });
async function logInByGoogle(email: string) {
  const { nonce } = (await post('/api/google-nonce', {})).json();
  const now = Math.floor(server.now.value.getTime() / 1000);
  const claims = { iss: issuer.name, aud: testClientId, sub: email, email, email_verified: true, nonce };
  return await post('/api/google-loginweb', {
    idToken: await issuer.sign({ ...claims, name: 'Asha', iat: now, exp: now + 300 }),
  });
}

describe.each([
  ['asha@डाटा.भारत', 'asha@xn--c2bd1gb.XN--h2brj9c', 'asha@xn--c2bd1gb.xn--h2brj9c'],
  ['ravi@xn--c2bd1gb.xn--h2brj9c', 'ravi@डाटा.भारत', 'ravi@xn--c2bd1gb.xn--h2brj9c'],
  ['mona@भारत.example', 'mona@xn--h2brj9c.example', 'mona@xn--h2brj9c.example'],
])('an account of %s', (typed, other, normal) => {
  it('is stored in one form, and found by each form', async () => {
    expect((await signUp(typed)).json().user).toMatchObject({ email: normal });
    for (const form of [typed, other, normal]) expect((await signIn(form)).statusCode).toBe(200);
    expect((await signUp(other)).json()).toMatchObject({ code: 'email_taken' });
    expect((await logInByGoogle(other)).json()).toMatchObject({ code: 'email_taken' });
  });

  it('gets a new password by each form, mailed to the one form', async () => {
    mailing.smtp.mails.length = 0;
    expect((await post('/api/password/forgot', { email: other })).statusCode).toBe(200);
    await mailing.sendAll();
    expect(mailing.smtp.mails).toMatchObject([{ subject: 'A new password for Jhalak' }]);
    expect(mailing.smtp.mails[0]?.raw).toContain(`\r\nTo: ${normal}\r\n`);
  });
});

it('an address changes to one of another domain, which gets the mail', async () => {
  await signUp('plain@people.example');
  const { data: token } = (await signIn('plain@people.example')).json();
  mailing.smtp.mails.length = 0;
  const answer = await post(
    '/api/email/change',
    { email: 'plain@डाटा.भारत' },
    { authorization: `Bearer ${token}` },
  );
  expect(answer.json()).toEqual({ status: 'ok' });
  await mailing.sendAll();
  expect(mailing.smtp.mails[0]?.raw).toContain('\r\nTo: plain@xn--c2bd1gb.xn--h2brj9c\r\n');
});

it('a person comes by Google with such an address, and logs in with it in the other form', async () => {
  expect((await logInByGoogle('gita@डाटा.भारत')).json().user).toMatchObject({
    email: 'gita@xn--c2bd1gb.xn--h2brj9c',
  });
  expect((await signUp('gita@xn--c2bd1gb.xn--h2brj9c')).json()).toMatchObject({ code: 'email_taken' });
});

it('the contact form takes such an address', async () => {
  const message = {
    name: 'Asha',
    email: 'asha@डाटा.भारत',
    phone: '९८७६५ ४३२१०',
    text: 'Hello from a new domain',
  };
  expect((await post('/api/contact/contact', message)).statusCode).toBe(200);
  const stored = await server.db
    .selectFrom('messages')
    .select(['email', 'phone'])
    .where('text', '=', message.text)
    .execute();
  expect(stored).toEqual([{ email: 'asha@xn--c2bd1gb.xn--h2brj9c', phone: '98765 43210' }]);
});
