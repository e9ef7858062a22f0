import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

let server: TestServer;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  asha = await signUpSomebody(server);
});

const change = (change: object = {}, remoteAddress?: string) =>
  server.inject({
    method: 'POST',
    ...(remoteAddress ? { remoteAddress } : {}),
    url: '/api/profile/password',
    headers: asha.headers,
    payload: {
      password: 'correct horse',
      newPassword: 'a new battery',
      cpassword: 'a new battery',
      ...change,
    },
  });
const signIn = async (password: string) =>
  (await server.inject({ method: 'POST', url: '/api/signin', payload: { email: asha.email, password } }))
    .statusCode;
const isProcessAlive = async (token: string) =>
  (await server.inject({ method: 'POST', url: '/api/userdata', payload: { token } })).statusCode === 200;

describe('changing one’s password (decisions §2, §5)', () => {
  it('ends every session and opens a new one', async () => {
    const other = (
      await server.inject({
        method: 'POST',
        url: '/api/signin',
        payload: { email: asha.email, password: 'correct horse' },
      })
    ).json().data;
    const { data } = (await change()).json();
    expect(await Promise.all([asha.token, other, data].map(isProcessAlive))).toEqual([false, false, true]);
    expect([await signIn('correct horse'), await signIn('a new battery')]).toEqual([401, 200]);
  });

  it('leaves no session of a parallel login with the old password', async () => {
    const email = asha.email;
    const logins = Array.from({ length: 4 }, () =>
      server.inject({ method: 'POST', url: '/api/signin', payload: { email, password: 'correct horse' } }),
    );
    const [changed, ...answers] = await Promise.all([change(), ...logins]);
    expect(changed.statusCode).toBe(200);
    for (const answer of answers)
      if (answer.statusCode === 200) expect(await isProcessAlive(answer.json().data)).toBe(false);
  });

  it.each([
    [{ password: 'a guess' }, 403, 'wrong_password'],
    [{ cpassword: 'another' }, 400, 'password_mismatch'],
    [{ newPassword: '' }, 400, 'missing_fields'],
  ])('refuses %j and changes nothing', async (form, status, code) => {
    const refused = await change(form);
    expect([refused.statusCode, refused.json().code]).toEqual([status, code]);
    expect(await isProcessAlive(asha.token)).toBe(true);
    expect(await signIn('correct horse')).toBe(200);
  });

  it('is not paused by a neighbour who guesses from the same address', async () => {
    const remoteAddress = '10.8.0.1';
    const payload = { email: asha.email, password: 'a guess' };
    for (let tries = 0; tries < 6; tries += 1)
      await server.app.inject({ method: 'POST', url: '/api/signin', remoteAddress, payload });
    const right = { email: asha.email, password: 'correct horse' };
    const refused = await server.app.inject({
      method: 'POST',
      url: '/api/signin',
      remoteAddress,
      payload: right,
    });
    expect(refused.statusCode).toBe(429);
    expect((await change({}, remoteAddress)).statusCode).toBe(200);
  });

  it('has five tries in a session, which may be stolen, from all addresses together', async () => {
    const seen: number[] = [];
    for (let tries = 0; tries < 8; tries += 1)
      seen.push((await change({ password: `guess ${tries}` }, `10.8.1.${tries}`)).statusCode);
    expect(seen).toEqual([403, 403, 403, 403, 403, 429, 429, 429]);
    expect((await change({}, '10.8.1.99')).statusCode).toBe(429);
    // The owner can still log in elsewhere.
    expect(await signIn('correct horse')).toBe(200);
  });

  it('leaves one password and one valid session if two changes run at once', async () => {
    const answers = await Promise.all([
      change(),
      change({ newPassword: 'a new staple', cpassword: 'a new staple' }),
    ]);
    const [changed, ...others] = answers.filter(({ statusCode }) => statusCode === 200);
    expect(others).toEqual([]);
    expect(await isProcessAlive(changed?.json().data)).toBe(true);
    const words = ['a new battery', 'a new staple', 'correct horse'];
    const statuses = await Promise.all(words.map(signIn));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses[2]).toBe(401);
  });
});
