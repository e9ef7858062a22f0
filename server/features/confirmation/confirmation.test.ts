import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { monthOf } from '#server/platform/clock.ts';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { startIssuer, type TestIssuer, testClientId } from '#testing/servers/issuer.ts';
import { enrolOperator } from '#testing/servers/operators.ts';
import { startSmtp } from '#testing/servers/smtp.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { addToMonths } from '../month-counts/months.ts';

const [minute, hour] = [60 * 1000, 60 * 60 * 1000];
const password = 'correct horse';
const start = new Date();

let issuer: TestIssuer;
let smtp: Awaited<ReturnType<typeof startSmtp>>;
let server: TestServer;
let asha: Person;
let binod: Person;
beforeAll(async () => {
  [issuer, smtp] = await Promise.all([startIssuer(), startSmtp()]);
  server = await startTestServer({
    OIDC_ISSUER: issuer.name,
    OIDC_CLIENT_ID: testClientId,
    SMTP_URL: smtp.url,
    ORIGIN: 'https://jhalak.example',
    ROLE: 'web',
  });
});
afterAll(async () => {
  await server.close();
  await issuer.close();
  await smtp.close();
});
beforeEach(async () => {
  server.now.value = start;
  [asha, binod] = [await signUpSomebody(server), await signUpSomebody(server)];
  // Sessions that a thief may have stolen: none of them is fresh.
  later(11 * minute);
});

const later = (milliseconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + milliseconds);
};
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  server.inject({ method: 'POST', url, payload, headers });
let subjects = 0;
async function idToken(change: object = {}): Promise<string> {
  subjects += 1;
  const sub = `confirming-${subjects}`;
  const { nonce } = (await post('/api/google-nonce', {})).json();
  const iat = Math.floor(server.now.value.getTime() / 1000);
  return issuer.sign({
    iss: issuer.name,
    aud: testClientId,
    sub,
    email: `${sub}@mail.example`,
    email_verified: true,
    name: 'Asha Rao',
    nonce,
    iat,
    exp: iat + 300,
    ...change,
  });
}

interface Case {
  act: string;
  /** Ids of the path and body of the request. */
  params: (person: Person) => Promise<Record<string, string>>;
  ask: (params: Record<string, string>) => { method: 'POST' | 'DELETE'; url: string; payload?: object };
}
const cases: Case[] = [
  {
    act: 'link_google',
    params: async () => ({ idToken: await idToken() }),
    ask: (payload) => ({ method: 'POST', url: '/api/link-google', payload }),
  },
  {
    act: 'unlink_google',
    params: async () => ({}),
    ask: () => ({ method: 'DELETE', url: '/api/link-google' }),
  },
  {
    act: 'change_email',
    params: async ({ id }) => ({ email: `new.${id}@people.example` }),
    ask: (payload) => ({ method: 'POST', url: '/api/email/change', payload }),
  },
  {
    act: 'delete_account',
    params: async ({ id }) => ({ userId: id }),
    ask: ({ userId }) => ({ method: 'DELETE', url: `/api/delete/${userId}` }),
  },
  {
    act: 'export',
    params: async () => ({}),
    ask: () => ({ method: 'POST', url: '/api/export', payload: {} }),
  },
];

const confirmBy = (person: Pick<Person, 'headers'>, form: object) =>
  post('/api/confirm', form, person.headers);
async function confirmed(person: Pick<Person, 'headers'>, act: string, params: object): Promise<string> {
  const answer = await confirmBy(person, { act, params, password });
  expect(answer.statusCode).toBe(200);
  return answer.json().confirmation;
}
async function logInAgain({ id, email }: Person) {
  const { data } = await call(server, { method: 'POST', url: '/api/signin', payload: { email, password } });
  return { id, email, headers: { authorization: `Bearer ${data}` } };
}
const isThere = async ({ email }: Person) =>
  (await post('/api/signin', { email, password })).statusCode === 200;

