import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { anotherRecoveryCode, appCode, enrolOperator, makeOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { invite } from './second-factor.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];
const password = 'correct horse';
const start = new Date();

let server: TestServer;
let ravi: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.now.value = start;
  ravi = await signUpSomebody(server, 'Ravi');
  await server.db.updateTable('people').set({ role: 'operator' }).where('id', '=', ravi.id).execute();
});

const later = (milliseconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + milliseconds);
};
type Headers = Record<string, string>;
const post = (path: string, payload: object, headers: Headers = {}) =>
  server.inject({ method: 'POST', url: `/api/${path}`, payload, headers });
const log = (headers: Headers) => server.inject({ url: '/api/operator/log', headers });
const result = ({ statusCode, json }: { statusCode: number; json: () => { code?: string } }) =>
  `${statusCode} ${json().code ?? ''}`.trim();
const enrol = (person = ravi) => enrolOperator(server, person, server.now.value);
const codeNow = (secret: string) => appCode(secret, server.now.value);
const give = async (headers: Headers, totp: string) =>
  result(await post('second-factor/give', { totp }, headers));
const invitation = () => inTransaction(server.db, (trx) => invite(trx, ravi.id, server.now.value));
async function logInAgain({ email }: Person): Promise<Headers> {
  const { data } = await call(server, { method: 'POST', url: '/api/signin', payload: { email, password } });
  return { authorization: `Bearer ${data}` };
}
const kinds = async ({ id }: Person) =>
  (await server.db.selectFrom('notifications').select('kind').where('person_id', '=', id).execute()).map(
    ({ kind }) => kind,
  );

describe('an operator without a second factor', () => {
  it('is refused every operator endpoint with one sentence of advice', async () => {
    const refused = await log(ravi.headers);
    expect([refused.statusCode, refused.json()]).toEqual([
      403,
      expect.objectContaining({
        code: 'second_factor_required',
        error: 'Operators need a second factor: set it up on the page Settings, or give its code there.',
      }),
    ]);
  });

  it('enrols with a one-time code and the first code of the app, and can then use operator endpoints', async () => {
    const code = await invitation();
    const begun = (
      await post('second-factor/begin', { code: ` ${code.toUpperCase()} ` }, ravi.headers)
    ).json();
    expect(begun.uri).toMatch(/^otpauth:\/\/totp\/Jhalak:/);
    expect(begun.uri).toContain(begun.secret);
    expect(result(await log(ravi.headers))).toBe('403 second_factor_required');
    const totp = codeNow(begun.secret);
    const { recoveryCodes } = (await post('second-factor/finish', { totp }, ravi.headers)).json();
    expect(new Set(recoveryCodes).size).toBe(10);
    expect(result(await log(ravi.headers))).toBe('200');
    expect((await server.inject({ url: '/api/second-factor', headers: ravi.headers })).json()).toMatchObject({
      required: true,
      given: true,
      recoveryCodes: 10,
      enrolledAt: server.now.value.toISOString(),
    });
    expect(await kinds(ravi)).toContain('factor_set');
    // The one-time code, and the first code, are used up.
    expect(result(await post('second-factor/begin', { code }, ravi.headers))).toBe('403 wrong_code');
    expect(await give(ravi.headers, totp)).toBe('403 wrong_code');
  });

  it('cannot enrol with the password alone, an expired one-time code, or the code of another operator', async () => {
    const uma = await signUpSomebody(server, 'Uma');
    await server.db.updateTable('people').set({ role: 'operator' }).where('id', '=', uma.id).execute();
    const code = await invitation();
    for (const wrong of ['123456', '', 'aaaa-aaaa-aaaa-aaaa'])
      expect((await post('second-factor/begin', { code: wrong }, ravi.headers)).statusCode).not.toBe(200);
    expect(result(await post('second-factor/begin', { code }, uma.headers))).toBe('403 wrong_code');
    later(25 * hour);
    expect(result(await post('second-factor/begin', { code }, ravi.headers))).toBe('403 wrong_code');
  });

  it('can finish only in the session that began, and within a quarter of an hour', async () => {
    const [code, other] = [await invitation(), await logInAgain(ravi)];
    const begin = async () => (await post('second-factor/begin', { code }, ravi.headers)).json().secret;
    const finish = async (secret: string, headers: Headers) =>
      result(await post('second-factor/finish', { totp: codeNow(secret) }, headers));
    const first = await begin();
    expect(await finish(first, other)).toBe('403 wrong_code');
    later(16 * minute);
    expect(await finish(first, ravi.headers)).toBe('403 wrong_code');
    expect(await finish(await begin(), ravi.headers)).toBe('200');
  });
});

it('a person who is no operator cannot set up a second factor', async () => {
  const asha = await signUpSomebody(server);
  expect((await server.inject({ url: '/api/second-factor', headers: asha.headers })).json()).toMatchObject({
    required: false,
    enrolledAt: null,
  });
  for (const [step, payload] of [
    ['begin', { code: '123456' }],
    ['give', { totp: '123456' }],
    ['recovery-codes', { totp: '123456' }],
  ] as const)
    expect(result(await post(`second-factor/${step}`, payload, asha.headers))).toBe('403 not_allowed');
});

