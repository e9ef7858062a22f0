import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { contextAt } from '#testing/context.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { deleteExpiredSessions } from './sessions.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const form = {
  name: 'मीरा Nair',
  username: 'meera.nair',
  email: 'Meera@People.example',
  password: 'a password',
  cpassword: 'a password',
};
const signUp = (change: object = {}) =>
  server.inject({ method: 'POST', url: '/api/signup', payload: { ...form, ...change } });
const signIn = (email: string, password: string) =>
  server.inject({ method: 'POST', url: '/api/signin', payload: { email, password } });
const userData = (token: string) =>
  server.inject({ method: 'POST', url: '/api/userdata', payload: { token } });
const countPeople = async () =>
  Number(
    (
      await server.db
        .selectFrom('people')
        .select((eb) => eb.fn.countAll().as('n'))
        .executeTakeFirstOrThrow()
    ).n,
  );

describe('sign-up (specification §5, §8)', () => {
  it('stores and returns names byte for byte', async () => {
    const response = await signUp();
    expect(response.statusCode).toBe(200);
    expect(response.json().user).toMatchObject({
      name: 'मीरा Nair',
      username: 'meera.nair',
      email: 'Meera@people.example',
    });
    expect(response.body).not.toContain('password');
  });

  it.each(['name', 'username', 'email', 'password', 'cpassword'])(
    'without %s says "All fields are required"',
    async (field) => {
      const before = await countPeople();
      for (const change of [{ [field]: undefined }, { [field]: '' }, { [field]: null }, { [field]: 7 }]) {
        const response = await signUp({ username: 'new', email: 'new@people.example', ...change });
        expect(response.statusCode).toBe(400);
        expect(response.json()).toMatchObject({
          status: 'error',
          error: 'All fields are required',
          code: 'missing_fields',
        });
      }
      expect(await countPeople()).toBe(before);
    },
  );

  it('refuses two different passwords with a sentence that says so', async () => {
    const response = await signUp({ username: 'new', email: 'new@people.example', cpassword: 'another' });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      error: 'Password and Confirm Password must be same',
      code: 'password_mismatch',
    });
  });

  it('answers one sentence for each wrong field', async () => {
    const wrong = { username: 'no spaces', email: 'nope', cpassword: 'another' };
    const response = await signUp(wrong);
    expect(response.statusCode).toBe(400);
    const said = (response.json().fields as { field: string; code: string }[]).map(({ field, code }) => [
      field,
      code,
    ]);
    expect(said).toEqual([
      ['username', 'invalid_input'],
      ['email', 'invalid_input'],
      ['cpassword', 'password_mismatch'],
    ]);
  });

  it('reports both the e-mail address and the username if both are taken', async () => {
    const response = await signUp({ username: 'MEERA.nair', email: 'mEERA@people.EXAMPLE' });
    expect(response.statusCode).toBe(409);
    const { code, fields } = response.json() as { code: string; fields: { code: string }[] };
    expect(code).toBe('email_taken');
    expect(fields.map((one) => one.code)).toEqual(['email_taken', 'username_taken']);
  });

  it.each([
    ['e-mail', { username: 'other', email: 'mEERA@people.EXAMPLE' }, 'email_taken'],
    ['username', { username: 'MEERA.nair', email: 'other@people.example' }, 'username_taken'],
  ])('refuses a taken %s in any case of letters', async (_what, change, code) => {
    const before = await countPeople();
    const response = await signUp(change);
    expect(response.statusCode).toBe(409);
    expect(response.json().code).toBe(code);
    expect(await countPeople()).toBe(before);
  });

  it('creates one account when many sign-ups use one e-mail address at the same time', async () => {
    const tries = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        signUp({ username: `racer${index}`, email: 'racer@people.example' }),
      ),
    );
    expect(tries.map((response) => response.statusCode).sort()).toEqual([200, ...Array(7).fill(409)]);
  });

  it('ignores fields that the form does not have', async () => {
    await signUp({
      username: 'forger',
      email: 'forger@people.example',
      role: 'operator',
      follower_count: 9,
      __proto__: { role: 'operator' },
    });
    const row = await server.db
      .selectFrom('people')
      .selectAll()
      .where('username', '=', 'forger')
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ role: 'person', follower_count: 0 });
    expect(row.password_hash).toMatch(/^\$argon2id\$/);
  });
});

describe('sign-in (specification §5, §8)', () => {
  it('answers the user and the token, whatever the case of the e-mail address', async () => {
    const response = await signIn('MEERA@PEOPLE.EXAMPLE', form.password);
    expect(response.statusCode).toBe(200);
    expect(response.json()).toMatchObject({
      status: 'ok',
      user: { username: 'meera.nair' },
      data: expect.any(String),
    });
  });

  it.each([
    ['a wrong password', form.email, 'not it'],
    ['an unknown address', 'nobody@people.example', form.password],
  ])('answers "Invalid credentials" to %s', async (_what, email, password) => {
    const response = await signIn(email, password);
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({ error: 'Invalid credentials', message: 'Invalid credentials' });
  });

  it('answers "All fields are required" if a field is missing', async () => {
    expect((await signIn('', 'x')).json().error).toBe('All fields are required');
    expect((await signIn(form.email, '')).json().error).toBe('All fields are required');
  });
});

