import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { inTransaction } from '#server/platform/database/transaction.ts';
import { newAuthenticator } from '#testing/clients/authenticator.ts';
import { anotherRecoveryCode, enrolOperator } from '#testing/servers/operators.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { makeResetLink } from '../accounts/forgotten-password.ts';
import { resetFactor } from '../operators/factors.ts';

const minute = 60_000;
const hour = 60 * minute;
const password = 'correct horse';
const start = new Date();

let server: TestServer;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  server.now.value = start;
  asha = await signUpSomebody(server);
});

const later = (milliseconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + milliseconds);
};
type Headers = Record<string, string>;
type Authenticator = ReturnType<typeof newAuthenticator>;
const post = (path: string, payload: object = {}, headers: Headers = asha.headers) =>
  server.inject({ method: 'POST', url: `/api/${path}`, payload, headers });
const result = ({ statusCode, json }: { statusCode: number; json: () => { code?: string } }) =>
  `${statusCode} ${json().code ?? ''}`.trim();
const challengeOf = async (path: string, payload: object = {}, headers?: Headers): Promise<string> =>
  (await post(path, payload, headers)).json().options.challenge;
const rename = async (id: string, name: string, headers: Headers = asha.headers) =>
  result(await server.inject({ method: 'PUT', url: `/api/passkeys/${id}`, payload: { name }, headers }));
const list = async (headers: Headers = asha.headers) =>
  (await server.inject({ url: '/api/passkeys', headers })).json().data;
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
async function add(authenticator: Authenticator, headers?: Headers, change: object = {}) {
  const challenge = await challengeOf('passkeys/begin', {}, headers);
  return await addWith(challenge, { authenticator, headers, change });
}
async function addWith(
  challenge: string,
  { authenticator = newAuthenticator(), headers = asha.headers, change = {} }: AddOptions = {},
) {
  const credential = authenticator.create({ challenge, ...change });
  return await post('passkeys', { credential, name: 'Phone' }, headers);
}
interface AddOptions {
  authenticator?: Authenticator;
  headers?: Headers | undefined;
  change?: object;
}
async function added(headers?: Headers): Promise<Authenticator> {
  const authenticator = newAuthenticator();
  expect(result(await add(authenticator, headers))).toBe('200');
  return authenticator;
}
async function logIn(authenticator: Authenticator, change: object = {}) {
  const challenge = await challengeOf('passkeys/begin-login', {}, {});
  return await post('passkeys/login', { credential: authenticator.get({ challenge, ...change }) }, {});
}
const remove = async (id: string, headers: Headers = asha.headers) =>
  result(await server.inject({ method: 'DELETE', url: `/api/passkeys/${id}`, headers }));
const kinds = async () =>
  (await server.db.selectFrom('notifications').select('kind').where('person_id', '=', asha.id).execute()).map(
    ({ kind }) => kind,
  );

