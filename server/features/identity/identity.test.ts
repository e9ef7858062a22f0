import { exportJWK, exportSPKI, SignJWT } from 'jose';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeKey, startIssuer, type TestIssuer, testClientId } from '#testing/servers/issuer.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

let issuer: TestIssuer;
let other: TestIssuer;
let server: TestServer;
const start = new Date();
beforeAll(async () => {
  [issuer, other] = await Promise.all([startIssuer(), startIssuer()]);
  server = await startTestServer({ OIDC_ISSUER: issuer.name, OIDC_CLIENT_ID: testClientId });
  server.now.value = start;
});
afterAll(async () => {
  await server?.close();
  await Promise.all([issuer?.close(), other?.close()]);
});
afterEach(() => {
  issuer.status.value = 200;
  for (const name of Object.keys(issuer.extra)) delete issuer.extra[name];
});

const post = (url: string, payload: object = {}, headers: Record<string, string> = {}) =>
  server.inject({ method: 'POST', url, payload, headers });
const nonce = async () => (await post('/api/google-nonce')).json().nonce as string;
const logIn = (idToken: string) => post('/api/google-loginweb', { idToken });
const link = (person: Person, idToken: string) => post('/api/link-google', { idToken }, person.headers);
const seconds = () => Math.floor(server.now.value.getTime() / 1000);
const later = (ms: number) => {
  server.now.value = new Date(server.now.value.getTime() + ms);
};

let subjects = 0;
/** Valid claims of a new person. */
async function claims(change: object = {}): Promise<Record<string, unknown>> {
  subjects += 1;
  const sub = `subject-${subjects}`;
  return {
    iss: issuer.name,
    aud: testClientId,
    sub,
    email: `${sub}@mail.example`,
    email_verified: true,
    name: 'Asha Rao',
    nonce: await nonce(),
    iat: seconds(),
    exp: seconds() + 300,
    ...change,
  };
}
const token = async (change: object = {}) => issuer.sign(await claims(change));
const people = () =>
  server.db
    .selectFrom('people')
    .leftJoin('identities', 'identities.person_id', 'people.id')
    .select(['people.email', 'subject', 'password_hash'])
    .orderBy('people.email')
    .execute();
