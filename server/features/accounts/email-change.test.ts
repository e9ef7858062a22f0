import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { type Person, signUpSomebody, type TestServer } from '#testing/servers/test-server.ts';
import { deleteExpiredLinks } from './links.ts';
import { openSession } from './sessions.ts';

let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let smtp: typeof mailing.smtp;
let server: TestServer;
let asha: Person;
const start = new Date();
const at = (minutes: number) => new Date(start.getTime() + minutes * 60_000);
const day = 24 * 60;
const password = 'correct horse';
beforeAll(async () => {
  mailing = await startMailingServer();
  ({ server, smtp } = mailing);
});
afterAll(() => mailing.close());
let fresh = 0;
let wanted = '';
beforeEach(async () => {
  server.now.value = start;
  asha = await signUpSomebody(server, 'Asha');
  fresh += 1;
  wanted = `Wanted${fresh}@people.example`;
});
afterEach(async () => {
  await server.db.deleteFrom('mails').execute();
  smtp.mails.length = 0;
});

const post = (url: string, payload: object = {}, headers = {}) =>
  server.inject({ method: 'POST', url, payload, headers });
const change = ({ headers }: Pick<Person, 'headers'>, email = wanted) =>
  post('/api/email/change', { email }, headers);
const verify = ({ headers }: Pick<Person, 'headers'>, token: string) =>
  post('/api/email/verify', { token }, headers);
const reset = (token: string) =>
  post('/api/password/reset', { token, password: 'taken back', cpassword: 'taken back' });
const self = async ({ headers }: Pick<Person, 'headers'>) => {
  const { email, emailVerified } = (await post('/api/userdata', {}, headers)).json().data;
  return { email, emailVerified };
};
const signUp = (email: string) => {
  const username = `other${process.pid}x${fresh}`;
  return post('/api/signup', { name: 'Other', username, email, password, cpassword: password });
};