describe('a passkey', () => {
  it('can be added, listed, renamed, used to log in, and removed with the sessions that it opened', async () => {
    const phone = await added();
    const [{ _id }] = await list();
    expect(await rename(_id, 'My phone')).toBe('200');
    const opened = (await logIn(phone)).json();
    expect(opened.user._id).toBe(asha.id);
    expect(await list(bearer(opened.data))).toMatchObject([{ name: 'My phone', usedAt: expect.any(String) }]);
    expect(await kinds()).toContain('passkey_added');
    expect(await remove(_id)).toBe('200');
    expect(await kinds()).toContain('passkey_removed');
    expect((await server.inject({ url: '/api/block', headers: bearer(opened.data) })).statusCode).toBe(401);
    expect(result(await logIn(phone))).toBe('403 bad_passkey');
    expect(await remove(_id)).toBe('404 not_found');
  });

  it('needs a confirmation to be added and removed', async () => {
    later(11 * minute);
    expect(result(await add(newAuthenticator()))).toBe('403 confirmation_required');
    server.now.value = start;
    await added();
    const [{ _id }] = await list();
    later(11 * minute);
    expect(await remove(_id)).toBe('403 confirmation_required');
  });

  it('of another person can be neither renamed nor removed', async () => {
    await added();
    const [{ _id }] = await list();
    const binod = await signUpSomebody(server);
    expect(await rename(_id, 'Mine', binod.headers)).toBe('404 not_found');
    expect(await remove(_id, binod.headers)).toBe('404 not_found');
  });

  it('can be added only with a challenge of this session and purpose, once and within five minutes', async () => {
    const authenticator = newAuthenticator();
    const binod = await signUpSomebody(server);
    const challenges = [
      await challengeOf('passkeys/begin', {}, binod.headers),
      await challengeOf('passkeys/begin-login', {}, {}),
      'x'.repeat(43),
    ];
    const addWith = async (challenge: string) =>
      result(await post('passkeys', { credential: authenticator.create({ challenge }), name: 'A' }));
    for (const challenge of challenges) expect(await addWith(challenge)).toBe('403 bad_passkey');
    const late = await challengeOf('passkeys/begin');
    later(5 * minute + 1000);
    expect(await addWith(late)).toBe('403 bad_passkey');
    const good = await challengeOf('passkeys/begin');
    expect(await addWith(good)).toBe('200');
    expect(await addWith(good)).toBe('403 bad_passkey');
    expect(await list()).toHaveLength(1);
  });

  it.each([
    ['of a page of another site', { origin: 'https://jhalak.example.evil' }],
    ['of another site', { rpId: 'evil.example' }],
    ['that has not verified its user', { isVerified: false }],
  ])('%s can be neither added nor used to log in', async (_what, change) => {
    expect(result(await add(newAuthenticator(), asha.headers, change))).toBe('403 bad_passkey');
    expect(result(await logIn(await added(), change))).toBe('403 bad_passkey');
  });

  it('opens one session with one response, also when it arrives several times in parallel', async () => {
    const phone = await added();
    const challenge = await challengeOf('passkeys/begin-login', {}, {});
    const credential = phone.get({ challenge });
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => post('passkeys/login', { credential }, {})),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1);
  });

  it('whose counter decreases, as with a copy, cannot log in', async () => {
    const phone = await added();
    expect(result(await logIn(phone, { counter: 7 }))).toBe('200');
    for (const counter of [7, 6, 0]) expect(result(await logIn(phone, { counter }))).toBe('403 bad_passkey');
    expect(result(await logIn(phone, { counter: 8 }))).toBe('200');
  });

  it('without a counter, like synced ones, can log in repeatedly', async () => {
    const phone = newAuthenticator();
    expect(result(await add(phone, asha.headers, { counter: 0 }))).toBe('200');
    for (const _time of [1, 2]) expect(result(await logIn(phone, { counter: 0 }))).toBe('200');
  });

  it('of a deleted account cannot log in', async () => {
    const phone = await added();
    const challenge = await challengeOf('passkeys/begin-login', {}, {});
    const { statusCode } = await server.inject({
      method: 'DELETE',
      url: `/api/delete/${asha.id}`,
      headers: asha.headers,
    });
    expect(statusCode).toBe(200);
    const answer = await post('passkeys/login', { credential: phone.get({ challenge }) }, {});
    expect(result(answer)).toBe('403 bad_passkey');
    expect(await server.db.selectFrom('passkeys').where('person_id', '=', asha.id).execute()).toEqual([]);
  });

  it('is one of at most 20, also when many are added in parallel; the same one is not added twice', async () => {
    for (let count = 0; count < 18; count += 1) await added();
    // All have begun before any is added: with 20 nothing can be begun any more.
    const begun = await Promise.all(Array.from({ length: 4 }, () => challengeOf('passkeys/begin')));
    const answers = await Promise.all(begun.map((challenge) => addWith(challenge)));
    expect(answers.map(result).toSorted()).toEqual(['200', '200', ...Array(2).fill('409 too_many_passkeys')]);
    expect(result(await post('passkeys/begin'))).toBe('409 too_many_passkeys');
    const binod = await signUpSomebody(server);
    const phone = await added(binod.headers);
    expect(result(await add(phone, binod.headers))).toBe('403 bad_passkey');
  });

  it('is removed when a link first verifies the address, and stays at a reset eight days after it was added', async () => {
    const reset = async () => {
      const token = await inTransaction(server.db, (trx) => makeResetLink(trx, asha.id, server.now.value));
      const form = { token, password: 'a new password', cpassword: 'a new password' };
      expect(result(await post('password/reset', form, {}))).toBe('200');
    };
    const strangers = await added();
    await reset();
    expect(result(await logIn(strangers))).toBe('403 bad_passkey');
    const { data } = (await post('signin', { email: asha.email, password: 'a new password' }, {})).json();
    later(73 * hour);
    const own = (await post('signin', { email: asha.email, password: 'a new password' }, {})).json().data;
    expect(own).not.toBe(data);
    const phone = await added(bearer(own));
    later(8 * 24 * hour);
    await reset();
    expect(result(await logIn(phone))).toBe('200');
  });

  it('cannot log in to a suspended account, or with the signature of another key', async () => {
    const [phone, other] = [await added(), newAuthenticator()];
    const challenge = await challengeOf('passkeys/begin-login', {}, {});
    const forged = { ...other.get({ challenge }), id: phone.id, rawId: phone.id };
    expect(result(await post('passkeys/login', { credential: forged }, {}))).toBe('403 bad_passkey');
    await server.db.updateTable('people').set({ suspended_at: start }).where('id', '=', asha.id).execute();
    expect(result(await logIn(phone))).toBe('403 suspended');
  });
});