const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('sign-in by an ID token (decisions §3)', () => {
  it('creates an account for a new person and finds it again by issuer and subject', async () => {
    const who = { sub: 'asha', email: 'Asha@Mail.example', name: '  आशा   Rao ' };
    const first = await logIn(await token(who));
    expect(first.statusCode).toBe(200);
    const { success, user, token: session, message, status } = first.json();
    expect({ success, status }).toEqual({ success: true, status: 'ok' });
    expect(message).toEqual(expect.any(String));
    expect(user).toMatchObject({ name: 'आशा Rao', username: 'आशा', email: 'Asha@mail.example' });
    const own = await post('/api/userdata', { token: session });
    expect(own.json().data._id).toBe(user._id);

    // The e-mail address does not identify the person: the same subject with another address is the same person.
    const again = await logIn(await token({ ...who, email: 'new@mail.example', name: 'Somebody else' }));
    expect(again.json().user).toMatchObject({ _id: user._id, email: 'Asha@mail.example' });
  });

  it.each([
    ['a taken one gets digits', 'Ravi', /^ravi\d{4}$/],
    ['in any script', 'ਗੁਰਪ੍ਰੀਤ ਕੌਰ', /^ਗੁਰਪ੍ਰੀਤ\.ਕੌਰ$/],
    ['a reserved word gets digits', 'Support', /^support\d{4}$/],
    ['in one script', 'Gurpreet ਕੌਰ', /^gurpreet$/],
    ['of nothing that can be said', '🌞 !!', /^someone\d{4}$/],
    ['of no name at all', undefined, /^someone\d{4}$/],
    ['of a name without end', 'Wolfeschlegel steinhausenbergerdorff', /^wolfeschlegel\.steinhausenb$/],
    ['of a name with what no database holds', 'Nul\u0000 Byte\ud800', /^nul\.byte$/],
  ])('makes a username from the name, never from the e-mail address: %s', async (_what, name, expected) => {
    await logIn(await token({ name: 'Ravi' }));
    const { user } = (await logIn(await token({ name }))).json();
    expect(user.username).toMatch(expected);
    expect(user.name.length).toBeGreaterThan(0);
  });

  it('creates one account when eight first sign-ins arrive at the same time', async () => {
    const sub = 'eight';
    const tokens = await Promise.all(
      Array.from({ length: 8 }, () => token({ sub, email: 'eight@mail.example' })),
    );
    const answers = await Promise.all(tokens.map(logIn));
    expect(new Set(answers.map((answer) => answer.json().user?._id)).size).toBe(1);
    expect(answers.map((answer) => answer.statusCode)).toEqual(Array(8).fill(200));
  });

  it.each([
    ['RS384', 401],
    ['RS512', 401],
    ['ES512', 401],
    ['PS256', 200],
    ['ES256', 200],
    ['EdDSA', 200],
    ['RS256', 200],
  ])('signed by the issuer with %s returns %i: algorithms are an allow-list', async (alg, expected) => {
    later(60_000);
    await issuer.rotate(alg);
    expect((await logIn(await token())).statusCode).toBe(expected);
  });

  it('accepts an audience list of only us, our azp, and small differences between clocks', async () => {
    const fine = [
      { aud: [testClientId] },
      { azp: testClientId },
      { iat: seconds() + 20, nbf: seconds() + 20 },
      { exp: seconds() - 20 },
    ];
    for (const change of fine) expect((await logIn(await token(change))).statusCode).toBe(200);
  });

  it('refuses a suspended person', async () => {
    const { user } = (await logIn(await token({ sub: 'gone', email: 'gone@mail.example' }))).json();
    await server.db
      .updateTable('people')
      .set({ suspended_at: server.now.value })
      .where('id', '=', user._id)
      .execute();
    const response = await logIn(await token({ sub: 'gone', email: 'gone@mail.example' }));
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ success: false, code: 'suspended' });
  });

  it('deletes the identity together with the account', async () => {
    const { user } = (await logIn(await token({ sub: 'left' }))).json();
    await server.db.deleteFrom('people').where('id', '=', user._id).execute();
    const left = await server.db.selectFrom('identities').where('subject', '=', 'left').execute();
    expect(left).toEqual([]);
  });
});

/** Signs valid claims with a change. */
const saying = (change: object) => async () => token(change);
/** Signs valid claims under a changed header. */
const headed = (header: object) => async () => issuer.sign(await claims(), header);
/** Changes one of the three parts of a valid token. */
const broken = (how: (header: string, payload: string, signature: string) => string) => async () => {
  const [header = '', payload = '', signature = ''] = (await token()).split('.');
  return how(header, payload, signature);
};
const rewritten = (payload: string, change: object) =>
  base64({ ...JSON.parse(Buffer.from(payload, 'base64url').toString()), ...change });

