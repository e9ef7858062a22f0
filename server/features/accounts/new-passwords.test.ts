import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, signUpSomebody, startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { hashPassword } from './passwords.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ ROLE: 'web' });
});
afterAll(() => server.close());

const post = (url: string, payload: object, headers = {}) =>
  server.inject({ method: 'POST', url, payload, headers });
const owner = { name: 'Meera Joshi', username: 'meera.j', email: 'Meera_Films@people.example' };

const weak = [
  ['1', 'Please choose a password of at least 8 characters.'],
  ['seven77', 'Please choose a password of at least 8 characters.'],
  // Four of them are eight UTF-16 units.
  ['😀😀😀😀', 'Please choose a password of at least 8 characters.'],
  ['password', 'Too many people use this password. Please choose another one.'],
  ['P@ssw0rd', 'Too many people use this password. Please choose another one.'],
  ['1234567890', 'Too many people use this password. Please choose another one.'],
  ['MeeraJoshi', 'Please choose a password that is not your name or address.'],
  ['meera.joshi1999', 'Please choose a password that is not your name or address.'],
  ['meera_films@people.example', 'Please choose a password that is not your name or address.'],
  ['MeeraFilms!', 'Please choose a password that is not your name or address.'],
] as const;

describe('a new password', () => {
  it.each(weak)('%s is refused at sign-up with its own sentence', async (password, sentence) => {
    const answer = await post('/api/signup', { ...owner, password, cpassword: password });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ code: 'weak_password', error: sentence, field: 'password' });
  });

  it.each(['ten thousand rivers', 'मेरा लंबा पासवर्ड', 'x7&kq!2p', 'o8842!917401m'])(
    '%s is accepted',
    async (password) => {
      const username = `om${[...password].length}`;
      const form = {
        name: 'Om',
        username,
        email: `${username}@people.example`,
        password,
        cpassword: password,
      };
      expect((await post('/api/signup', form)).statusCode).toBe(200);
    },
  );

  it('is refused with the sentences of the specification if fields are missing or differ', async () => {
    const missing = await post('/api/signup', { ...owner, password: '', cpassword: '' });
    expect(missing.json()).toMatchObject({ code: 'missing_fields', error: 'All fields are required' });
    const differ = await post('/api/signup', { ...owner, password: '1', cpassword: '2' });
    expect(differ.json()).toMatchObject({
      code: 'password_mismatch',
      error: 'Password and Confirm Password must be same',
    });
  });

  it('is refused in a password change if it is weak, and the old one still works', async () => {
    const person = await signUpSomebody(server, 'Ravi Menon');
    for (const newPassword of ['letmein1', 'short', 'ravi menon', person.username]) {
      const change = { password: 'correct horse', newPassword, cpassword: newPassword };
      const answer = await post('/api/profile/password', change, person.headers);
      expect([answer.statusCode, answer.json().code, answer.json().field]).toEqual([
        400,
        'weak_password',
        'newPassword',
      ]);
    }
    const signIn = { email: person.email, password: 'correct horse' };
    expect((await post('/api/signin', signIn)).statusCode).toBe(200);
  });

  it('is not required of people who already have a weak one', async () => {
    const person = await signUpSomebody(server);
    await server.db
      .updateTable('people')
      .set({ password_hash: await hashPassword('1') })
      .where('id', '=', person.id)
      .execute();
    await call(server, {
      method: 'POST',
      url: '/api/signin',
      payload: { email: person.email, password: '1' },
    });
    const change = { password: '1', newPassword: 'ten thousand rivers', cpassword: 'ten thousand rivers' };
    expect((await post('/api/profile/password', change, person.headers)).statusCode).toBe(200);
  });
});