describe('a code of the app', () => {
  it('opens operator endpoints for one session only, and a stolen password opens none', async () => {
    const { secret } = await enrol();
    const again = await logInAgain(ravi);
    expect(result(await log(again))).toBe('403 second_factor_required');
    later(30 * second);
    expect(await give(again, codeNow(secret))).toBe('200');
    expect(result(await log(again))).toBe('200');
    expect(result(await log(await logInAgain(ravi)))).toBe('403 second_factor_required');
  });

  it('counts once, also when it arrives several times in parallel', async () => {
    const { secret } = await enrol();
    later(30 * second);
    const totp = codeNow(secret);
    const answers = await Promise.all(Array.from({ length: 5 }, () => give(ravi.headers, totp)));
    expect(answers.filter((one) => one === '200')).toHaveLength(1);
    expect(await give(ravi.headers, totp)).toBe('403 wrong_code');
  });

  it('is accepted from a phone whose clock is half a minute off, but not two minutes', async () => {
    const { secret } = await enrol();
    later(10 * minute);
    const at = (offset: number) => appCode(secret, new Date(server.now.value.getTime() + offset));
    expect(await give(ravi.headers, at(-2 * minute))).toBe('403 wrong_code');
    expect(await give(ravi.headers, at(2 * minute))).toBe('403 wrong_code');
    expect(await give(ravi.headers, at(-30 * second))).toBe('200');
    expect(await give(ravi.headers, at(30 * second))).toBe('200');
    // A code older than the last one is no longer accepted.
    expect(await give(ravi.headers, at(0))).toBe('403 wrong_code');
  });

  it('cannot be guessed from a thousand addresses, and the operator can still log in', async () => {
    const { secret, recoveryCodes } = await enrol();
    later(hour);
    const [stolen, fresh] = [await logInAgain(ravi), await logInAgain(ravi)];
    const answers: string[] = [];
    for (let guess = 0; guess < 26; guess += 1) answers.push(await give(stolen, `00000${guess % 10}`));
    expect(answers.slice(0, 20)).toEqual(Array(20).fill('403 wrong_code'));
    expect(new Set(answers.slice(20))).toEqual(new Set(['429 too_many_requests']));
    // A session that has given a code before continues, and a new one accepts a recovery code.
    expect(await give(ravi.headers, codeNow(secret))).toBe('200');
    expect(await give(fresh, codeNow(secret))).toBe('429 too_many_requests');
    expect(await give(fresh, recoveryCodes[0] ?? '')).toBe('200');
  });

  it('that is guessed in a session which has given one before is slowed down there', async () => {
    const { secret } = await enrol();
    const answers: string[] = [];
    for (let guess = 0; guess < 8; guess += 1) answers.push(await give(ravi.headers, `00000${guess}`));
    expect(answers.slice(5)).toEqual(Array(3).fill('429 too_many_requests'));
    later(hour);
    expect(await give(ravi.headers, codeNow(secret))).toBe('200');
  });
});

describe('a recovery code', () => {
  it('counts once, is reported, and is void when new ones are made', async () => {
    const { recoveryCodes } = await enrol();
    const [first = '', next = '', last = ''] = recoveryCodes;
    expect(await give(ravi.headers, first.toUpperCase().replaceAll('-', ' '))).toBe('200');
    expect(await give(ravi.headers, first)).toBe('403 wrong_code');
    expect(await kinds(ravi)).toContain('recovery_code_used');
    const renewed = await post('second-factor/recovery-codes', { totp: next }, ravi.headers);
    expect(renewed.json().recoveryCodes).toHaveLength(10);
    expect(await give(ravi.headers, last)).toBe('403 wrong_code');
    expect(await give(ravi.headers, renewed.json().recoveryCodes[0])).toBe('200');
  });

  it('of another operator is refused', async () => {
    await enrol();
    const uma = await signUpSomebody(server, 'Uma');
    const theirs = await enrol(uma);
    expect(await give(ravi.headers, theirs.recoveryCodes[0] ?? '')).toBe('403 wrong_code');
  });
});

it('another app is set up with a code of the previous one, which is then void; other sessions have to give a code again', async () => {
  const { secret } = await enrol();
  const other = await logInAgain(ravi);
  later(minute);
  expect(await give(other, codeNow(secret))).toBe('200');
  later(minute);
  const begun = (await post('second-factor/begin', { code: codeNow(secret) }, ravi.headers)).json();
  expect(result(await log(other))).toBe('200');
  await call(server, {
    method: 'POST',
    url: '/api/second-factor/finish',
    payload: { totp: codeNow(begun.secret) },
    headers: ravi.headers,
  });
  expect(result(await log(other))).toBe('403 second_factor_required');
  later(minute);
  expect(await give(other, codeNow(secret))).toBe('403 wrong_code');
  expect(await give(other, codeNow(begun.secret))).toBe('200');
});

