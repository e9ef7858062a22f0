import { v7 } from 'uuid';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ConfirmedAct, confirmedCalls } from '#contract/confirmation.ts';
import { unconfirmed } from '#testing/access/unconfirmed.ts';
import { newAuthenticator } from '#testing/clients/authenticator.ts';
import { endpoints, nameOf } from '#testing/endpoints.ts';
import { copyInReview, requestedWithdrawal } from '#testing/fixtures/earnings.ts';
import { closedMonthOf } from '#testing/fixtures/months.ts';
import { lockedPayouts, madeBatch, payableAt, unlockedPayouts } from '#testing/fixtures/payouts.ts';
import { proposedBy } from '#testing/fixtures/proposals.ts';
import { hashOf } from '#testing/models/database-dump.ts';
import { startIssuer, type TestIssuer, testClientId } from '#testing/servers/issuer.ts';
import { anotherRecoveryCode, enrolOperator } from '#testing/servers/operators.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

/*
 * All endpoints that need a confirmation, and all ways to call them without the right one: all are refused, and change
 * nothing. With the right one, each changes something. Each endpoint that changes something and needs no confirmation
 * has a line in `testing/access/unconfirmed.ts` with the reason.
 */
const origin = 'https://jhalak.example';
const password = 'correct horse';
const start = new Date();
const muchLater = new Date(start.getTime() + 11 * 60_000);

