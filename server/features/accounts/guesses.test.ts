import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { Refusal } from '#server/platform/refusal.ts';
import { createServer } from '#server/server.ts';
import { contextAt } from '#testing/context.ts';
import { type Person, signUpSomebody, startTestServer, type TestServer } from '#testing/server.ts';
import { admitGuess, forgetOldGuesses, forgiveGuess } from './guesses.ts';
import { notePlaces, placesBy } from './places.ts';

let server: TestServer;
let person: Person;
/** Moves with every test, so that none meets the pauses of another. */
let start = Date.now();
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  start += 24 * 60 * 60 * 1000;
  server.now.value = new Date(start);
  person = await signUpSomebody(server);
  addresses = new Map();
});

const right = 'correct horse';
let addresses = new Map<string, string>();
let drawn = 0;
/** An address of this test's own, by a name. */
function addressOf(name: string): string {
  if (name.includes('.') || name.includes(':')) return name;
  const known = addresses.get(name);
  if (known) return known;
  drawn += 1;
  const address = `10.${(drawn >> 16) & 255}.${(drawn >> 8) & 255}.${drawn & 255}`;
  addresses.set(name, address);
  return address;
}
const signIn = (email: string, password: string, from: string, by = server.app) =>
  by.inject({
    method: 'POST',
    url: '/api/signin',
    remoteAddress: addressOf(from),
    payload: { email, password },
  });
const later = (seconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + seconds * 1000);
};
async function statuses(times: number, once: (index: number) => ReturnType<typeof signIn>) {
  const seen: number[] = [];
  for (let index = 0; index < times; index += 1) seen.push((await once(index)).statusCode);
  return seen;
}
const many = (status: number, times: number) => Array(times).fill(status);

describe('guessing a password', () => {
  it('of one account at one address is free five times; then it waits, and after the pause the right one lets in', async () => {
    expect(await statuses(5, () => signIn(person.email, 'wrong', 'stranger'))).toEqual(many(401, 5));
    const refused = await signIn(person.email, right, 'stranger');
    expect(refused.statusCode).toBe(429);
    expect(refused.headers['retry-after']).toBe('30');
    expect(refused.json()).toMatchObject({
      success: false,
      code: 'too_many_requests',
      message: 'Too many tries. Please wait 30 seconds and try again.',
    });
    later(30);
    expect((await signIn(person.email, right, 'stranger')).statusCode).toBe(200);
    // Whoever knows the password starts anew.
    expect(await statuses(5, () => signIn(person.email, 'wrong', 'stranger'))).toEqual(many(401, 5));
  });

  it('waits twice as long each time, up to a quarter of an hour; trying meanwhile makes it no longer', async () => {
    for (let tries = 0; tries < 5; tries += 1) expect(await pauseOf(person.email, 'stranger')).toBe(0);
    for (const pause of [30, 60, 120, 240, 480, 900, 900]) {
      expect(await pauseOf(person.email, 'stranger')).toBe(pause);
      later(pause - 1);
      expect(await pauseOf(person.email, 'stranger')).toBe(1);
      later(1);
      expect(await pauseOf(person.email, 'stranger')).toBe(0);
    }
  });

  it('many times at once is no more than one after another', async () => {
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => signIn(person.email, 'wrong', 'stranger')),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(10);
  });

  it('tells nothing of which accounts exist', async () => {
    const story = async (email: string, from: string) => {
      const told: unknown[] = [];
      for (let tries = 0; tries < 8; tries += 1) {
        const response = await signIn(email, 'wrong', from);
        const { requestId: _, ...body } = response.json();
        told.push([response.statusCode, response.headers['retry-after'], body]);
      }
      for (let index = 0; index < 22; index += 1) {
        const response = await signIn(email, 'wrong', `${from} ${index}`);
        told.push([response.statusCode, response.headers['retry-after'], response.json().message]);
      }
      return told;
    };
    const known = await story(person.email, 'one');
    expect(await story('nobody-at-all@people.example', 'two')).toEqual(known);
    expect(known.some((told) => JSON.stringify(told).startsWith('[429'))).toBe(true);
  });

  it('is one guess in any spelling of the address', async () => {
    await statuses(5, () => signIn(person.email, 'wrong', 'stranger'));
    expect((await signIn(person.email.toUpperCase(), 'wrong', 'stranger')).statusCode).toBe(429);
  });

  it('is slowed by every server on the database', async () => {
    const second = await createServer({
      config: readConfig({ DATA_DIR: server.dataDir }),
      databaseUrl: server.url,
      clock: () => server.now.value,
      logger: pino({ level: 'silent' }),
    });
    try {
      const both = [server.app, second.app];
      const seen = await statuses(6, (index) => signIn(person.email, 'wrong', 'stranger', both[index % 2]));
      expect(seen).toEqual([...many(401, 5), 429]);
    } finally {
      await second.close();
    }
  });

  it('is forgotten after an hour without a try', async () => {
    await statuses(5, () => signIn(person.email, 'wrong', 'stranger'));
    later(3600);
    expect(await statuses(5, () => signIn(person.email, 'wrong', 'stranger'))).toEqual(many(401, 5));
    later(3601);
    await forgetOldGuesses(contextAt(server.db, server.now.value));
    expect(await server.db.selectFrom('password_guesses').selectAll().execute()).toEqual([]);
  });

  it('leaves neither addresses nor e-mail addresses in the record', async () => {
    await signIn(person.email, 'wrong', 'stranger');
    await signIn(person.email, right, 'home');
    const rows = [
      await server.db.selectFrom('password_guesses').selectAll().execute(),
      await server.db.selectFrom('sign_in_places').selectAll().execute(),
    ];
    const words = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    for (const secret of [person.email, addressOf('home'), addressOf('stranger')])
      expect(words).not.toContain(secret);
  });
});