const badTokens: [string, () => Promise<string>][] = [
  ['is not signed (alg none)', broken((_, payload) => `${base64({ alg: 'none' })}.${payload}.`)],
  [
    'says none in other letters, and keeps a signature',
    broken((_, p, s) => `${base64({ alg: 'nOnE' })}.${p}.${s}`),
  ],
  [
    'is signed by HMAC with the public key',
    async () =>
      issuer.sign(
        await claims(),
        { alg: 'HS256' },
        new TextEncoder().encode(await exportSPKI(issuer.key().publicKey)),
      ),
  ],
  [
    'is signed by HMAC with the modulus',
    async () =>
      issuer.sign(
        await claims(),
        { alg: 'HS256' },
        Buffer.from((await exportJWK(issuer.key().publicKey)).n ?? '', 'base64url'),
      ),
  ],
  [
    'is signed by HMAC with our client id',
    async () => issuer.sign(await claims(), { alg: 'HS512' }, Buffer.from(testClientId.padEnd(64))),
  ],
  ['is for somebody else', saying({ aud: 'another-site' })],
  ['is for somebody whose id begins with ours', saying({ aud: `${testClientId}-2` })],
  ['is for nobody', saying({ aud: undefined })],
  ['is for an empty list', saying({ aud: [] })],
  ['has two audiences', saying({ aud: [testClientId, 'another-site'] })],
  ['has two audiences and our azp', saying({ aud: [testClientId, 'another-site'], azp: testClientId })],
  ['was asked for by another client (azp)', saying({ azp: 'another-site' })],
  ['is of another issuer by name', saying({ iss: 'https://accounts.google.com' })],
  ['is of an issuer named like ours with a slash', async () => token({ iss: `${issuer.name}/` })],
  ['is of no issuer', saying({ iss: undefined })],
  [
    'is signed by the key of another issuer',
    async () => other.sign(await claims(), { kid: issuer.key().kid }),
  ],
  ['is another issuer’s own', async () => other.sign(await claims({ iss: other.name }))],
  ['names a key that nobody knows', headed({ kid: 'unknown' })],
  [
    'is signed by a key that it brings along (jwk)',
    async () => {
      const own = await makeKey();
      const jwk = await exportJWK(own.publicKey);
      return issuer.sign(await claims(), { jwk, kid: own.kid }, own.privateKey);
    },
  ],
  [
    'is signed by a key that it brings along under the name of the issuer’s',
    async () => {
      const own = await makeKey();
      return issuer.sign(await claims(), { jwk: await exportJWK(own.publicKey) }, own.privateKey);
    },
  ],
  [
    'says where its key is (jku)',
    async () => {
      const { kid } = other.key();
      return other.sign(await claims(), { jku: `${other.name}/keys`, kid });
    },
  ],
  [
    'says where its certificate is (x5u)',
    async () => other.sign(await claims(), { x5u: `${other.name}/certificate` }),
  ],
  [
    'has a header that must be understood (crit)',
    async () => {
      const { alg, kid, privateKey } = issuer.key();
      return new SignJWT(await claims())
        .setProtectedHeader({ alg, kid, crit: ['urn:other'], 'urn:other': 1 })
        .sign(privateKey, { crit: { 'urn:other': true } });
    },
  ],
  ['is an access token by its type', headed({ typ: 'at+jwt' })],
  ['is a logout token by its type', headed({ typ: 'logout+jwt' })],
  ['is over', async () => token({ exp: seconds() - 60, iat: seconds() - 120 })],
  ['is never over', saying({ exp: undefined })],
  ['is over at a time that is no number', saying({ exp: '9999999999' })],
  ['is not valid yet', async () => token({ nbf: seconds() + 120 })],
  ['comes from the future', async () => token({ iat: seconds() + 3600, exp: seconds() + 7200 })],
  ['is old, however long it says it lasts', async () => token({ iat: seconds() - 3600 })],
  ['does not say when it was made', saying({ iat: undefined })],
  ['has a nonce of its own making', saying({ nonce: 'made-up' })],
  ['has no nonce', saying({ nonce: undefined })],
  ['has a nonce that is a list', async () => token({ nonce: [await nonce()] })],
  [
    'has a nonce whose time is over',
    async () => {
      const old = await nonce();
      later(11 * 60_000);
      return token({ nonce: old });
    },
  ],
  ['has an address that is not verified', saying({ email_verified: false })],
  ['has an address that is verified in words', saying({ email_verified: 'true' })],
  ['does not say whether the address is verified', saying({ email_verified: undefined })],
  ['has no address', saying({ email: undefined })],
  ['has an address that is none', saying({ email: 'asha at home' })],
  ['has no subject', saying({ sub: undefined })],
  ['has an empty subject', saying({ sub: '' })],
  ['has a subject that is a number', saying({ sub: 7 })],
  ['has a subject that no database holds', saying({ sub: 'nul\u0000' })],
  ['has an endless subject', saying({ sub: 'x'.repeat(256) })],
  [
    'had its address swapped',
    broken((header, payload, s) => `${header}.${rewritten(payload, { email: 'victim@mail.example' })}.${s}`),
  ],
  [
    'had its subject swapped',
    broken((header, payload, s) => `${header}.${rewritten(payload, { sub: 'asha' })}.${s}`),
  ],
  ['is cut short', broken((header, payload, s) => `${header}.${payload}.${s.slice(0, -8)}`)],
  ['has no signature', broken((header, payload) => `${header}.${payload}`)],
  ['has an empty signature', broken((header, payload) => `${header}.${payload}.`)],
  ['has a fourth part', broken((header, payload, s) => `${header}.${payload}.${s}.${s}`)],
  ['holds no JSON', broken((header, _, s) => `${header}.bm90IGpzb24.${s}`)],
  ['holds a list', async () => `${base64({ alg: 'RS256' })}.${base64([])}.AAAA`],
  ['is no token', async () => 'nonsense'],
];