/** The secret of the last link that was sent to this address. */
async function secretTo(address: string): Promise<string> {
  await mailing.sendAll();
  const secrets = smtp.mails
    .filter(({ to }) => to.includes(address))
    .map(({ text }) => /(?:VerifyEmail|ResetPassword)#(\S+)/.exec(text)?.[1]);
  return secrets.findLast((secret) => secret !== undefined) ?? '';
}
async function verified(person: Person): Promise<void> {
  await post('/api/email/send-verification', {}, person.headers);
  expect((await verify(person, await secretTo(person.email))).statusCode).toBe(200);
}
/** Changes the address; returns the secret that undoes it, if there is one. */
async function changed(person: Person, email = wanted): Promise<string> {
  expect((await change(person, email)).json()).toEqual({ status: 'ok' });
  expect((await verify(person, await secretTo(email))).json()).toEqual({ status: 'ok' });
  return await secretTo(person.email);
}

describe('an address', () => {
  it('changes when the link sent to the new one is followed, and the new one is verified', async () => {
    expect((await change(asha)).json()).toEqual({ status: 'ok' });
    expect(await self(asha)).toEqual({ email: asha.email, emailVerified: false });
    const secret = await secretTo(wanted);
    expect(smtp.mails).toMatchObject([{ to: [wanted], subject: 'Verify your new address for Jhalak' }]);
    expect((await verify(asha, secret)).json()).toEqual({ status: 'ok' });
    expect(await self(asha)).toEqual({ email: wanted, emailVerified: true });
    expect((await post('/api/signin', { email: wanted.toLowerCase(), password })).statusCode).toBe(200);
    expect((await post('/api/signin', { email: asha.email, password })).statusCode).toBe(401);
    // A link works once.
    expect((await verify(asha, secret)).json().code).toBe('link_over');
  });

  it('needs a confirmation to change if the session is not fresh', async () => {
    server.now.value = at(11);
    const stale = await change(asha);
    expect(stale.statusCode).toBe(403);
    expect(stale.json()).toMatchObject({
      code: 'confirmation_required',
      error: 'For your safety, log in again and repeat this within ten minutes.',
    });
    const params = { email: wanted };
    const confirm = await post('/api/confirm', { act: 'change_email', params, password }, asha.headers);
    const headers = { ...asha.headers, 'x-confirmation': confirm.json().confirmation };
    // The confirmation is valid only for the confirmed address.
    expect((await change({ headers }, `thief.${wanted}`)).json().code).toBe('confirmation_required');
    expect((await change({ headers })).statusCode).toBe(200);
  });

  it('cannot change for 72 hours after a password reset by a link', async () => {
    await post('/api/password/forgot', { email: asha.email });
    expect((await reset(await secretTo(asha.email))).statusCode).toBe(200);
    const again = async () => {
      const { data } = (await post('/api/signin', { email: asha.email, password: 'taken back' })).json();
      return { headers: { authorization: `Bearer ${data}` } };
    };
    server.now.value = at(71 * 60);
    expect((await change(await again())).json().code).toBe('recently_changed');
    server.now.value = at(73 * 60);
    expect((await change(await again())).statusCode).toBe(200);
  });

  it('can also change in a session by Google if Google made the account', async () => {
    const issuer = 'https://accounts.google.com';
    await server.db.updateTable('people').set({ password_hash: null }).where('id', '=', asha.id).execute();
    await server.db
      .insertInto('identities')
      .values({ issuer, subject: asha.id, person_id: asha.id, linked_at: at(-73 * 60) })
      .execute();
    const token = await openSession(server.db, { personId: asha.id, issuer }, start);
    const byGoogle = { headers: { authorization: `Bearer ${token}` } };
    expect((await change(byGoogle)).statusCode).toBe(200);
    expect((await verify(byGoogle, await secretTo(wanted))).json()).toEqual({ status: 'ok' });
    expect(await self(byGoogle)).toEqual({ email: wanted, emailVerified: true });
  });

  it('does not change if the reader of the new one is not logged in to the account', async () => {
    await change(asha);
    const secret = await secretTo(wanted);
    const reader = await signUpSomebody(server, 'The reader');
    expect((await verify(reader, secret)).json().code).toBe('not_yours');
    expect((await reset(secret)).json().code).toBe('link_over');
    expect(await self(asha)).toMatchObject({ email: asha.email });
  });

  it('that belongs to another account gets no mail, and the response does not reveal it', async () => {
    const holder = await signUpSomebody(server, 'The holder');
    expect((await change(asha, holder.email.toUpperCase())).json()).toEqual({ status: 'ok' });
    await mailing.sendAll();
    expect(smtp.mails).toEqual([]);
  });

  it('that another account took in the meantime stays with that account', async () => {
    await change(asha);
    const secret = await secretTo(wanted);
    expect((await signUp(wanted)).statusCode).toBe(200);
    expect((await verify(asha, secret)).json().code).toBe('email_taken');
    expect(await self(asha)).toMatchObject({ email: asha.email });
  });

  it('is the one requested last, and a request can be cancelled', async () => {
    await change(asha, `first.${wanted}`);
    const first = await secretTo(`first.${wanted}`);
    await change(asha);
    const second = await secretTo(wanted);
    expect((await verify(asha, first)).json().code).toBe('link_over');
    await change(asha, asha.email);
    expect((await verify(asha, second)).json().code).toBe('link_over');
  });

  it('gets at most three mails an hour, from however many people', async () => {
    for (let place = 0; place < 3; place += 1) expect((await change(asha)).statusCode).toBe(200);
    expect((await change(asha)).json().code).toBe('too_many_requests');
    const other = await signUpSomebody(server, 'Other');
    expect((await change(other)).json().code).toBe('too_many_requests');
  });
});

describe('a change', () => {
  it('is reported to the old address, whose link restores the account within a week', async () => {
    await verified(asha);
    await server.db
      .insertInto('identities')
      .values({
        issuer: 'https://accounts.google.com',
        subject: asha.id,
        person_id: asha.id,
        linked_at: at(1),
      })
      .execute();
    const undo = await changed(asha);
    expect(smtp.mails.at(-1)).toMatchObject({
      to: [asha.email],
      subject: 'The address of your Jhalak account was changed',
    });
    expect(smtp.mails.at(-1)?.text).not.toContain(wanted);
    // Mails requested for the new address do not use up the link of the old one.
    await post('/api/password/forgot', { email: wanted });
    expect((await reset(await secretTo(wanted))).statusCode).toBe(200);
    server.now.value = at(7 * day - 1);
    expect((await reset(undo)).json()).toEqual({ status: 'ok' });
    expect((await post('/api/signin', { email: wanted, password: 'taken back' })).statusCode).toBe(401);
    const { data } = (await post('/api/signin', { email: asha.email, password: 'taken back' })).json();
    const back = { headers: { authorization: `Bearer ${data}` } };
    expect(await self(back)).toEqual({ email: asha.email, emailVerified: true });
    expect((await post('/api/userdata', {}, asha.headers)).statusCode).toBe(401);
    const linked = server.db.selectFrom('identities').select('subject').where('person_id', '=', asha.id);
    expect(await linked.execute()).toEqual([]);
    await mailing.sendAll();
    const told = smtp.mails.filter(({ to }) => to.includes(wanted)).at(-1)?.text;
    expect(told).toContain('Your account has its old address again');
    expect(told).toContain(`${mailing.origin}/Contact`);
    expect((await reset(undo)).json().code).toBe('link_over');
  });

  it('cannot be undone after a week', async () => {
    await verified(asha);
    const undo = await changed(asha);
    server.now.value = at(7 * day + 1);
    expect((await reset(undo)).json().code).toBe('link_over');
    expect((await signUp(asha.email)).statusCode).toBe(200);
    await deleteExpiredLinks(server.context);
    expect(
      await server.db.selectFrom('email_changes').select('id').where('person_id', '=', asha.id).execute(),
    ).toEqual([]);
  });

  it('reserves the old address for the account while it can be undone', async () => {
    await verified(asha);
    const undo = await changed(asha);
    expect((await signUp(asha.email.toUpperCase())).json()).toMatchObject({ code: 'email_taken' });
    const thief = await signUpSomebody(server, 'The thief');
    await change(thief, asha.email);
    expect((await verify(thief, await secretTo(asha.email))).json().code).toMatch(/email_taken|link_over/);
    expect((await reset(undo)).statusCode).toBe(200);
    expect((await signUp(asha.email)).json().code).toBe('email_taken');
    // The other address is free again.
    expect((await signUp(wanted)).statusCode).toBe(200);
  });

  it('that is undone also undoes later changes', async () => {
    await verified(asha);
    const undo = await changed(asha);
    const middle = { ...asha, email: wanted };
    const undoMiddle = await changed(middle, `next.${wanted}`);
    await change(middle, `waits.${wanted}`);
    const waits = await secretTo(`waits.${wanted}`);
    expect((await reset(undo)).statusCode).toBe(200);
    const { data } = (await post('/api/signin', { email: asha.email, password: 'taken back' })).json();
    const back = { headers: { authorization: `Bearer ${data}` } };
    expect((await verify(back, waits)).json().code).toBe('link_over');
    expect((await reset(undoMiddle)).json().code).toBe('link_over');
    expect(await self(back)).toMatchObject({ email: asha.email });
  });

  it('from an unverified address is reported to it without a link, since it may belong to a stranger', async () => {
    expect(await changed(asha)).toBe('');
    const [notice] = smtp.mails.filter(({ to }) => to.includes(asha.email));
    expect(notice?.text).toContain(`${mailing.origin}/Contact`);
    expect(notice?.text).not.toContain('#');
    expect((await signUp(asha.email)).statusCode).toBe(200);
  });

  it('that is pending is deleted when a password reset verifies the old address', async () => {
    await change(asha);
    const secret = await secretTo(wanted);
    await post('/api/password/forgot', { email: asha.email });
    expect((await reset(await secretTo(asha.email))).statusCode).toBe(200);
    const { data } = (await post('/api/signin', { email: asha.email, password: 'taken back' })).json();
    expect((await verify({ headers: { authorization: `Bearer ${data}` } }, secret)).json().code).toBe(
      'link_over',
    );
    expect(
      await server.db.selectFrom('email_changes').select('id').where('person_id', '=', asha.id).execute(),
    ).toEqual([]);
  });

  it('happens once, even if its link is followed several times at once', async () => {
    await verified(asha);
    await change(asha);
    const secret = await secretTo(wanted);
    const answers = await Promise.all([verify(asha, secret), verify(asha, secret), verify(asha, secret)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410, 410]);
  });
});