it('an account with unpaid coins cannot be deleted for 72 hours after a password reset by a link', async () => {
  const rich = await signUpSomebody(server);
  const poor = await signUpSomebody(server);
  await inTransaction(server.db, (trx) =>
    addToMonths(trx, [{ creatorId: rich.id, month: monthOf(server.now.value, 'Asia/Kolkata'), reels: 1 }]),
  );
  await server.db
    .updateTable('people')
    .set({ password_reset_at: server.now.value })
    .where('id', 'in', [rich.id, poor.id])
    .execute();
  const act = { act: 'delete_account', params: { userId: rich.id }, password };
  const confirmedAs = await confirmBy(rich, act);
  expect(confirmedAs.json().code).toBe('recently_changed');
  const remove = async ({ id, headers }: Person) =>
    (await server.inject({ method: 'DELETE', url: `/api/delete/${id}`, headers })).json();
  expect((await remove(rich)).code).toBe('recently_changed');
  expect((await remove(poor)).status).toBe('ok');
  await server.db
    .updateTable('people')
    .set({ password_reset_at: new Date(server.now.value.getTime() - 73 * 60 * 60 * 1000) })
    .where('id', '=', rich.id)
    .execute();
  expect((await remove(rich)).status).toBe('ok');
});

describe.each(cases)('$act (decisions §8)', ({ act, params, ask }) => {
  /** Sends the request with the token, with or without a confirmation. */
  async function run(headers: Record<string, string>, sent: Record<string, string>, confirmation?: string) {
    return await server.inject({
      ...ask(sent),
      headers: { ...headers, ...(confirmation ? { 'x-confirmation': confirmation } : {}) },
    });
  }
  const required = {
    code: 'confirmation_required',
    error: 'For your safety, log in again and repeat this within ten minutes.',
  };

  it('is refused without a token, and to another person', async () => {
    const sent = await params(asha);
    const nobody = await run({}, sent, await confirmed(asha, act, sent));
    expect(nobody.statusCode).toBe(401);
    // Another person with a confirmation for the same act, in a fresh session.
    const other = await logInAgain(binod);
    const theirs = await confirmed(other, act, sent);
    const answer = await run(other.headers, sent, theirs);
    if (act === 'delete_account') expect(answer.json()).toMatchObject({ code: 'not_yours' });
    expect(await isThere(asha)).toBe(true);
  });

  it('is refused with a stolen token and no confirmation', async () => {
    const answer = await run(asha.headers, await params(asha));
    expect([answer.statusCode, answer.json()]).toEqual([403, expect.objectContaining(required)]);
    expect(await isThere(asha)).toBe(true);
  });

  it('is refused with a confirmation of another session, person or act, and with a forged one', async () => {
    const sent = await params(asha);
    const again = await logInAgain(asha);
    const otherAct = cases.find((one) => one.act !== act && one.act !== 'link_google');
    const wrong = [
      await confirmed(again, act, sent),
      await confirmed(binod, act, sent),
      await confirmed(asha, otherAct?.act ?? '', (await otherAct?.params(asha)) ?? {}),
      'x'.repeat(43),
    ];
    for (const confirmation of wrong)
      expect((await run(asha.headers, sent, confirmation)).json()).toMatchObject(required);
    expect(await isThere(asha)).toBe(true);
  });

  it('is refused with a confirmation that is older than five minutes', async () => {
    const sent = await params(asha);
    const confirmation = await confirmed(asha, act, sent);
    later(5 * minute + 1000);
    expect((await run(asha.headers, sent, confirmation)).json()).toMatchObject(required);
  });

  it('is done once with its confirmation, and a replay is refused', async () => {
    const sent = await params(asha);
    const confirmation = await confirmed(asha, act, sent);
    expect((await run(asha.headers, sent, confirmation)).statusCode).toBe(200);
    const replayed = await run(asha.headers, sent, confirmation);
    if (act === 'delete_account') expect(replayed.statusCode).toBe(401);
    else expect(replayed.json()).toMatchObject(required);
  });

  it('is done once when the same confirmation arrives several times in parallel', async () => {
    const sent = await params(asha);
    const confirmation = await confirmed(asha, act, sent);
    const answers = await Promise.all(Array.from({ length: 6 }, () => run(asha.headers, sent, confirmation)));
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('needs no confirmation in a session opened with a password less than ten minutes ago, so that apps work', async () => {
    const again = await logInAgain(asha);
    later(9 * minute);
    expect((await run(again.headers, await params(asha))).statusCode).toBe(200);
  });
});

describe('a confirmation', () => {
  it('is valid for these parameters only', async () => {
    const [own, others] = [await idToken(), await idToken()];
    const confirmation = await confirmed(asha, 'link_google', { idToken: own });
    const answer = await post(
      '/api/link-google',
      { idToken: others },
      { ...asha.headers, 'x-confirmation': confirmation },
    );
    expect(answer.json().code).toBe('confirmation_required');
    expect((await call(server, { url: '/api/link-google', headers: asha.headers })).accounts).toEqual([]);
  });

  it('is stored only as a hash, and is deleted with its account', async () => {
    const confirmation = await confirmed(asha, 'delete_account', { userId: asha.id });
    const stored = () =>
      server.db.selectFrom('confirmations').selectAll().where('person_id', '=', asha.id).execute();
    expect(JSON.stringify(await stored())).not.toContain(confirmation);
    expect(await stored()).toHaveLength(1);
    await server.db.deleteFrom('people').where('id', '=', asha.id).execute();
    expect(await stored()).toEqual([]);
  });

  it.each([
    [{ act: 'export' }, 400, 'invalid_input'],
    [{ act: 'nothing', password }, 400, 'invalid_input'],
    [{ act: 'delete_account', params: { userId: 'x' }, password }, 400, 'invalid_input'],
    [{ act: 'export', password: 'a guess' }, 403, 'wrong_password'],
    [{ act: 'export', idToken: 'not one' }, 401, 'bad_identity'],
  ])('is not given for %j', async (form, status, code) => {
    const answer = await confirmBy(asha, form);
    expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
  });

  it('by guessed passwords is slowed down like logins', async () => {
    const answers: number[] = [];
    for (let guess = 0; guess < 8; guess += 1)
      answers.push(
        (
          await server.inject({
            method: 'POST',
            url: '/api/confirm',
            headers: asha.headers,
            payload: { act: 'export', password: `guess ${guess}` },
            remoteAddress: '203.0.113.77',
          })
        ).statusCode,
      );
    expect(answers.slice(0, 5)).toEqual(Array(5).fill(403));
    expect(answers.slice(5)).toEqual(Array(3).fill(429));
  });

  it('by guesses in one session is slowed down for all networks together', async () => {
    const guess = (number: number) =>
      server.inject({
        method: 'POST',
        url: '/api/confirm',
        headers: asha.headers,
        payload: { act: 'export', password: `guess ${number}` },
        remoteAddress: `203.0.113.${number}`,
      });
    for (let number = 1; number <= 5; number += 1) expect((await guess(number)).statusCode).toBe(403);
    expect((await guess(6)).statusCode).toBe(429);
  });

  it('works for its owner while others behind the same address guess the password at login', async () => {
    const remoteAddress = '203.0.113.78';
    for (let guess = 0; guess < 6; guess += 1)
      await server.inject({
        method: 'POST',
        url: '/api/signin',
        payload: { email: asha.email, password: `guess ${guess}` },
        remoteAddress,
      });
    const answer = await server.inject({
      method: 'POST',
      url: '/api/confirm',
      headers: asha.headers,
      payload: { act: 'export', password },
      remoteAddress,
    });
    expect(answer.statusCode).toBe(200);
  });
});

describe('Google as a confirmation', () => {
  const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  /** Links a Google account in a fresh session and returns its subject. */
  async function linkTo(person: Person): Promise<string> {
    const sub = `linked-${person.id}`;
    const { headers } = await logInAgain(person);
    expect((await post('/api/link-google', { idToken: await idToken({ sub }) }, headers)).statusCode).toBe(
      200,
    );
    return sub;
  }
  const exportBy = (headers: Record<string, string>) => post('/api/export', {}, headers);

  it('that was linked less than 72 hours ago confirms nothing, neither by a token nor by a fresh session', async () => {
    const sub = await linkTo(asha);
    later(71 * hour);
    const refused = await confirmBy(asha, { act: 'export', idToken: await idToken({ sub }) });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'recently_changed']);
    const { token } = (await post('/api/google-loginweb', { idToken: await idToken({ sub }) })).json();
    expect((await exportBy(bearer(token).headers)).json().code).toBe('confirmation_required');
    later(2 * hour);
    const { confirmation } = (
      await confirmBy(asha, { act: 'export', idToken: await idToken({ sub }) })
    ).json();
    expect((await exportBy({ ...asha.headers, 'x-confirmation': confirmation })).statusCode).toBe(200);
  });

  it('that made the account can confirm at once', async () => {
    const sub = `made-${asha.id}`;
    const { token } = (await post('/api/google-loginweb', { idToken: await idToken({ sub }) })).json();
    expect((await exportBy(bearer(token).headers)).statusCode).toBe(200);
    later(11 * minute);
    expect((await exportBy(bearer(token).headers)).statusCode).toBe(403);
    const { confirmation } = (
      await confirmBy(bearer(token), { act: 'export', idToken: await idToken({ sub }) })
    ).json();
    expect((await exportBy({ ...bearer(token).headers, 'x-confirmation': confirmation })).statusCode).toBe(
      200,
    );
    const byPassword = await confirmBy(bearer(token), { act: 'export', password });
    expect(byPassword.json().code).toBe('no_password');
  });

  it('of another person confirms nothing', async () => {
    const sub = await linkTo(binod);
    later(73 * hour);
    const refused = await confirmBy(asha, { act: 'export', idToken: await idToken({ sub }) });
    expect(refused.json().code).toBe('bad_identity');
  });

  it('cannot be linked with a stolen token: the owner who changes the password keeps the account', async () => {
    const sub = `thief-${asha.id}`;
    const refused = await post('/api/link-google', { idToken: await idToken({ sub }) }, asha.headers);
    expect(refused.statusCode).toBe(403);
    const opened = await post('/api/google-loginweb', { idToken: await idToken({ sub }) });
    expect(opened.json().user?._id).not.toBe(asha.id);
  });
});