describe('an ID token is refused that', () => {
  it.each(badTokens)('%s', async (_what, make) => {
    const idToken = await make();
    const before = await people();
    const sessions = await server.db.selectFrom('sessions').selectAll().execute();
    const response = await logIn(idToken);
    expect(response.statusCode).toBe(401);
    expect(response.json()).toMatchObject({
      success: false,
      message: 'Google login failed',
      error: 'Google login failed',
      code: 'bad_identity',
    });
    expect(await people()).toEqual(before);
    expect(await server.db.selectFrom('sessions').selectAll().execute()).toHaveLength(sessions.length);
  });

  it('was used before, by any person and for any purpose', async () => {
    const person = await signUpSomebody(server);
    const used = await token();
    expect((await logIn(used)).statusCode).toBe(200);
    expect((await logIn(used)).statusCode).toBe(401);
    expect((await link(person, used)).statusCode).toBe(401);
    // A nonce is valid for one token only.
    const one = await claims();
    expect((await logIn(await issuer.sign(one))).statusCode).toBe(200);
    expect((await logIn(await issuer.sign({ ...one, sub: 'another' }))).statusCode).toBe(401);
  });

  it('arrives several times in parallel: only one is accepted', async () => {
    const idToken = await token();
    const answers = await Promise.all(Array.from({ length: 8 }, () => logIn(idToken)));
    expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, ...Array(7).fill(401)]);
  });

  it.each([{}, { idToken: '' }, { idToken: null }, { idToken: { a: 1 } }, { idToken: 'x'.repeat(20_000) }])(
    'is none: %j',
    async (body) => {
      const response = await post('/api/google-loginweb', body);
      expect(response.statusCode).toBe(400);
      expect(response.json()).toMatchObject({ success: false, message: 'Google login failed' });
    },
  );
});

describe('nonces', () => {
  it('are stored only as hashes, and deleted when they expire', async () => {
    const given = await nonce();
    const stored = await server.db.selectFrom('sign_in_nonces').selectAll().execute();
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.some(({ hash }) => hash.equals(Buffer.from(given, 'base64url')))).toBe(false);
    later(11 * 60_000);
    await nonce();
    expect(await server.db.selectFrom('sign_in_nonces').selectAll().execute()).toHaveLength(1);
  });
});

describe('an e-mail address', () => {
  it('of a password account: an ID token with that address neither links nor opens the account', async () => {
    const victim = await signUpSomebody(server);
    const before = await people();
    const response = await logIn(await token({ email: victim.email.toUpperCase() }));
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ success: false, code: 'email_taken' });
    expect(response.json().message).toContain('already has an account');
    expect(await people()).toEqual(before);
  });

  it('registered first by another person does not give that person access to what its owner creates later', async () => {
    const squatter = await signUpSomebody(server);
    // The owner signs in with Google, twice: neither account gives access to the other.
    for (const _ of [1, 2]) {
      const response = await logIn(await token({ sub: 'owner', email: squatter.email }));
      expect(response.statusCode).toBe(409);
    }
    const linked = await server.db.selectFrom('identities').where('subject', '=', 'owner').execute();
    expect(linked).toEqual([]);
  });

  it('of a Google account cannot be used for sign-up, and no password opens it', async () => {
    const email = 'google-only@mail.example';
    await logIn(await token({ email }));
    const form = { name: 'X', username: 'intruder', email: 'Google-Only@mail.example' };
    const up = await post('/api/signup', { ...form, password: 'a password', cpassword: 'a password' });
    expect(up.statusCode).toBe(409);
    expect(up.json().code).toBe('email_taken');
    for (const password of ['a password', '', 'null', 'undefined', 'an account that does not exist']) {
      const response = await post('/api/signin', { email, password });
      expect(response.statusCode).toBe(password ? 401 : 400);
    }
    const row = (await people()).find((one) => one.email === email);
    expect(row?.password_hash).toBeNull();
  });

  it("in another person's Google token opens nothing", async () => {
    await logIn(await token({ sub: 'first', email: 'shared@mail.example' }));
    const response = await logIn(await token({ sub: 'second', email: 'shared@mail.example' }));
    expect(response.statusCode).toBe(409);
  });

  it('gets one account when both ways of signing up happen at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const email = `race${round}@mail.example`;
      const form = {
        name: 'R',
        username: `race${round}`,
        email,
        password: 'a password',
        cpassword: 'a password',
      };
      const answers = await Promise.all([post('/api/signup', form), logIn(await token({ email }))]);
      expect(answers.map((answer) => answer.statusCode).sort()).toEqual([200, 409]);
    }
  });
});