it('the database contains neither the secret nor a recovery code in plain text, and nothing of a former operator', async () => {
  const { secret, recoveryCodes } = await enrol();
  const stored = async () => {
    const [factors, codes] = [
      await server.db.selectFrom('second_factors').selectAll().where('person_id', '=', ravi.id).execute(),
      await server.db.selectFrom('recovery_codes').selectAll().where('person_id', '=', ravi.id).execute(),
    ];
    return {
      factors,
      codes,
      text: [...factors, ...codes].map((row) => Object.values(row).map(String).join()).join(),
    };
  };
  const { text, factors } = await stored();
  for (const planted of [secret, ...recoveryCodes]) expect(text).not.toContain(planted);
  // Copied to the row of another operator, the secret cannot be decrypted.
  await expect(
    server.keyring.decrypt(factors[0]?.secret as Buffer, { personId: 'somebody else', kind: 'totp' }),
  ).rejects.toThrow();
  const uma = await signUpSomebody(server, 'Uma');
  await makeOperator(server, uma.id);
  expect(result(await post(`operator/people/role/${ravi.id}`, { role: 'person' }, uma.headers))).toBe('200');
  expect(await stored()).toMatchObject({ factors: [], codes: [] });
  await post(`operator/people/role/${ravi.id}`, { role: 'administrator' }, uma.headers);
  expect(result(await log(ravi.headers))).toBe('403 second_factor_required');
});

describe('acts of operators that need a confirmation', () => {
  const acts = [
    {
      act: 'set_role',
      params: async () => ({ id: (await signUpSomebody(server)).id, role: 'administrator' }),
      ask: ({ id, ...payload }: Record<string, string>) => [`operator/people/role/${id}`, payload] as const,
    },
    {
      act: 'complete_withdrawal',
      params: async () => ({ ...(await withdrawal()), reference: `UTR ${Math.random()}` }),
      ask: ({ id, ...payload }: Record<string, string>) =>
        [`operator/withdrawals/complete/${id}`, payload] as const,
    },
    {
      act: 'reject_withdrawal',
      params: async () => ({ ...(await withdrawal()), reason: 'No' }),
      ask: ({ id, ...payload }: Record<string, string>) =>
        [`operator/withdrawals/reject/${id}`, payload] as const,
    },
  ];
  const withdrawal = async () => ({
    id: (await requestedWithdrawal(server, (await signUpSomebody(server)).id, '2025-01')).id,
  });

  it.each(acts)(
    '$act is done in a session of less than ten minutes that gave a code',
    async ({ params, ask }) => {
      await enrol();
      const [path, payload] = ask(await params());
      expect(result(await post(path, payload, ravi.headers))).toBe('200');
    },
  );

  it.each(acts)('$act is refused later, and done once with a code for it', async ({ act, params, ask }) => {
    const { secret } = await enrol();
    later(11 * minute);
    const sent = await params();
    const [path, payload] = ask(sent);
    const run = async (confirmation?: string, headers: Headers = ravi.headers) =>
      result(
        await post(path, payload, { ...headers, ...(confirmation && { 'x-confirmation': confirmation }) }),
      );
    const confirm = (form: object, headers: Headers = ravi.headers) => post('confirm', form, headers);
    expect(await run()).toBe('403 confirmation_required');
    // A code for the session does not confirm an act in an old one.
    expect(await give(ravi.headers, codeNow(secret))).toBe('200');
    expect(await run()).toBe('403 confirmation_required');
    expect(result(await confirm({ act, params: sent, password }))).toBe('403 second_factor_required');
    const asha = await signUpSomebody(server);
    expect(result(await confirm({ act, params: sent, totp: '123456' }, asha.headers))).toBe(
      '403 not_allowed',
    );
    const code = () => anotherRecoveryCode(server, ravi.id);
    const otherAct = acts.find((one) => one.act !== act);
    const wrong = [
      { act, params: { ...(await params()) } },
      { act: otherAct?.act, params: await otherAct?.params() },
    ];
    for (const form of wrong) {
      const { confirmation } = (await confirm({ ...form, totp: await code() })).json();
      expect(await run(confirmation)).toBe('403 confirmation_required');
    }
    const { confirmation } = (await confirm({ act, params: sent, totp: await code() })).json();
    const other = await logInAgain(ravi);
    await give(other, await code());
    later(11 * minute);
    const { confirmation: fresh } = (await confirm({ act, params: sent, totp: await code() })).json();
    expect(await run(confirmation)).toBe('403 confirmation_required');
    expect(await run(fresh, other)).toBe('403 confirmation_required');
    expect(await run(fresh)).toBe('200');
    expect(await run(fresh)).toBe('403 confirmation_required');
  });

  it('a fresh session without a code confirms nothing', async () => {
    await enrol();
    const [path, payload] = acts[0]?.ask(await acts[0].params()) ?? ['', {}];
    expect(result(await post(path, payload, await logInAgain(ravi)))).toBe('403 second_factor_required');
  });

  it('a new operator gets a one-time code to enrol', async () => {
    await enrol();
    const asha = await signUpSomebody(server);
    const { enrolment } = (
      await post(`operator/people/role/${asha.id}`, { role: 'administrator' }, ravi.headers)
    ).json();
    expect(result(await post('second-factor/begin', { code: enrolment }, asha.headers))).toBe('200');
  });
});