describe('a passkey as a confirmation', () => {
  const exportAct = { act: 'export', params: {} };
  const exportWith = async (headers: Headers) => result(await post('export', {}, headers));
  async function confirm(
    authenticator: Authenticator,
    form: object = exportAct,
    headers: Headers = asha.headers,
  ) {
    const challenge = await challengeOf('confirm/passkey', form, headers);
    return await post('confirm', { ...form, passkey: authenticator.get({ challenge }) }, headers);
  }

  it('confirms the act for which it was requested, once; a session that it opened counts as confirmed for ten minutes', async () => {
    const phone = await added();
    later(11 * minute);
    const { confirmation } = (await confirm(phone)).json();
    expect(await exportWith({ ...asha.headers, 'x-confirmation': confirmation })).toBe('200');
    expect(await exportWith({ ...asha.headers, 'x-confirmation': confirmation })).toBe(
      '403 confirmation_required',
    );
    const fresh = bearer((await logIn(phone)).json().data);
    expect(await exportWith(fresh)).toBe('200');
    later(11 * minute);
    expect(await exportWith(fresh)).toBe('403 confirmation_required');
  });

  it('does not confirm another act, with a challenge for a login, or for another person', async () => {
    const phone = await added();
    const challenge = await challengeOf('confirm/passkey', { act: 'unlink_google', params: {} });
    const wrong = [
      await post('confirm', { ...exportAct, passkey: phone.get({ challenge }) }),
      await post('confirm', {
        ...exportAct,
        passkey: phone.get({ challenge: await challengeOf('passkeys/begin-login', {}, {}) }),
      }),
    ];
    const binod = await signUpSomebody(server);
    wrong.push(await confirm(phone, exportAct, binod.headers));
    expect(wrong.map(result)).toEqual(Array(3).fill('403 bad_passkey'));
  });

  it('cannot be added by a session or password from a reset for 72 hours', async () => {
    await server.db
      .updateTable('people')
      .set({ password_reset_at: start })
      .where('id', '=', asha.id)
      .execute();
    expect(result(await add(newAuthenticator()))).toBe('403 recently_changed');
    later(73 * hour);
    const { data } = await call(server, {
      method: 'POST',
      url: '/api/signin',
      payload: { email: asha.email, password },
    });
    expect(result(await add(newAuthenticator(), bearer(data)))).toBe('200');
  });

  it('that is older than a reset cannot change links or address for 72 hours, nor can a session that it opened', async () => {
    const phone = await added();
    await server.db
      .updateTable('people')
      .set({ password_reset_at: start })
      .where('id', '=', asha.id)
      .execute();
    const guarded = { act: 'change_email', params: { email: 'new@people.example' } };
    expect(result(await confirm(phone, guarded))).toBe('403 recently_changed');
    const opened = bearer((await logIn(phone)).json().data);
    expect(result(await add(newAuthenticator(), opened))).toBe('403 recently_changed');
    expect(await exportWith(opened)).toBe('200');
    later(73 * hour);
    expect(result(await confirm(phone, guarded))).toBe('200');
    const fresh = bearer((await logIn(phone)).json().data);
    expect(result(await add(newAuthenticator(), fresh))).toBe('200');
  });

  it('of an operator no longer counts as a second factor after that was reset', async () => {
    await enrolOperator(server, asha, start);
    const phone = await added();
    await resetFactor(server.context, { id: null, name: 'shell' }, asha.id);
    const opened = bearer((await logIn(phone)).json().data);
    expect(result(await server.inject({ url: '/api/operator/log', headers: opened }))).toBe(
      '403 second_factor_required',
    );
  });

  it('of an operator can be added in an old session with a second factor only', async () => {
    const before = await added();
    await enrolOperator(server, asha, start);
    const after = await added();
    await server.db
      .updateTable('people')
      .set({ email_verified_at: start })
      .where('id', '=', asha.id)
      .execute();
    later(24 * hour);
    const next = newAuthenticator();
    const challenge = await challengeOf('passkeys/begin');
    const body = { credential: next.create({ challenge }), name: 'Phone' };
    const act = { act: 'add_passkey', params: body };
    const confirmed = async (proof: object) => result(await post('confirm', { ...act, ...proof }));
    expect(await confirmed({ password })).toBe('403 second_factor_required');
    expect(await confirmed({ code: '123456' })).toBe('403 second_factor_required');
    expect(result(await post('confirm/send-code', act))).toBe('403 second_factor_required');
    expect(result(await confirm(before, act))).toBe('403 bad_passkey');
    const totp = await anotherRecoveryCode(server, asha.id);
    expect(await confirmed({ totp })).toBe('200');
    const { confirmation } = (await confirm(after, act)).json();
    expect(result(await post('passkeys', body, { ...asha.headers, 'x-confirmation': confirmation }))).toBe(
      '200',
    );
  });

  it('of an operator counts as a second factor only if it was added with one', async () => {
    const before = await added();
    await enrolOperator(server, asha, start);
    const after = await added();
    const log = async (authenticator: Authenticator) => {
      const headers = bearer((await logIn(authenticator)).json().data);
      return result(await server.inject({ url: '/api/operator/log', headers }));
    };
    expect(await log(before)).toBe('403 second_factor_required');
    expect(await log(after)).toBe('200');
    const person = await signUpSomebody(server);
    const act = { act: 'set_role', params: { id: person.id, role: 'administrator' } };
    expect(result(await confirm(before, act))).toBe('403 bad_passkey');
    expect(result(await confirm(after, act))).toBe('200');
  });
});

it("the site's apps are listed at the well-known addresses for phones, which do not exist without apps", async () => {
  const print = Array(32).fill('AB').join(':');
  const site = await startTestServer({
    ORIGIN: 'https://jhalak.example',
    APP_ORIGINS: `android:com.jhalak.app:${print}, ios:TEAM123456.com.jhalak.app`,
  });
  const get = async (from: TestServer, name: string) => await from.inject({ url: `/.well-known/${name}` });
  expect((await get(site, 'assetlinks.json')).json()).toEqual([
    {
      relation: ['delegate_permission/common.get_login_creds'],
      target: {
        namespace: 'android_app',
        package_name: 'com.jhalak.app',
        sha256_cert_fingerprints: [print],
      },
    },
  ]);
  const apple = await get(site, 'apple-app-site-association');
  expect(apple.headers['content-type']).toContain('application/json');
  expect(apple.json()).toEqual({ webcredentials: { apps: ['TEAM123456.com.jhalak.app'] } });
  expect((await get(server, 'assetlinks.json')).statusCode).toBe(404);
  await site.close();
});