describe('linking (decisions §3)', () => {
  it('links a Google identity to the signed-in account, which then opens both ways', async () => {
    const person = await signUpSomebody(server);
    const isLinked = async () =>
      (await server.inject({ url: '/api/link-google', headers: person.headers })).json().linked;
    expect(await isLinked()).toBe(false);
    const who = { sub: 'linked', email: 'linked@mail.example' };
    for (const _ of ['once', 'twice']) {
      const response = await link(person, await token(who));
      expect(response.statusCode).toBe(200);
      expect(response.json().success).toBe(true);
    }
    expect(await isLinked()).toBe(true);
    expect((await logIn(await token(who))).json().user._id).toBe(person.id);
    const password = await post('/api/signin', { email: person.email, password: 'correct horse' });
    expect(password.json().user._id).toBe(person.id);
  });

  it('requires a session and a valid token', async () => {
    expect((await post('/api/link-google', { idToken: await token() })).statusCode).toBe(401);
    const person = await signUpSomebody(server);
    const response = await link(person, await token({ aud: 'another-site' }));
    expect(response.json()).toMatchObject({ success: false, code: 'bad_identity' });
    expect((await post('/api/userdata', { token: person.token })).statusCode).toBe(200);
  });

  it('refuses an identity that is linked elsewhere, and a second identity for one account', async () => {
    const [one, two] = [await signUpSomebody(server), await signUpSomebody(server)];
    await link(one, await token({ sub: 'of-one' }));
    const taken = await link(two, await token({ sub: 'of-one' }));
    expect(taken.statusCode).toBe(409);
    expect(taken.json().code).toBe('identity_taken');
    expect((await link(one, await token({ sub: 'second-of-one' }))).statusCode).toBe(409);
    expect((await logIn(await token({ sub: 'of-one' }))).json().user._id).toBe(one.id);
  });

  it('and a first sign-in at the same time lead to one account', async () => {
    for (let round = 0; round < 5; round += 1) {
      const person = await signUpSomebody(server);
      const who = { sub: `both${round}`, email: `both${round}@mail.example` };
      const [tying, entering] = await Promise.all([link(person, await token(who)), logIn(await token(who))]);
      expect(entering.statusCode).toBe(200);
      expect(tying.statusCode).toBe(entering.json().user._id === person.id ? 200 : 409);
    }
  });
});

