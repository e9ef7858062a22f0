import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { earnReleased } from '#testing/fixtures/earnings.ts';
import { startMailingServer } from '#testing/servers/mailing-server.ts';
import { type Person, signUpSomebody, type TestServer } from '#testing/servers/test-server.ts';
import { seedOr, someOf } from '#testing/share.ts';

/*
 * A thief who knows the password acts on day 0; the owner comes back on day 0, 2, 4 or 8. Each row of the table is something that the thief
 * did, each cell what is left of it on these four days.
 */
const days = [0, 2, 4, 8] as const;
type OnEachDay = readonly [string, string, string, string];
const always = (left: string): OnEachDay => [left, left, left, left];
/** The link that undoes a change of address lives for seven days. */
const whileLinkLives = (left: string): OnEachDay => [left, left, left, 'no link'];
const recently = (left: string, older: string): OnEachDay => [left, left, left, older];

const ways = ['reset', 'reset of an unproven address', 'undo', 'verifying in a session'] as const;
type Way = (typeof ways)[number];

const destinations = {
  'first destination': {
    reset: recently('removed', 'rests for 96 h'),
    'reset of an unproven address': always('removed'),
    undo: whileLinkLives('removed'),
    // Held for 72 hours since it was set, like any other.
    'verifying in a session': ['held', 'held', 'payable', 'payable'],
  },
  'changed destination': {
    reset: recently('removed', 'rests for 96 h'),
    'reset of an unproven address': always('removed'),
    undo: whileLinkLives('removed'),
    'verifying in a session': ['held', 'held', 'payable', 'payable'],
  },
  'destination older than seven days': {
    reset: always('rests for 96 h'),
    'reset of an unproven address': always('removed'),
    undo: whileLinkLives('removed'),
    'verifying in a session': always('payable'),
  },
} satisfies Record<string, Record<Way, OnEachDay>>;

const others = {
  passkey: {
    reset: recently('removed', 'left'),
    'reset of an unproven address': always('removed'),
    undo: whileLinkLives('removed'),
    'verifying in a session': always('left'),
  },
  'linked account': {
    reset: recently('removed', 'left'),
    'reset of an unproven address': always('removed'),
    undo: whileLinkLives('removed'),
    'verifying in a session': always('left'),
  },
  'pending change of address': {
    reset: always('removed'),
    'reset of an unproven address': always('removed'),
    undo: whileLinkLives('removed'),
    'verifying in a session': always('left'),
  },
  session: {
    reset: always('removed'),
    'reset of an unproven address': always('removed'),
    undo: whileLinkLives('removed'),
    'verifying in a session': always('left'),
  },
  // The money is the owner's: it waits for a destination, or for the end of the rest. The owner can cancel the request.
  withdrawal: {
    reset: always('left'),
    'reset of an unproven address': always('left'),
    undo: whileLinkLives('left'),
    'verifying in a session': always('left'),
  },
} satisfies Record<string, Record<Way, OnEachDay>>;

const [hour, day] = [3_600_000, 86_400_000];
const dayZero = new Date(Date.now() - 20 * day);
const later = (milliseconds: number, from = dayZero) => new Date(from.getTime() + milliseconds);
const [password, newPassword, month] = ['correct horse', 'a new password', '2025-10'];
const vpaOf = { owner: 'owner@okaxis', thief: 'thief@okaxis' };

let mailing: Awaited<ReturnType<typeof startMailingServer>>;
let server: TestServer;
beforeAll(async () => {
  mailing = await startMailingServer();
  ({ server } = mailing);
});
afterAll(() => mailing.close());
afterEach(async () => {
  await server.db.deleteFrom('mails').execute();
  mailing.smtp.mails.length = 0;
});

type Headers = Record<string, string>;
type Signed = Pick<Person, 'headers'>;
const send = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object, headers: Headers = {}) => {
  const answer = await server.inject({ method, url, headers, ...(payload ? { payload } : {}) });
  expect(answer.statusCode, `${method} ${url}: ${answer.body}`).toBe(200);
  return answer.json();
};
async function signIn(email: string, by: string): Promise<Signed> {
  const { data } = await send('POST', '/api/signin', { email, password: by });
  return { headers: { authorization: `Bearer ${data}` } };
}
const setDestination = ({ headers }: Signed, vpa: string) =>
  send('PUT', '/api/payout/destination', { kind: 'upi', vpa }, headers);
