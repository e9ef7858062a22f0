import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newAuthenticator } from '#testing/clients/authenticator.ts';
import { publishedReel } from '#testing/fixtures/earnings.ts';
import { startIssuer, type TestIssuer, testClientId } from '#testing/servers/issuer.ts';
import {
  call,
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

/** Noon of the 15th of November 2026 in India. */
const noon = new Date('2026-11-15T06:30:00Z');
const day = 24 * 60 * 60_000;

let issuer: TestIssuer;
let server: TestServer;
beforeAll(async () => {
  issuer = await startIssuer();
  server = await startTestServer({ OIDC_ISSUER: issuer.name, OIDC_CLIENT_ID: testClientId });
});
afterAll(async () => {
  await server?.close();
  await issuer?.close();
});
beforeEach(() => {
  server.now.value = noon;
});

const later = (milliseconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + milliseconds);
};
const newViewer = () => randomBytes(16).toString('hex');
const post = (url: string, payload: object, headers: Record<string, string> = {}) =>
  call(server, { method: 'POST', url, payload, headers });

/** The call with which a client that is logged in loads its account. */
const load = (token: string, viewer?: string) => post('/api/userdata', { token, viewer });

/** Watches a new reel of the creator without a login, in a network where the creator never was; returns whether the view counts. */
async function watchWithoutLogin(creatorId: string, viewer: string): Promise<boolean> {
  const reelId = await publishedReel(server.db, creatorId, server.now.value, 'Asia/Kolkata');
  const { lease } = await post(`/api/reel/increaseView/${reelId}`, { viewer });
  later(5000);
  const { counted } = await post('/api/reel/watched', { watched: [{ lease, seconds: 5 }] });
  return counted === 1;
}

const browsersOf = async (personId: string) =>
  (await server.db.selectFrom('seen_browsers').selectAll().where('person_id', '=', personId).execute())
    .length;

/** Ways to log in; each returns the person and the token of the new session. */
const logins: [way: string, () => Promise<{ id: string; token: string }>][] = [
  [
    'a password',
    async () => {
      const { email } = await signUpSomebody(server);
      const { user, data } = await post('/api/signin', { email, password: 'correct horse' });
      return { id: user._id, token: data };
    },
  ],
  [
    'Google',
    async () => {
      const { nonce } = await post('/api/google-nonce', {});
      const now = Math.floor(server.now.value.getTime() / 1000);
      const who = { sub: 'asha', email: 'asha@mail.example', email_verified: true, name: 'Asha Rao' };
      const claims = { iss: issuer.name, aud: testClientId, ...who, nonce, iat: now, exp: now + 300 };
      const { user, token } = await post('/api/google-loginweb', { idToken: await issuer.sign(claims) });
      return { id: user._id, token };
    },
  ],
  [
    'a passkey',
    async () => {
      const { headers } = await signUpSomebody(server);
      const phone = newAuthenticator();
      const made = await post('/api/passkeys/begin', {}, headers);
      const credential = phone.create({ challenge: made.options.challenge });
      await post('/api/passkeys', { credential, name: 'Phone' }, headers);
      const { options } = await post('/api/passkeys/begin-login', {});
      const answer = phone.get({ challenge: options.challenge });
      const { user, data } = await post('/api/passkeys/login', { credential: answer });
      return { id: user._id, token: data };
    },
  ],
];

describe('a browser in which a creator was logged in without watching', () => {
  it.each(logins)('is their own for 30 days after a login by %s', async (_way, logIn) => {
    const { id, token } = await logIn();
    const viewer = newViewer();
    await load(token, viewer);
    later(2 * day);
    expect(await watchWithoutLogin(id, newViewer())).toBe(true);
    expect(await watchWithoutLogin(id, viewer)).toBe(false);
    later(29 * day);
    expect(await watchWithoutLogin(id, viewer)).toBe(true);
  });

  it('is their own also if the token is a bearer token', async () => {
    const { id, headers } = await signUpSomebody(server);
    const viewer = newViewer();
    await post('/api/userdata', { viewer }, headers);
    expect(await watchWithoutLogin(id, viewer)).toBe(false);
  });

  it('is stored at most once a day', async () => {
    const { id, token }: Person = await signUpSomebody(server);
    const viewer = newViewer();
    await load(token, viewer);
    expect(await browsersOf(id)).toBe(1);
    await server.db.deleteFrom('seen_browsers').where('person_id', '=', id).execute();
    await load(token, viewer);
    expect(await browsersOf(id)).toBe(0);
    later(day);
    await load(token, viewer);
    expect(await browsersOf(id)).toBe(1);
  });
});

describe('the id of a browser', () => {
  it('may be missing, as in older apps', async () => {
    const { id, token } = await signUpSomebody(server);
    expect((await load(token)).data._id).toBe(id);
    expect(await browsersOf(id)).toBe(0);
  });

  it.each(['too short', 'x'.repeat(65), 7])('is refused as in a showing: %j', async (viewer) => {
    const { id, token } = await signUpSomebody(server);
    const response = await server.inject({
      method: 'POST',
      url: '/api/userdata',
      payload: { token, viewer },
    });
    expect(response.statusCode).toBe(400);
    expect(await browsersOf(id)).toBe(0);
  });

  it('is forgotten if the person was since signed in with a hundred others, and with no fewer', async () => {
    const { id, token } = await signUpSomebody(server);
    const own = newViewer();
    await load(token, own);
    later(86_400_000);
    for (let one = 0; one < 99; one += 1) await load(token, newViewer());
    expect([await browsersOf(id), await watchWithoutLogin(id, own)]).toEqual([100, false]);
    for (let one = 0; one < 3; one += 1) await load(token, newViewer());
    expect([await browsersOf(id), await watchWithoutLogin(id, own)]).toEqual([100, true]);
  });

  it('is kept in place of a browser that was last used earlier on the same day [long]', async () => {
    const { id, token } = await signUpSomebody(server);
    const viewers = Array.from({ length: 103 }, newViewer);
    for (const viewer of viewers) {
      await load(token, viewer);
      later(1000);
    }
    const rows = await server.db
      .selectFrom('seen_browsers')
      .selectAll()
      .where('person_id', '=', id)
      .execute();
    expect(rows.length).toBe(100);
    for (const [viewer, isOwn] of [
      [viewers[2], false],
      [viewers[3], true],
    ] as const)
      expect(await watchWithoutLogin(id, viewer ?? '')).toBe(!isOwn);
  });

  it('is not stored for a token that is not valid', async () => {
    const all = () => server.db.selectFrom('seen_browsers').selectAll().execute();
    const before = (await all()).length;
    const payload = { token: 'nobody', viewer: newViewer() };
    expect((await server.inject({ method: 'POST', url: '/api/userdata', payload })).statusCode).toBe(401);
    expect(await all()).toHaveLength(before);
  });
});