describe('linked accounts (decisions §8)', () => {
  const linkedTo = async (person: Pick<Person, 'headers'>) =>
    (await server.inject({ url: '/api/link-google', headers: person.headers })).json();
  const unlink = (headers: Person['headers']) =>
    server.inject({ method: 'DELETE', url: '/api/link-google', headers });
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

  it('are listed with address and date; the address is the one that the issuer has now', async () => {
    const person = await signUpSomebody(server);
    expect(await linkedTo(person)).toMatchObject({ linked: false, accounts: [] });
    const linkedAt = server.now.value.toISOString();
    const one = await claims({ email: 'first@mail.example' });
    await link(person, await issuer.sign(one));
    expect(await linkedTo(person)).toMatchObject({
      linked: true,
      accounts: [{ email: 'first@mail.example', linkedAt }],
    });
    await logIn(await token({ sub: one.sub, email: 'second@mail.example' }));
    expect((await linkedTo(person)).accounts).toMatchObject([{ email: 'second@mail.example', linkedAt }]);
  });

  it('no longer open the account after they are unlinked, nor do their sessions, e.g. those linked with a stolen token', async () => {
    const person = await signUpSomebody(server);
    const stranger = await claims();
    await link(person, await issuer.sign(stranger));
    const opened = (await logIn(await token({ sub: stranger.sub }))).json();
    expect(opened.user._id).toBe(person.id);
    expect((await unlink(person.headers)).statusCode).toBe(200);
    expect((await linkedTo(person)).accounts).toEqual([]);
    expect((await post('/api/userdata', { token: opened.token })).statusCode).toBe(401);
    expect((await post('/api/userdata', { token: person.token })).statusCode).toBe(200);
    expect((await logIn(await token({ sub: stranger.sub }))).json().user?._id).not.toBe(person.id);
  });

  it('are reported by a notification from jhalak when linked and when unlinked', async () => {
    const person = await signUpSomebody(server);
    await link(person, await token());
    later(1000);
    await unlink(person.headers);
    // A second time there is nothing to unlink, and nothing to report.
    await unlink(person.headers);
    const { data } = (
      await server.inject({
        url: `/api/notification/getNotifications/${person.id}`,
        headers: person.headers,
      })
    ).json();
    expect(data).toMatchObject(
      ['google_unlinked', 'google_linked'].map((kind) => ({ kind, username: 'jhalak', senderId: person.id })),
    );
  });

  it('cannot be unlinked without a password, since nobody could log in then', async () => {
    const { token: session, user } = (await logIn(await token())).json();
    const refused = await unlink(bearer(session));
    expect(refused.json()).toMatchObject({
      code: 'no_password',
      error:
        'This account has no password, so nobody could log in to it without Google. Choose a password first.',
    });
    expect((await linkedTo({ headers: bearer(session) })).accounts).toHaveLength(1);
    expect(user._id).toEqual(expect.any(String));
  });
});

describe('the issuer', () => {
  it('may change its keys without a restart, and the old keys are then refused', async () => {
    const old = issuer.key();
    expect((await logIn(await token())).statusCode).toBe(200);
    later(6_000);
    await issuer.rotate();
    expect((await logIn(await token())).statusCode).toBe(200);
    const byOld = await issuer.sign(await claims(), { kid: old.kid, alg: old.alg }, old.privateKey);
    expect((await logIn(byOld)).statusCode).toBe(401);
  });

  it('is not requested repeatedly for forged keys', async () => {
    await logIn(await token());
    later(6_000);
    const before = issuer.requests();
    for (let tries = 0; tries < 20; tries += 1)
      await logIn(await issuer.sign(await claims(), { kid: `made-up-${tries}` }));
    expect(issuer.requests() - before).toBe(1);
  });

  it('that does not respond leads to 503, and everything works when it is back', async () => {
    const waiting = await token();
    later(11 * 60_000);
    const fresh = await issuer.sign({ ...(await claims()), nonce: await nonce() });
    later(9 * 60_000 + 30_000);
    // Cached keys work for ten minutes without the issuer, and no longer.
    issuer.status.value = 500;
    later(60_000);
    for (const [url, body] of [
      ['/api/google-nonce', {}],
      ['/api/google-loginweb', { idToken: fresh }],
    ] as const) {
      const response = await post(url, body);
      expect(response.statusCode).toBe(503);
      expect(response.json()).toMatchObject({ success: false, code: 'unavailable' });
      expect(response.json().message).toBe('We cannot reach Google right now. Please try again in a moment.');
    }
    issuer.status.value = 200;
    expect((await logIn(await token())).statusCode).toBe(200);
    expect((await logIn(waiting)).statusCode).toBe(401);
  });

  it.each([
    ['another name', { issuer: 'https://accounts.google.com' }],
    ['keys elsewhere in the clear', { jwks_uri: 'http://keys.example/keys' }],
    ['a way in that is no address', { authorization_endpoint: 'javascript:alert(1)' }],
  ])('is not trusted if its configuration has %s', async (_what, extra) => {
    Object.assign(issuer.extra, extra);
    later(11 * 60_000);
    expect((await post('/api/google-nonce')).statusCode).toBe(503);
  });

  it('is sent prompt=select_account if it supports that', async () => {
    const prompt = async () => {
      later(11 * 60_000);
      return (await post('/api/google-nonce')).json();
    };
    const described = { clientId: testClientId, authorizationEndpoint: `${issuer.name}/authorize` };
    expect(await prompt()).toMatchObject(described);
    issuer.extra.prompt_values_supported = ['login', 'consent'];
    expect(await prompt()).not.toHaveProperty('prompt');
    issuer.extra.prompt_values_supported = ['login', 'select_account'];
    expect(await prompt()).toMatchObject({ ...described, prompt: 'select_account' });
  });
});

