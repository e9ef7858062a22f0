import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Person, signUpSomebody, startTestServer, type TestServer } from '../../../testing/server.ts';
import { readConfig } from '../../config.ts';
import type { Refusal } from '../../platform/refusal.ts';
import { createServer } from '../../server.ts';
import { admitGuess, forgetOldGuesses, forgiveGuess } from './guesses.ts';
import { notePlace, placesBy } from './places.ts';

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
    const second = await createServer(
      readConfig({ DATA_DIR: server.dataDir }),
      server.url,
      () => server.now.value,
      pino({ level: 'silent' }),
    );
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
    await forgetOldGuesses(server.db, server.now.value);
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
  admitGuess(server.db, places, email, addressOf(from), server.now.value);
const pauseOf = async (email: string, from: string) =>
  guess(email, from).then(
    () => 0,
    (refusal: Refusal) => refusal.retryAfter,
  );

describe('one address that tries many accounts', () => {
  it('waits after thirty, whatever it tries next, and nobody elsewhere does', async () => {
    for (let index = 0; index < 30; index += 1)
      expect(await pauseOf(`nobody${index}@people.example`, 'stuffer')).toBe(0);
    for (const pause of [30, 60, 120, 240, 300, 300]) {
      expect(await pauseOf('one-more@people.example', 'stuffer')).toBe(pause);
      later(pause);
      expect(await pauseOf(`after${pause}${server.now.value}@people.example`, 'stuffer')).toBe(0);
    }
    expect(await pauseOf('one-more@people.example', 'elsewhere')).toBe(0);
  });

  it('is not slowed by people who log in there', async () => {
    for (let index = 0; index < 100; index += 1) {
      const admitted = await guess(`worker${index}@people.example`, 'office');
      await forgiveGuess(server.db, admitted);
    }
    expect(await pauseOf('visitor@people.example', 'office')).toBe(0);
  });

  it.each([
    ['', false],
    [' that has logged in there before', true],
  ])('earns no guesses by logging in to an account of its own%s in between', async (_, isKnown) => {
    if (isKnown) await notePlace(server.db, person.id, places.of(addressOf('stuffer')), server.now.value);
    let guesses = 0;
    for (let index = 0; index < 60; index += 1) {
      if ((await pauseOf(`victim${index}@people.example`, 'stuffer')) === 0) guesses += 1;
      const own = await guess(person.email, 'stuffer').catch(() => undefined);
      expect(own !== undefined || !isKnown).toBe(true);
      if (own) await forgiveGuess(server.db, own);
    }
    expect(guesses).toBe(30);
  });
});

describe('one account that many addresses guess at', () => {
  const victim = 'victim@people.example';
  async function attack() {
    for (let index = 0; index < 20; index += 1) await guess(victim, `stranger ${index}`);
  }

  it('gives no address a free try any more: each waits before its first', async () => {
    await attack();
    expect(await pauseOf(victim, 'a stranger more')).toBe(30);
    later(30);
    expect(await pauseOf(victim, 'a stranger more')).toBe(0);
    expect(await pauseOf(victim, 'a stranger more')).toBe(60);
    expect(await pauseOf('somebody-else@people.example', 'a stranger more')).toBe(0);
  });

  it('is not locked: its owner, anywhere, is heard after half a minute, however the guessing goes on', async () => {
    const storm = async (round: number) => {
      for (let index = 0; index < 10; index += 1)
        await signIn(person.email, 'wrong', `stranger ${round} ${index}`);
    };
    for (const round of [1, 2, 3]) await storm(round);
    const first = await signIn(person.email, right, 'a new phone');
    expect([first.statusCode, first.headers['retry-after']]).toEqual([429, '30']);
    await storm(4);
    later(30);
    for (const round of [5, 6]) await storm(round);
    expect((await signIn(person.email, right, 'a new phone')).statusCode).toBe(200);
  });

  it('opens at once where its owner has logged in before', async () => {
    expect((await signIn(person.email, right, 'home')).statusCode).toBe(200);
    for (let index = 0; index < 30; index += 1) await signIn(person.email, 'wrong', `stranger ${index}`);
    expect((await signIn(person.email, 'mistyped', 'home')).statusCode).toBe(401);
    expect((await signIn(person.email, right, 'home')).statusCode).toBe(200);
    // A month away, and the place is as strange as any.
    later(31 * 24 * 3600);
    for (let index = 0; index < 30; index += 1) await signIn(person.email, 'wrong', `other ${index}`);
    expect((await signIn(person.email, right, 'home')).statusCode).toBe(429);
  });
});