const destinationOf = async ({ headers }: Signed) =>
  (await send('GET', '/api/payout/destination', undefined, headers)).data;
const payoutOf = async (id: string, { headers }: Signed): Promise<string> =>
  (await send('GET', `/api/user-earnings/allrequests/${id}`, undefined, headers)).data[0].payout;

const mailsTo = (address: string) => mailing.smtp.mails.filter(({ to }) => to.includes(address));
/** Sends all mails, also notices that wait to be bundled. */
async function sendAll(): Promise<void> {
  const due = { next_try_at: server.now.value };
  await server.db.updateTable('mails').set(due).where('done_at', 'is', null).execute();
  await mailing.sendAll();
}
/** The secret of the last link that was sent to this address. */
async function secretTo(address: string): Promise<string> {
  await sendAll();
  const secrets = mailsTo(address).map(({ text }) => /(?:VerifyEmail|ResetPassword)#(\S+)/.exec(text)?.[1]);
  return secrets.findLast((secret) => secret !== undefined) ?? '';
}

interface Victim extends Person {
  /** The secret that undoes the thief's change of address. */
  undo: string;
  thief: Signed;
}

let addresses = 0;
/** An account of a month, in which a thief has done everything on day 0. */
async function stolen(way: Way, destination: keyof typeof destinations): Promise<Victim> {
  server.now.value = later(-30 * day);
  const owner = await signUpSomebody(server);
  const { id, email } = owner;
  const verified = way === 'reset' || way === 'undo' ? later(-29 * day) : null;
  const values = { email_verified_at: verified, language: 'en' };
  await server.db.updateTable('people').set(values).where('id', '=', id).execute();
  await earnReleased(server.db, id, month);
  server.now.value = later(-20 * day);
  if (destination === 'changed destination') await setDestination(await signIn(email, password), vpaOf.owner);
  server.now.value = later(-8 * day);
  if (destination === 'destination older than seven days')
    await setDestination(await signIn(email, password), vpaOf.thief);

  server.now.value = dayZero;
  const thief = await signIn(email, password);
  if (destination !== 'destination older than seven days') await setDestination(thief, vpaOf.thief);
  const request = { userId: id, month, totalRupee: '1.00' };
  await send('POST', '/api/user-earnings/request', request, thief.headers);
  addresses += 1;
  const address = (what: string) => `${what}${process.pid}x${addresses}@people.example`;
  if (way === 'undo') {
    await send('POST', '/api/email/change', { email: address('thief') }, thief.headers);
    const token = await secretTo(address('thief'));
    await send('POST', '/api/email/verify', { token }, thief.headers);
  }
  const undo = way === 'undo' ? await secretTo(email) : '';
  await send('POST', '/api/email/change', { email: address('next') }, thief.headers);
  await server.db
    .insertInto('passkeys')
    .values({
      ...{ id: newId(dayZero), person_id: id, credential_id: id, public_key: Buffer.alloc(8), counter: 0 },
      ...{ transports: [], name: 'Phone', is_factor: false, created_at: dayZero },
    })
    .execute();
  const identity = { issuer: 'https://accounts.google.com', subject: id, person_id: id, linked_at: dayZero };
  await server.db.insertInto('identities').values(identity).execute();
  await sendAll();
  return { ...owner, undo, thief };
}

/** Comes back by this way; returns a session of the owner, or undefined if the link does not live any more. */
async function comeBack(way: Way, { email, undo }: Victim): Promise<Signed | undefined> {
  if (way === 'verifying in a session') {
    const owner = await signIn(email, password);
    await send('POST', '/api/email/send-verification', undefined, owner.headers);
    await send('POST', '/api/email/verify', { token: await secretTo(email) }, owner.headers);
    return owner;
  }
  if (way !== 'undo') await send('POST', '/api/password/forgot', { email });
  const token = way === 'undo' ? undo : await secretTo(email);
  const payload = { token, password: newPassword, cpassword: newPassword };
  const answer = await server.inject({ method: 'POST', url: '/api/password/reset', payload });
  if (answer.json().code === 'link_over') return undefined;
  expect(answer.statusCode, answer.body).toBe(200);
  return await signIn(email, newPassword);
}

async function whatIsLeft({ id, thief }: Victim, owner: Signed) {
  const { db } = server;
  const has = async (rows: Promise<unknown[]>) => ((await rows).length > 0 ? 'left' : 'removed');
  const pending = db.selectFrom('email_changes').select('id').where('changed_at', 'is', null);
  const { statusCode } = await server.inject({ url: '/api/payout/destination', headers: thief.headers });
  return {
    passkey: await has(db.selectFrom('passkeys').select('id').where('person_id', '=', id).execute()),
    'linked account': await has(
      db.selectFrom('identities').select('subject').where('person_id', '=', id).execute(),
    ),
    'pending change of address': await has(pending.where('person_id', '=', id).execute()),
    session: statusCode === 200 ? 'left' : 'removed',
    withdrawal: (await payoutOf(id, owner)) === 'cancelled' ? 'removed' : 'left',
  };
}

/** What became of the destination, as the owner sees it now and when the hold ends. */
async function destinationLeft({ id }: Victim, owner: Signed): Promise<string> {
  const now = server.now.value;
  const left = await destinationOf(owner);
  if (!left) {
    expect(await payoutOf(id, owner)).toBe('waiting_for_destination');
    return 'removed';
  }
  expect(left.masked).toBe('th•••@okaxis');
  if (!left.heldUntil) {
    expect(await payoutOf(id, owner)).toBe('in_review');
    return 'payable';
  }
  const until = new Date(left.heldUntil);
  server.now.value = later(-1, until);
  expect(await payoutOf(id, owner)).toBe('on_hold');
  server.now.value = until;
  expect(await payoutOf(id, owner)).toBe('in_review');
  server.now.value = now;
  if (until.getTime() === now.getTime() + 96 * hour) return 'rests for 96 h';
  expect(until).toEqual(later(72 * hour));
  return 'held';
}

describe.each(ways)('%s', (way) => {
  const cells = days.flatMap((on, place) =>
    Object.keys(destinations).map((name) => ({ on, place, name: name as keyof typeof destinations })),
  );

  it.each(someOf(cells, 4, seedOr(1 + ways.indexOf(way))))(
    'on day $on leaves of a $name and all else what the table says',
    async (cell) => {
      const { on, place, name } = cell;
      const wanted = destinations[name][way][place];
      const victim = await stolen(way, name);
      server.now.value = later(on * day);
      const owner = await comeBack(way, victim);
      if (!owner) return expect('no link').toBe(wanted);
      expect(await destinationLeft(victim, owner)).toBe(wanted);
      const rows = Object.entries(others).map(([what, cell]) => [what, cell[way][place]]);
      expect(await whatIsLeft(victim, owner)).toEqual(Object.fromEntries(rows));

      // The mail names where money was or is going.
      await sendAll();
      const text = mailsTo(victim.email)
        .map((mail) => mail.text)
        .join()
        .replace(/\s+/g, ' ');
      const said = {
        dropped: text.includes('th•••@okaxis was removed as the place where your earnings are paid'),
        kept: text.includes('Your earnings are paid to th•••@okaxis, but not before'),
      };
      expect(said).toEqual({ dropped: wanted === 'removed', kept: wanted === 'rests for 96 h' });
    },
  );
});

describe('a destination', () => {
  /** Hours after the way back at which it is set, and from which it is paid. */
  it.each([
    [-1000, 96],
    [0, 144],
    [71, 144],
    [73, 145],
  ])('that is set %i hours after a way back is payable after %i hours', async (setAt, payableAt) => {
    server.now.value = later(-60 * day);
    const person = await signUpSomebody(server);
    const verified = { email_verified_at: server.now.value };
    await server.db.updateTable('people').set(verified).where('id', '=', person.id).execute();
    const back = async () => {
      server.now.value = dayZero;
      await comeBack('reset', { ...person, undo: '', thief: person });
    };
    if (setAt >= 0) await back();
    server.now.value = later(setAt * hour);
    await setDestination(await signIn(person.email, setAt < 0 ? password : newPassword), vpaOf.owner);
    if (setAt < 0) await back();
    const { heldUntil } = await destinationOf(await signIn(person.email, newPassword));
    expect(new Date(heldUntil)).toEqual(later(payableAt * hour));
  });
});