describe('without a client id', () => {
  it('Google sign-in is refused as switched off, and sign-in by e-mail works', async () => {
    const plain = await startTestServer();
    try {
      const config = await plain.inject({ url: '/api/config' });
      expect(config.json().signIn).toEqual({ google: false });
      const person = await signUpSomebody(plain);
      for (const url of ['/api/google-nonce', '/api/google-loginweb', '/api/link-google']) {
        const response = await plain.inject({
          method: 'POST',
          url,
          payload: { idToken: 'x' },
          headers: person.headers,
        });
        expect(response.statusCode).toBe(404);
        expect(response.json()).toMatchObject({ success: false, code: 'identity_off' });
      }
    } finally {
      await plain.close();
    }
    const config = await server.inject({ url: '/api/config' });
    expect(config.json().signIn).toEqual({ google: true });
  });
});

describe('logging out of a session that an issuer opened (specification §4)', () => {
  const leave = async (session: string, payload: object = {}) => {
    const answer = await post('/api/logout', payload, { authorization: `Bearer ${session}` });
    expect(answer.statusCode).toBe(200);
    const own = await post('/api/userdata', { token: session });
    expect(own.statusCode).toBe(401);
    return answer.json();
  };
  const session = async () => (await logIn(await token())).json().token as string;
  // The issuer's configuration is cached for ten minutes.
  const saysNow = (extra: object) => {
    Object.assign(issuer.extra, extra);
    later(11 * 60_000);
  };
  const endpoint = () => `${issuer.name}/session/end`;

  it('returns the logout address of the issuer, for one session and for all', async () => {
    saysNow({ end_session_endpoint: endpoint() });
    const endSession = { endpoint: endpoint(), clientId: testClientId };
    expect(await leave(await session())).toEqual({ status: 'ok', endSession });
    expect(await leave(await session(), { everywhere: true })).toEqual({ status: 'ok', endSession });
    // An ended session has no issuer any more.
    const gone = await post('/api/logout', {}, { authorization: 'Bearer nobody' });
    expect(gone.json()).toEqual({ status: 'ok' });
  });

  it('returns no logout address for a session opened with a password', async () => {
    saysNow({ end_session_endpoint: endpoint() });
    await nonce();
    const person = await signUpSomebody(server);
    expect(await leave(person.token)).toEqual({ status: 'ok' });
  });

  it('returns no logout address if the issuer has none or an untrusted one', async () => {
    saysNow({});
    expect(await leave(await session())).toEqual({ status: 'ok' });
    for (const end_session_endpoint of ['javascript:alert(1)', 'http://elsewhere.example/end', 7]) {
      saysNow({ end_session_endpoint });
      expect(await leave(await session())).toEqual({ status: 'ok' });
    }
  });

  it('ends the local session while the issuer does not respond', async () => {
    saysNow({ end_session_endpoint: endpoint() });
    const opened = await session();
    later(11 * 60_000);
    issuer.status.value = 500;
    expect(await leave(opened)).toEqual({ status: 'ok' });
  });
});