describe('for 72 hours after a password reset by a link', () => {
  beforeEach(async () => {
    await server.db
      .updateTable('people')
      .set({ password_reset_at: server.now.value })
      .where('id', '=', asha.id)
      .execute();
  });

  it('neither a fresh session nor the password can link or unlink; afterwards both can', async () => {
    later(71 * hour);
    const refusal = { code: 'recently_changed' };
    const again = await logInAgain(asha);
    const unlink = (headers: Record<string, string>) =>
      server.inject({ method: 'DELETE', url: '/api/link-google', headers });
    expect((await unlink(again.headers)).json()).toMatchObject(refusal);
    expect(
      (await post('/api/link-google', { idToken: await idToken() }, again.headers)).json(),
    ).toMatchObject(refusal);
    expect((await confirmBy(asha, { act: 'unlink_google', password })).json()).toMatchObject(refusal);
    expect((await confirmBy(asha, { act: 'export', password })).statusCode).toBe(200);
    later(2 * hour);
    expect((await unlink((await logInAgain(asha)).headers)).statusCode).toBe(200);
  });

  it('a Google account linked long before can neither link, unlink nor change the address, even in its own fresh session', async () => {
    // A thief of the mailbox also has its Google account.
    const sub = `mailbox-${asha.id}`;
    const { headers } = await logInAgain(asha);
    await server.db
      .updateTable('people')
      .set({ password_reset_at: null })
      .where('id', '=', asha.id)
      .execute();
    expect((await post('/api/link-google', { idToken: await idToken({ sub }) }, headers)).statusCode).toBe(
      200,
    );
    later(100 * hour);
    const resetAt = server.now.value;
    await server.db
      .updateTable('people')
      .set({ password_reset_at: resetAt })
      .where('id', '=', asha.id)
      .execute();
    later(71 * hour);
    const { token } = (await post('/api/google-loginweb', { idToken: await idToken({ sub }) })).json();
    const thief = { headers: { authorization: `Bearer ${token}` } };
    const address = { email: 'thief@mail.example' };
    const acts = [
      { act: 'unlink_google', params: {} },
      { act: 'change_email', params: address },
    ];
    for (const form of acts) {
      const answer = await confirmBy(thief, { ...form, idToken: await idToken({ sub }) });
      expect([form.act, answer.json().code]).toEqual([form.act, 'recently_changed']);
    }
    const calls = [
      { method: 'DELETE', url: '/api/link-google' },
      { method: 'POST', url: '/api/email/change', payload: address },
    ] as const;
    for (const one of calls) {
      const answer = await server.inject({ ...one, headers: thief.headers });
      expect([one.url, answer.json().code]).toEqual([one.url, 'recently_changed']);
    }
    expect((await post('/api/export', {}, thief.headers)).statusCode).toBe(200);
    later(hour);
    const owner = await confirmBy(thief, { ...acts[1], idToken: await idToken({ sub }) });
    expect(owner.statusCode).toBe(200);
  });

  it('an operator’s authenticator confirms operator acts, but acts about their own address only later; the refusal uses up no code', async () => {
    const { recoveryCodes } = await enrolOperator(server, asha, server.now.value);
    const [first = '', second = ''] = recoveryCodes;
    const own = { act: 'change_email', params: { email: 'asha@mail.example' } };
    later(71 * hour);
    const headers = (await logInAgain(asha)).headers;
    expect((await post('/api/second-factor/give', { totp: first }, headers)).statusCode).toBe(200);
    const refused = await confirmBy({ headers }, { ...own, totp: second });
    expect([refused.statusCode, refused.json().code]).toEqual([403, 'recently_changed']);
    const role = { act: 'set_role', params: { id: binod.id, role: 'administrator' } };
    later(11 * minute);
    const { confirmation: forRole } = (await confirmBy({ headers }, { ...role, totp: second })).json();
    const made = await post(
      `/api/operator/people/role/${binod.id}`,
      { role: 'administrator' },
      { ...headers, 'x-confirmation': forRole },
    );
    expect(made.statusCode).toBe(200);
    later(hour);
    const { confirmation } = (await confirmBy({ headers }, { ...own, totp: recoveryCodes[2] })).json();
    const changed = await post('/api/email/change', own.params, {
      ...headers,
      'x-confirmation': confirmation,
    });
    expect(changed.statusCode).toBe(200);
  });

  it('a code of the authenticator in a session of a mailbox thief confirms nothing either', async () => {
    const { recoveryCodes } = await enrolOperator(server, asha, server.now.value);
    const thief = await logInAgain(asha);
    for (const form of [
      { act: 'change_email', params: { email: 'thief@mail.example' } },
      { act: 'unlink_google', params: {} },
    ]) {
      // The operator was tricked into telling a code.
      const answer = await confirmBy(thief, { ...form, totp: recoveryCodes[0] });
      expect([form.act, answer.json().code]).toEqual([form.act, 'recently_changed']);
    }
  });
});
