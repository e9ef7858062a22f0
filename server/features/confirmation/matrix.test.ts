import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfirmedAct, confirmedCalls } from '#contract/confirmation.ts';
import { newAuthenticator } from '#testing/clients/authenticator.ts';
import { askedWithdrawal } from '#testing/fixtures/earnings.ts';
import { dumpOf } from '#testing/models/database-dump.ts';
import { startIssuer, type TestIssuer, testClientId } from '#testing/servers/issuer.ts';
import { anotherRecoveryCode, enrolOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

/*
 * All calls that need a confirmation, and all ways to make them without the right one: each cell is refused, and changes nothing.
 * That each call is done with the right one is the last column.
 */
const password = 'correct horse';
const start = new Date();
const muchLater = new Date(start.getTime() + 11 * 60_000);

let issuer: TestIssuer;
let server: TestServer;
beforeAll(async () => {
  issuer = await startIssuer();
  server = await startTestServer({ OIDC_ISSUER: issuer.name, OIDC_CLIENT_ID: testClientId });
});
afterAll(async () => {
  await server.close();
  await issuer.close();
});

type Params = Record<string, unknown>;
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  server.inject({ method: 'POST', url, payload, headers });

let subjects = 0;
async function idToken(): Promise<string> {
  subjects += 1;
  const sub = `matrix-${subjects}`;
  const { nonce } = (await post('/api/google-nonce', {})).json();
  const iat = Math.floor(server.now.value.getTime() / 1000);
  const claims = {
    iss: issuer.name,
    aud: testClientId,
    sub,
    email: `${sub}@mail.example`,
    email_verified: true,
  };
  return issuer.sign({ ...claims, name: 'Asha Rao', nonce, iat, exp: iat + 300 });
}
const withdrawal = async () =>
  (await askedWithdrawal(server, (await signUpSomebody(server)).id, '2025-01')).id;

async function aPasskey({ headers }: Person) {
  const { options } = (await post('/api/passkeys/begin', {}, headers)).json();
  return newAuthenticator().create({ challenge: options.challenge });
}
async function addedPasskey({ id: personId }: Person): Promise<string> {
  const id = v7();
  await server.db
    .insertInto('passkeys')
    .values({
      id,
      person_id: personId,
      credential_id: id,
      public_key: Buffer.of(1),
      counter: 0,
      transports: [],
      name: 'Phone',
      is_factor: false,
      created_at: start,
    })
    .execute();
  return id;
}

/** What each call is sent with, by its act: a new act of the contract does not compile without a line here. */
const params: Record<ConfirmedAct, (owner: Person) => Promise<Params>> = {
  link_google: async () => ({ idToken: await idToken() }),
  unlink_google: async () => ({}),
  change_email: async ({ username }) => ({ email: `new.${username}@people.example` }),
  delete_account: async ({ id }) => ({ userId: id }),
  export: async () => ({}),
  set_destination: async () => ({ kind: 'upi', vpa: `asha${subjects++}@okbank` }),
  remove_destination: async () => ({}),
  add_passkey: async (owner) => ({ credential: await aPasskey(owner), name: 'Phone' }),
  remove_passkey: async (owner) => ({ id: await addedPasskey(owner) }),
  set_role: async () => ({ id: (await signUpSomebody(server)).id, role: 'operator' }),
  export_withdrawals: async () => ({ month: `${2100 + subjects++}-01` }),
  complete_withdrawal: async () => ({ id: await withdrawal(), reference: `UTR ${subjects++}` }),
  reject_withdrawal: async () => ({ id: await withdrawal(), reason: 'No' }),
};

const everything = () =>
  dumpOf(server.db, {
    // Where somebody calls from is noted with the first call of a session, refused or not.
    without: ['password_guesses', 'purges', 'confirmations', 'seen_networks', 'seen_browsers'],
    settled: true,
  });

describe.each([...confirmedCalls])('%s', (act, { method, path, access }) => {
  const isOperators = access === 'operator';
  const call = async (
    { headers = {} }: { headers?: Record<string, string> },
    sent: Params,
    confirmation?: string,
  ) => {
    const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
    const body = Object.fromEntries(Object.entries(sent).filter(([name]) => !names.includes(name)));
    return await server.inject({
      method: method as 'POST',
      url: path.replace(/:(\w+)/g, (_, name: string) => String(sent[name])),
      headers: { ...headers, ...(confirmation ? { 'x-confirmation': confirmation } : {}) },
      ...(Object.keys(body).length > 0 || method === 'POST' ? { payload: body } : {}),
    });
  };
  /** The owner of the token that somebody may have stolen: the session is old. */
  async function owner(): Promise<Person> {
    server.now.value = start;
    const person = await signUpSomebody(server);
    if (isOperators) await enrolOperator(server, person, start);
    server.now.value = muchLater;
    return person;
  }
  async function confirmed(person: Person, of: ConfirmedAct, sent: Params): Promise<string> {
    const proof = isOperators ? { totp: await anotherRecoveryCode(server, person.id) } : { password };
    const answer = await post('/api/confirm', { act: of, params: sent, ...proof }, person.headers);
    expect(answer.statusCode, answer.body).toBe(200);
    return answer.json().confirmation;
  }
  async function refused(answer: () => ReturnType<typeof call>, status = 403): Promise<string> {
    const before = await everything();
    const got = await answer();
    expect(got.statusCode, got.body).toBe(status);
    expect(await everything(), 'what is refused changes nothing').toBe(before);
    return got.json().code;
  }

  it('is refused without a token, confirmed or not', async () => {
    const person = await owner();
    const sent = await params[act](person);
    const confirmation = await confirmed(person, act, sent);
    expect(await refused(() => call({}, sent), 401)).toBe('not_signed_in');
    expect(await refused(() => call({}, sent, confirmation), 401)).toBe('not_signed_in');
  });

  it('is refused to another person, who has the confirmation of the owner', async () => {
    const person = await owner();
    server.now.value = start;
    const other = await signUpSomebody(server);
    server.now.value = muchLater;
    const sent = await params[act](person);
    const confirmation = await confirmed(person, act, sent);
    const code = await refused(() => call(other, sent, confirmation));
    expect(code).toBe(isOperators ? 'not_allowed' : 'confirmation_required');
  });

  it('is refused with a stolen token and no confirmation', async () => {
    const person = await owner();
    const sent = await params[act](person);
    expect(await refused(() => call(person, sent))).toBe('confirmation_required');
  });

  it('is refused with a confirmation of another act, or of other parameters', async () => {
    const person = await owner();
    const sent = await params[act](person);
    for (const [other, { access: ofOther }] of confirmedCalls) {
      if (ofOther !== access || other === act) continue;
      const confirmation = await confirmed(person, other, await params[other](person));
      expect(await refused(() => call(person, sent, confirmation)), other).toBe('confirmation_required');
    }
    if (Object.keys(sent).length === 0 || act === 'delete_account') return;
    const others = await confirmed(person, act, await params[act](await signUpSomebody(server)));
    expect(await refused(() => call(person, sent, others))).toBe('confirmation_required');
  });

  it('is refused to an operator without a second factor', async () => {
    const person = await owner();
    const sent = await params[act](person);
    await server.db.deleteFrom('second_factors').where('person_id', '=', person.id).execute();
    await server.db
      .updateTable('sessions')
      .set({ factor_at: null })
      .where('person_id', '=', person.id)
      .execute();
    await server.db.updateTable('people').set({ role: 'operator' }).where('id', '=', person.id).execute();
    const code = await refused(() => call(person, sent));
    expect(code).toBe(isOperators ? 'second_factor_required' : 'confirmation_required');
    const answer = await post('/api/confirm', { act, params: sent, totp: '123456' }, person.headers);
    expect([answer.statusCode, answer.json().code]).toEqual([403, 'second_factor_required']);
  });

  it('is done with its confirmation, and refused with the same one again', async () => {
    const person = await owner();
    const sent = await params[act](person);
    const confirmation = await confirmed(person, act, sent);
    const done = await call(person, sent, confirmation);
    // Without a mail server an address cannot be changed; the confirmation is used up all the same.
    expect(done.json().code ?? done.statusCode).toBe(act === 'change_email' ? 'mail_off' : 200);
    const [status, code] = act === 'delete_account' ? [401, 'not_signed_in'] : [403, 'confirmation_required'];
    expect(await refused(() => call(person, sent, confirmation), status)).toBe(code);
  });
});