let issuer: TestIssuer;
let server: TestServer;
beforeAll(async () => {
  issuer = await startIssuer();
  server = await startTestServer({
    OIDC_ISSUER: issuer.name,
    OIDC_CLIENT_ID: testClientId,
    // Mails are requested, and stay pending: a process with the role web sends none.
    ROLE: 'web',
    SMTP_URL: 'smtp://127.0.0.1:9',
    ORIGIN: origin,
  });
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
async function withdrawal(month = '2025-01'): Promise<string> {
  await unlockedPayouts(server.db);
  const { id } = await signUpSomebody(server);
  await server.db.updateTable('people').set({ email_verified_at: start }).where('id', '=', id).execute();
  return (await requestedWithdrawal(server, id, month)).id;
}
/** A batch of one payment that another operator made. */
async function batch(state: 'proposed' | 'approved'): Promise<string> {
  return await madeBatch(server, await withdrawal(), state);
}
async function monthToPay(): Promise<string> {
  const month = `${2000 + subjects++}-01`;
  await withdrawal(month);
  return month;
}
async function linked({ id }: Person): Promise<void> {
  const identity = { issuer: 'https://elsewhere.example', subject: id, person_id: id, linked_at: start };
  await server.db
    .insertInto('identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function aPasskey({ headers }: Person) {
  const { options } = (await post('/api/passkeys/begin', {}, headers)).json();
  return newAuthenticator().create({ challenge: options.challenge, origin, rpId: 'jhalak.example' });
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

/** A counted month of a creator with waiting views. */
async function waiting(): Promise<Params> {
  const { id } = await signUpSomebody(server);
  const month = `${1900 + subjects++}-02`;
  await closedMonthOf(server.db, month, { creatorIds: [id], views: 1500 });
  return { userId: id, month };
}

/** The request of each act: a new act in the contract does not compile without a line here. */
const params: Record<ConfirmedAct, (owner: Person) => Promise<Params>> = {
  link_google: async () => ({ idToken: await idToken() }),
  unlink_google: async (owner) => {
    await linked(owner);
    return {};
  },
  change_email: async ({ username }) => ({ email: `new.${username}@people.example` }),
  delete_account: async ({ id }) => ({ userId: id }),
  export: async () => ({}),
  set_destination: async () => ({ kind: 'upi', vpa: `asha${subjects++}@okbank` }),
  remove_destination: async ({ id }) => {
    await payableAt(server, id);
    return {};
  },
  cancel_withdrawal: async ({ id }) => {
    const month = `${1900 + subjects++}-01`;
    await unlockedPayouts(server.db);
    await requestedWithdrawal(server, id, month);
    return { month };
  },
  add_passkey: async (owner) => ({ credential: await aPasskey(owner), name: 'Phone' }),
  remove_passkey: async (owner) => ({ id: await addedPasskey(owner) }),
  set_role: async () => ({ id: (await signUpSomebody(server)).id, role: 'administrator' }),
  approve_proposal: async () => {
    const [proposer, person] = [await signUpSomebody(server), await signUpSomebody(server)];
    return { id: await proposedBy(server.db, proposer.id, person.id, start) };
  },
  make_reset_link: async () => ({ id: (await signUpSomebody(server)).id }),
  make_batch: async () => ({ month: await monthToPay() }),
  approve_batch: async () => ({ id: await batch('proposed') }),
  send_batch: async () => ({ id: await batch('approved'), again: false }),
  cancel_batch: async () => ({ id: await batch('approved') }),
  record_payments: async () => {
    const id = await batch('approved');
    const payment = await server.db
      .updateTable('payout_attempts')
      .set({ state: 'exported' })
      .where('batch_id', '=', id)
      .returning('id')
      .executeTakeFirstOrThrow();
    return { payments: [{ id: payment.id, state: 'paid', reference: `UTR ${payment.id}` }] };
  },
  name_payment: async () => ({ payment: await lockedPayouts(server.db), other: 'The rent' }),
  reconcile_since_restore: async () => {
    await lockedPayouts(server.db);
    return { payments: [{ id: v7(), state: 'paid', reference: 'UTR 1' }], complete: false, none: false };
  },
  complete_withdrawal: async () => ({ id: await withdrawal(), reference: `UTR ${subjects++}` }),
  reject_withdrawal: async () => ({ id: await withdrawal(), reason: 'No' }),
  decide_copy: async () => ({ id: await copyInReview(server.db, start), verdict: 'own', reason: 'Hers' }),
  release_month: async () => ({ ...(await waiting()), reason: 'A new site' }),
  void_month: async () => ({ ...(await waiting()), what: 'waiting', reason: 'A script' }),
};

const everything = () =>
  hashOf(server.db, {
    // The first request of a session stores where it came from, refused or not.
    without: ['password_guesses', 'purges', 'confirmations', 'seen_browsers'],
  });

/** The owner of a token that may be stolen: the session is old. */
async function ownerOf(isOperators: boolean): Promise<Person> {
  server.now.value = start;
  const person = await signUpSomebody(server);
  if (isOperators) await enrolOperator(server, person, start);
  server.now.value = muchLater;
  return person;
}
async function confirmed(person: Person, act: ConfirmedAct, sent: Params): Promise<string> {
  const proof =
    confirmedCalls.get(act)?.access === 'operator'
      ? { totp: await anotherRecoveryCode(server, person.id) }
      : { password };
  const answer = await post('/api/confirm', { act, params: sent, ...proof }, person.headers);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().confirmation;
}
interface Confirmed {
  person: Person;
  acts: Map<ConfirmedAct, { sent: Params; confirmation: string }>;
}
const inFull = new Map<boolean, Promise<Confirmed>>();

/** A person with an unused confirmation of each act that they may do. */
function allConfirmed(isOperators: boolean): Promise<Confirmed> {
  const all = inFull.get(isOperators) ?? confirmAll(isOperators);
  inFull.set(isOperators, all);
  return all;
}
async function confirmAll(isOperators: boolean): Promise<Confirmed> {
  const person = await ownerOf(isOperators);
  const acts: Confirmed['acts'] = new Map();
  for (const [act, { access }] of confirmedCalls) {
    if ((access === 'operator') !== isOperators) continue;
    const sent = await params[act](person);
    acts.set(act, { sent, confirmation: await confirmed(person, act, sent) });
  }
  return { person, acts };
}

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
  it('is refused without the right confirmation, and changes nothing', async () => {
    const owner = await ownerOf(isOperators);
    const sent = await params[act](owner);
    const own = await confirmed(owner, act, sent);
    server.now.value = start;
    const other = await signUpSomebody(server);
    server.now.value = muchLater;
    const withoutFactor = await ownerOf(isOperators);
    const unproven = await params[act](withoutFactor);
    await removeFactor(withoutFactor);
    const { person, acts } = await allConfirmed(isOperators);
    const full = acts.get(act)?.sent ?? {};
    const others = Object.keys(full).length > 0 && act !== 'delete_account';
    const ofOtherParams =
      others && (await confirmed(person, act, await params[act](await signUpSomebody(server))));

    const before = await everything();
    const code = async (what: string, response: ReturnType<typeof call>, status = 403) => {
      const { statusCode, body } = await response;
      expect(statusCode, `${what}: ${body}`).toBe(status);
      return [what, JSON.parse(body).code];
    };
    const required = (what: string) => [what, 'confirmation_required'];
    expect(await code('no token', call({}, sent), 401)).toEqual(['no token', 'not_signed_in']);
    expect(await code('no token, confirmed', call({}, sent, own), 401)).toEqual([
      'no token, confirmed',
      'not_signed_in',
    ]);
    // Without the role, operators' calls answer as if they did not exist.
    const [status, refusal] = isOperators ? [404, 'not_found'] : [403, 'confirmation_required'];
    expect(await code('another person', call(other, sent, own), status)).toEqual(['another person', refusal]);
    expect(await code('a stolen token', call(owner, sent))).toEqual(required('a stolen token'));
    for (const [wrong, { confirmation }] of acts)
      if (wrong !== act) expect(await code(wrong, call(person, full, confirmation))).toEqual(required(wrong));
    if (ofOtherParams)
      expect(await code('other parameters', call(person, full, ofOtherParams))).toEqual(
        required('other parameters'),
      );
    expect(await code('no second factor', call(withoutFactor, unproven))).toEqual([
      'no second factor',
      isOperators ? 'second_factor_required' : 'confirmation_required',
    ]);
    const confirming = post('/api/confirm', { act, params: unproven, totp: '123456' }, withoutFactor.headers);
    expect(await code('confirming without a second factor', confirming)).toEqual([
      'confirming without a second factor',
      'second_factor_required',
    ]);
    expect(await everything(), 'what is refused changes nothing').toBe(before);
  });

  it('is done with its confirmation, and refused when repeated with the same one', async () => {
    const person = await ownerOf(isOperators);
    const sent = await params[act](person);
    const confirmation = await confirmed(person, act, sent);
    const before = await everything();
    const done = await call(person, sent, confirmation);
    expect(done.statusCode, done.body).toBe(200);
    const after = await everything();
    expect(after, 'what is done changes something').not.toBe(before);
    const [status, code] = act === 'delete_account' ? [401, 'not_signed_in'] : [403, 'confirmation_required'];
    const repeated = await call(person, sent, confirmation);
    expect([repeated.statusCode, repeated.json().code]).toEqual([status, code]);
    expect(await everything(), 'what is refused changes nothing').toBe(after);
  });
});

async function removeFactor({ id }: Person): Promise<void> {
  await server.db.deleteFrom('second_factors').where('person_id', '=', id).execute();
  await server.db.updateTable('sessions').set({ factor_at: null }).where('person_id', '=', id).execute();
  await server.db.updateTable('people').set({ role: 'operator' }).where('id', '=', id).execute();
}

describe('an endpoint that changes something', () => {
  const changing = endpoints.filter(({ method }) => method !== 'GET').map(nameOf);
  const confirmed = [...confirmedCalls.values()].map(nameOf);

  it('needs a confirmation, or has a line with the reason why not', () => {
    const known = [...confirmed, ...Object.keys(unconfirmed)];
    expect(changing.length).toBeGreaterThan(60);
    expect(changing.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('has no such line if it needs a confirmation, or does not exist', () => {
    const needless = Object.keys(unconfirmed).filter(
      (name) => confirmed.includes(name) || !changing.includes(name),
    );
    expect(needless).toEqual([]);
  });
});
