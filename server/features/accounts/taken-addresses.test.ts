import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { signUpSomebody, startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { deleteOldGuesses } from './guesses.ts';

let server: TestServer;
const start = new Date();
const later = (minutes: number) => {
  server.now.value = new Date(start.getTime() + minutes * 60_000);
};
beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
});
afterAll(() => server.close());
let networks = 0;
let network = '';
beforeEach(() => {
  server.now.value = start;
  networks += 1;
  network = `198.51.100.${networks}`;
});

let people = 0;
const freshName = () => {
  people += 1;
  return `newcomer${process.pid}x${people}`;
};
function signUp(email: string, { username = freshName(), remoteAddress = network } = {}) {
  const password = 'ten thousand rivers';
  const payload = { name: 'Newcomer', username, email, password, cpassword: password };
  return server.inject({ method: 'POST', url: '/api/signup', payload, remoteAddress });
}
const said = async (...asked: Parameters<typeof signUp>) => {
  const { code, error, field, fields } = (await signUp(...asked)).json();
  return { code, error, field, fields };
};
const taken = { code: 'email_taken', error: 'An account with this email already exists.' };
const refused = {
  code: 'sign_up_refused',
  error:
    'We could not create this account. If you may have one already, log in or choose a new password; otherwise try again later.',
};
async function useUp(email: string, remoteAddress = network): Promise<void> {
  for (let count = 0; count < 5; count += 1)
    expect(await said(email, { remoteAddress })).toMatchObject(taken);
}

describe('whether an e-mail address has an account', () => {
  it('is revealed five times an hour to a network, then no longer', async () => {
    const { email } = await signUpSomebody(server);
    await useUp(email);
    const answer = await signUp(email);
    expect([answer.statusCode, answer.json()]).toEqual([409, expect.objectContaining(refused)]);
    expect(answer.json()).not.toHaveProperty('field', 'email');
    later(59);
    expect(await said(email)).toMatchObject(refused);
    later(61);
    expect(await said(email)).toMatchObject(taken);
  });

  it('is revealed again an hour after the first time, however the five are spread', async () => {
    const { email } = await signUpSomebody(server);
    for (const minute of [0, 14, 28, 42, 56]) {
      later(minute);
      expect(await said(email)).toMatchObject(taken);
    }
    later(58);
    expect(await said(email)).toMatchObject(refused);
    later(61);
    expect(await said(email)).toMatchObject(taken);
  });

  it('is not withheld for longer by repeated requests', async () => {
    const { email } = await signUpSomebody(server);
    await useUp(email);
    for (const minute of [15, 30, 45, 59]) {
      later(minute);
      expect(await said(email)).toMatchObject(refused);
    }
    later(61);
    expect(await said(email)).toMatchObject(taken);
  });

  it('is revealed five times, also to parallel requests', async () => {
    const { email } = await signUpSomebody(server);
    const answers = await Promise.all(Array.from({ length: 12 }, () => said(email)));
    expect(answers.filter(({ code }) => code === 'email_taken')).toHaveLength(5);
  });

  it('is counted once for all addresses of an IPv6 /48', async () => {
    const { email } = await signUpSomebody(server);
    for (let count = 0; count < 5; count += 1)
      expect(await said(email, { remoteAddress: `2001:db8:77:${count}::1` })).toMatchObject(taken);
    expect(await said(email, { remoteAddress: '2001:db8:77:ff::1' })).toMatchObject(refused);
    expect(await said(email, { remoteAddress: '2001:db8:78::1' })).toMatchObject(taken);
  });

  it('is not revealed by a username that is known to be taken', async () => {
    const { email, username } = await signUpSomebody(server);
    expect((await said(email, { username })).fields).toHaveLength(2);
    for (let count = 0; count < 4; count += 1) expect(await said(email)).toMatchObject(taken);
    const [known, unknown] = [
      await said(email, { username }),
      await said(`nobody.${freshName()}@people.example`, { username }),
    ];
    expect(known).toEqual(unknown);
    expect(known).toMatchObject({ code: 'username_taken', field: 'username' });
  });

  it('being withheld does not stop others behind the same address from signing up with a free one', async () => {
    const { email } = await signUpSomebody(server);
    await useUp(email);
    for (let count = 0; count < 20; count += 1) {
      const name = freshName();
      expect((await signUp(`${name}@people.example`, { username: name })).statusCode).toBe(200);
    }
  });

  it('is counted under a hash that is deleted after an hour', async () => {
    const { email } = await signUpSomebody(server);
    await useUp(email);
    const rows = () =>
      server.db.selectFrom('password_guesses').select('kind').where('kind', '=', 7).execute();
    expect(await rows()).not.toEqual([]);
    // Counters of other tests may have started up to an hour later.
    later(130);
    await deleteOldGuesses(server.context);
    expect(await rows()).toEqual([]);
  });
});