/** The rule by itself: calls are limited by the minute too, each server for itself, and that is not what is looked at here. */
const places = placesBy(Buffer.from('a secret of this test'));
const guess = (email: string, from: string) =>
  admitGuess(server.db, email, { address: addressOf(from), places }, server.now.value);
const pauseOf = async (email: string, from: string) =>
  guess(email, from).then(
    () => 0,
    (refusal: Refusal) => refusal.retryAfter,
  );

/** How many of these tries, one after another, are heard. */
async function heard(tries: Iterable<[email: string, from: string, after?: number]>): Promise<number> {
  let count = 0;
  for (const [email, from, after = 0] of tries) {
    later(after);
    if ((await pauseOf(email, from)) === 0) count += 1;
  }
  return count;
}
const times = (count: number) => Array.from({ length: count }, (_, place) => place);
const nobody = (index: number) => `nobody${index}@people.example`;

/** As if all but so many of the 1,500 tries of a group of networks had been made. */
async function leave(left: number, from: string) {
  const [key] = places.of(from);
  const full = server.now.value.getTime() + (1500 - left) * 2400;
  await server.db
    .updateTable('password_guesses')
    .set({ paused_until: new Date(full) })
    .where('kind', '=', 5)
    .where('key', '=', key as Buffer)
    .execute();
}

describe('one address that tries many accounts', () => {
  it('is heard 1,500 times and 1,500 times an hour, and nobody elsewhere waits for it', async () => {
    const tries = times(30).map((index): [string, string] => [nobody(index), 'stuffer']);
    expect(await heard(tries.slice(0, 1))).toBe(1);
    await leave(10, addressOf('stuffer'));
    expect(await heard(tries.slice(1))).toBe(10);
    expect(await pauseOf('one-more@people.example', 'stuffer')).toBe(3);
    later(24);
    expect(await heard(tries.slice(11))).toBe(10);
    expect(await pauseOf('one-more@people.example', 'elsewhere')).toBe(0);
  });

  it('in a /64 is heard 60 times, and 1,500 times from all of its /48', async () => {
    for (const network of ['2001:db8:7:1::1', '2001:db8:7:2::1'])
      expect(await heard(times(70).map((index) => [nobody(index), network]))).toBe(60);
    await leave(10, '2001:db8:7:3::1');
    const many = times(20).map((index): [string, string] => [nobody(index), `2001:db8:7:10${index}::1`]);
    expect(await heard(many)).toBe(10);
  });

  it('is not slowed by people who log in there', async () => {
    for (const index of times(100)) {
      const admitted = await guess(`worker${index}@people.example`, '2001:db8:d::1');
      await forgiveGuess(server.db, admitted);
    }
    expect(await pauseOf('visitor@people.example', '2001:db8:d::1')).toBe(0);
  });

  it.each([
    ['', false],
    [' that has logged in there before', true],
  ])('earns no guesses by logging in to an account of its own%s in between', async (_, isKnown) => {
    const from = isKnown ? '2001:db8:e:1::1' : '2001:db8:e:2::1';
    if (isKnown) await notePlaces(server.db, person.id, places.of(from), server.now.value);
    let guesses = 0;
    for (const index of times(80)) {
      if ((await pauseOf(nobody(index), from)) === 0) guesses += 1;
      const own = await guess(person.email, from).catch(() => undefined);
      expect(own !== undefined || !isKnown).toBe(true);
      if (own) await forgiveGuess(server.db, own);
    }
    expect(guesses).toBe(60);
  });
});