describe('the token (decisions §2)', () => {
  it('identifies its person, in the body or as bearer token, and the user is sent at data and at data.data', async () => {
    const person = await signUpSomebody(server);
    const inBody = (await userData(person.token)).json();
    expect(inBody.data.email).toBe(person.email);
    expect(inBody.data.data.email).toBe(person.email);
    const asBearer = await server.inject({
      method: 'POST',
      url: '/api/userdata',
      headers: person.headers,
      payload: {},
    });
    expect(asBearer.json().data._id).toBe(person.id);
  });

  it('is stored only as a hash', async () => {
    const person = await signUpSomebody(server);
    const stored = await server.db.selectFrom('sessions').selectAll().execute();
    expect(JSON.stringify(stored)).not.toContain(person.token);
  });

  it.each(['', 'nonsense', 'x'.repeat(200)])('is invalid when it is %j', async (token) => {
    const response = await userData(token);
    expect(response.statusCode).toBe(401);
    expect(response.json().code).toBe('not_signed_in');
  });

  it('is invalid after logout', async () => {
    const person = await signUpSomebody(server);
    for (const _ of [1, 2]) {
      const out = await server.inject({ method: 'POST', url: '/api/logout', headers: person.headers });
      expect(out.statusCode).toBe(200);
    }
    expect((await userData(person.token)).statusCode).toBe(401);
  });

  const logOut = (headers: Person['headers'], payload?: object) =>
    server.inject({ method: 'POST', url: '/api/logout', headers, ...(payload ? { payload } : {}) });
  async function signInAgain({ email }: Person): Promise<string> {
    const payload = { email, password: 'correct horse' };
    return (await server.inject({ method: 'POST', url: '/api/signin', payload })).json().data;
  }

  it.each([undefined, {}, { everywhere: false }])(
    'lives on where another session of its person logs out with %o',
    async (payload) => {
      const person = await signUpSomebody(server);
      const elsewhere = await signInAgain(person);
      expect((await logOut(person.headers, payload)).statusCode).toBe(200);
      expect((await userData(person.token)).statusCode).toBe(401);
      expect((await userData(elsewhere)).statusCode).toBe(200);
    },
  );

  it('is invalid on all devices after {everywhere: true}, and other people stay signed in', async () => {
    const [person, other] = [await signUpSomebody(server), await signUpSomebody(server)];
    const elsewhere = await signInAgain(person);
    expect((await logOut(person.headers, { everywhere: true })).statusCode).toBe(200);
    for (const token of [person.token, elsewhere]) expect((await userData(token)).statusCode).toBe(401);
    expect((await userData(other.token)).statusCode).toBe(200);
    // An ended session cannot end others.
    const later = await signInAgain(person);
    await logOut(person.headers, { everywhere: true });
    expect((await userData(later)).statusCode).toBe(200);
  });

  it.each([[{ everywhere: 'yes' }], [{ everywhere: 1 }], [[]]])(
    'survives a logout that says %j: that is 400',
    async (payload) => {
      const person = await signUpSomebody(server);
      expect((await logOut(person.headers, payload)).statusCode).toBe(400);
      expect((await userData(person.token)).statusCode).toBe(200);
    },
  );

  it('expires after 30 days without use, and use extends it', async () => {
    const person = await signUpSomebody(server);
    const day = 24 * 60 * 60 * 1000;
    const start = Date.now();
    for (const days of [29, 58, 87]) {
      server.now.value = new Date(start + days * day);
      expect((await userData(person.token)).statusCode).toBe(200);
    }
    server.now.value = new Date(start + 118 * day);
    expect((await userData(person.token)).statusCode).toBe(401);
    server.now.value = new Date(start);
  });

  it('expires 180 days after it was created, even with daily use, and its row is deleted', async () => {
    const person = await signUpSomebody(server);
    const day = 24 * 60 * 60 * 1000;
    const start = Date.now();
    for (let days = 20; days < 180; days += 20) {
      server.now.value = new Date(start + days * day);
      expect((await userData(person.token)).statusCode).toBe(200);
    }
    server.now.value = new Date(start + 179.9 * day);
    expect((await userData(person.token)).statusCode).toBe(200);
    await deleteExpiredSessions(contextAt(server.db, server.now.value));
    expect((await userData(person.token)).statusCode).toBe(200);
    server.now.value = new Date(start + 180.1 * day);
    expect((await userData(person.token)).statusCode).toBe(401);
    await deleteExpiredSessions(contextAt(server.db, server.now.value));
    const left = await server.db.selectFrom('sessions').where('person_id', '=', person.id).execute();
    expect(left).toEqual([]);
    server.now.value = new Date(start);
  });
});