describe('of 5,000 people who log in within an hour behind one address', { timeout: 120_000 }, () => {
  it.each([
    ['an IPv4 address', () => '203.0.113.50'],
    ['an IPv6 /48', (index: number) => `2001:db8:9:${index.toString(16)}::1`],
  ])('%s: 1,000 mistype first, and they and the others all are let in', async (_, from) => {
    let refused = 0;
    const login = async (index: number) => {
      const email = `commuter${index}@people.example`;
      const address = from(index);
      try {
        if (index % 5 === 0) await guess(email, address);
        await forgiveGuess(server.db, await guess(email, address));
      } catch {
        refused += 1;
      }
    };
    await login(0);
    // Nine tenths have come, a thousand mistakes less a hundred in one moment; then the last ones do, some of them at once.
    await leave(600, from(0));
    for (let first = 4500; first < 5000; first += 25)
      await Promise.all(times(25).map((index) => login(first + index)));
    expect(refused).toBe(0);
  });
});

describe('one account that many addresses guess at', () => {
  const victim = 'victim@people.example';
  const rows = () => server.db.selectFrom('password_guesses').selectAll().execute();

  it('is guessed at five times from all of a /48, and then by its pauses', async () => {
    const from = (index: number) => `2001:db8:a:${index.toString(16)}::1`;
    expect(await heard(times(50).map((index) => [victim, from(index)]))).toBe(5);
    expect(await heard(times(300).map((index) => [victim, from(index + 50), 1]))).toBe(3);
  });

  it('is guessed at twenty times from all the world, and ten times an hour', async () => {
    expect(await heard(times(300).map((index) => [victim, `stranger ${index}`]))).toBe(20);
    expect(await heard(times(360).map((index) => [victim, `other ${index}`, 60]))).toBe(60);
    expect(await pauseOf('somebody-else@people.example', 'stranger 1')).toBe(0);
  });

  it('over HTTP: a hundred /64s of one /48 are no better than one', async () => {
    const answers = await Promise.all(
      times(100).map((index) =>
        server.app.inject({
          method: 'POST',
          url: '/api/signin',
          remoteAddress: `2001:db8:b:${index.toString(16)}::1`,
          payload: { email: person.email, password: 'wrong' },
        }),
      ),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(95);
  });

  it('leaves no rows for what is refused', async () => {
    for (const index of times(20)) await guess(victim, `stranger ${index}`);
    const before = await rows();
    expect(await heard(times(100).map((index) => [victim, `2001:db8:${index.toString(16)}::1`]))).toBe(0);
    expect(await rows()).toHaveLength(before.length);
  });

  it('answers the same whether there is such an account or not', async () => {
    const pauses = async (email: string, first: string) => {
      const all: (number | undefined)[] = [];
      for (const index of times(40)) {
        all.push(await pauseOf(email, `${first} ${index % 15}`));
        later(index);
      }
      return all;
    };
    const known = await pauses(person.email, 'a');
    expect(await pauses(nobody(1), 'b')).toEqual(known);
    expect(known.filter((pause) => pause)).not.toEqual([]);
  });

  it('opens at once where its owner has logged in before, however the guessing goes on', async () => {
    expect((await signIn(person.email, right, 'home')).statusCode).toBe(200);
    for (const index of times(30)) await signIn(person.email, 'wrong', `stranger ${index}`);
    expect((await signIn(person.email, 'mistyped', 'home')).statusCode).toBe(401);
    expect((await signIn(person.email, right, 'home')).statusCode).toBe(200);
    const elsewhere = await signIn(person.email, right, 'a new phone');
    expect(elsewhere.statusCode).toBe(429);
    expect(Number(elsewhere.headers['retry-after'])).toBeLessThanOrEqual(360);
    // A month away, and the place is as strange as any.
    later(31 * 24 * 3600);
    for (const index of times(30)) await signIn(person.email, 'wrong', `other ${index}`);
    expect((await signIn(person.email, right, 'home')).statusCode).toBe(429);
  });

  it('opens in another /64 of a /48 where its owner has logged in, with its own tries counted by themselves', async () => {
    const network = (index: number) => `2001:db8:c:${index.toString(16)}::1`;
    await notePlaces(server.db, person.id, places.of(network(1)), server.now.value);
    for (const index of times(30)) await guess(person.email, `stranger ${index}`).catch(() => undefined);
    expect(await pauseOf(person.email, network(2))).toBe(0);
    expect(await heard(times(50).map((index) => [person.email, network(index + 3)]))).toBe(4);
    // What strangers in the same /48 do slows nobody in the /64 itself.
    expect(await pauseOf(person.email, network(1))).toBe(0);
  });

  it('remembers the hundred places that were used last', async () => {
    for (const index of times(120)) {
      later(1);
      await notePlaces(server.db, person.id, places.of(addressOf(`place ${index}`)), server.now.value);
    }
    for (const index of times(30)) await guess(person.email, `stranger ${index}`).catch(() => undefined);
    expect(await pauseOf(person.email, 'place 19')).toBeGreaterThan(0);
    expect(await pauseOf(person.email, 'place 20')).toBe(0);
  });
});
