import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createServer } from '#server/boot/create-server.ts';
import { readConfig } from '#server/config.ts';
import type { Refusal } from '#server/platform/refusal.ts';
import { contextAt } from '#testing/context.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { someOf } from '#testing/share.ts';
import { admitGuess, deleteOldGuesses, takeBackGuess } from './guesses.ts';
import { placesWith, rememberPlaces } from './places.ts';

let server: TestServer;
let person: Person;
/** Increases with every test, so that pauses of one test do not affect another. */
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
/** An address that only the current test uses, by a name. */
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
  it('is free five times for one account and address, then refused, and the right password works after the pause', async () => {
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
    // The right password resets the counter.
    expect(await statuses(5, () => signIn(person.email, 'wrong', 'stranger'))).toEqual(many(401, 5));
  });

  it('doubles the pause up to a quarter of an hour, and tries during a pause do not extend it', async () => {
    for (let tries = 0; tries < 5; tries += 1) expect(await pauseOf(person.email, 'stranger')).toBe(0);
    for (const pause of [30, 60, 120, 240, 480, 900, 900]) {
      expect(await pauseOf(person.email, 'stranger')).toBe(pause);
      later(pause - 1);
      expect(await pauseOf(person.email, 'stranger')).toBe(1);
      later(1);
      expect(await pauseOf(person.email, 'stranger')).toBe(0);
    }
  });

  it('counts parallel tries like sequential ones', async () => {
    const answers = await Promise.all(
      Array.from({ length: 15 }, () => signIn(person.email, 'wrong', 'stranger')),
    );
    expect(answers.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5);
    expect(answers.filter(({ statusCode }) => statusCode === 429)).toHaveLength(10);
  });

  it('does not reveal which accounts exist', async () => {
    const story = async (email: string, from: string) => {
      const responses: unknown[] = [];
      for (let tries = 0; tries < 8; tries += 1) {
        const response = await signIn(email, 'wrong', from);
        const { requestId: _, ...body } = response.json();
        responses.push([response.statusCode, response.headers['retry-after'], body]);
      }
      for (let index = 0; index < 22; index += 1) {
        const response = await signIn(email, 'wrong', `${from} ${index}`);
        responses.push([response.statusCode, response.headers['retry-after'], response.json().message]);
      }
      return responses;
    };
    const known = await story(person.email, 'one');
    expect(await story('nobody-at-all@people.example', 'two')).toEqual(known);
    expect(known.some((response) => JSON.stringify(response).startsWith('[429'))).toBe(true);
  });

  it('counts all spellings of an e-mail address together', async () => {
    await statuses(5, () => signIn(person.email, 'wrong', 'stranger'));
    expect((await signIn(person.email.toUpperCase(), 'wrong', 'stranger')).statusCode).toBe(429);
  });

  it('is limited by all servers on one database together', async () => {
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

  it('is reset after an hour without a try', async () => {
    await statuses(5, () => signIn(person.email, 'wrong', 'stranger'));
    later(3600);
    expect(await statuses(5, () => signIn(person.email, 'wrong', 'stranger'))).toEqual(many(401, 5));
    later(3601);
    await deleteOldGuesses(contextAt(server.db, server.now.value));
    expect(await server.db.selectFrom('password_guesses').selectAll().execute()).toEqual([]);
  });

  it('stores neither IP addresses nor e-mail addresses', async () => {
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

/** Calls the rule directly, because requests are limited by other rate limits too. */
const places = placesWith(Buffer.from('a secret of this test'));
const guess = (email: string, from: string) =>
  admitGuess(server.db, email, { address: addressOf(from), places }, server.now.value);
const pauseOf = async (email: string, from: string) =>
  guess(email, from).then(
    () => 0,
    (refusal: Refusal) => refusal.retryAfter,
  );

/** How many of these sequential tries are admitted. */
async function admitted(tries: Iterable<[email: string, from: string, after?: number]>): Promise<number> {
  let count = 0;
  for (const [email, from, after = 0] of tries) {
    later(after);
    if ((await pauseOf(email, from)) === 0) count += 1;
  }
  return count;
}
const times = (count: number) => Array.from({ length: count }, (_, place) => place);
const nobody = (index: number) => `nobody${index}@people.example`;

/** Sets the bucket of a group of networks as if only this many of its 1,500 tries were left. */
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
  it('has 1,500 tries and 1,500 more an hour, and other addresses are not limited', async () => {
    const tries = times(30).map((index): [string, string] => [nobody(index), 'stuffer']);
    expect(await admitted(tries.slice(0, 1))).toBe(1);
    await leave(10, addressOf('stuffer'));
    expect(await admitted(tries.slice(1))).toBe(10);
    expect(await pauseOf('one-more@people.example', 'stuffer')).toBe(3);
    later(24);
    expect(await admitted(tries.slice(11))).toBe(10);
    expect(await pauseOf('one-more@people.example', 'elsewhere')).toBe(0);
  });

  it('in a /64 has 60 tries, and 1,500 together with all of its /48', async () => {
    for (const network of ['2001:db8:7:1::1', '2001:db8:7:2::1'])
      expect(await admitted(times(70).map((index) => [nobody(index), network]))).toBe(60);
    await leave(10, '2001:db8:7:3::1');
    const many = times(20).map((index): [string, string] => [nobody(index), `2001:db8:7:10${index}::1`]);
    expect(await admitted(many)).toBe(10);
  });

  it('is not limited by people who log in there successfully', async () => {
    for (const index of times(100)) {
      const admitted = await guess(`worker${index}@people.example`, '2001:db8:d::1');
      await takeBackGuess(server.db, admitted);
    }
    expect(await pauseOf('visitor@people.example', '2001:db8:d::1')).toBe(0);
  });

  it.each([
    ['', false],
    [' that has logged in there before', true],
  ])('gets no extra guesses by logging in to an account of its own%s in between', async (_, isKnown) => {
    const from = isKnown ? '2001:db8:e:1::1' : '2001:db8:e:2::1';
    if (isKnown) await rememberPlaces(server.db, person.id, places.of(from), server.now.value);
    let guesses = 0;
    for (const index of times(80)) {
      if ((await pauseOf(nobody(index), from)) === 0) guesses += 1;
      const own = await guess(person.email, from).catch(() => undefined);
      expect(own !== undefined || !isKnown).toBe(true);
      if (own) await takeBackGuess(server.db, own);
    }
    expect(guesses).toBe(60);
  });
});

describe('5,000 people who log in within an hour from one address [long]', () => {
  const addresses: [string, (index: number) => string][] = [
    ['an IPv4 address', () => '203.0.113.50'],
    ['an IPv6 /48', (index) => `2001:db8:9:${index.toString(16)}::1`],
  ];
  it.each(someOf(addresses, 1))(
    '%s: all can log in, although 1,000 mistype their password first',
    async (_, from) => {
      let refused = 0;
      const login = async (index: number) => {
        const email = `commuter${index}@people.example`;
        const address = from(index);
        try {
          if (index % 5 === 0) await guess(email, address);
          await takeBackGuess(server.db, await guess(email, address));
        } catch {
          refused += 1;
        }
      };
      await login(0);
      // Nine tenths have logged in, with all mistakes but a hundred; then the others log in, some of them at the same
      // time.
      await leave(600, from(0));
      for (let first = 4500; first < 5000; first += 25)
        await Promise.all(times(25).map((index) => login(first + index)));
      expect(refused).toBe(0);
    },
  );
});

describe('one account whose password many addresses guess', () => {
  const victim = 'victim@people.example';
  const rows = () => server.db.selectFrom('password_guesses').selectAll().execute();

  it('has five tries from a whole /48, then pauses', async () => {
    const from = (index: number) => `2001:db8:a:${index.toString(16)}::1`;
    expect(await admitted(times(50).map((index) => [victim, from(index)]))).toBe(5);
    expect(await admitted(times(300).map((index) => [victim, from(index + 50), 1]))).toBe(3);
  });

  it('has twenty tries from all addresses together, then ten an hour', async () => {
    expect(await admitted(times(300).map((index) => [victim, `stranger ${index}`]))).toBe(20);
    expect(await admitted(times(360).map((index) => [victim, `other ${index}`, 60]))).toBe(60);
    expect(await pauseOf('somebody-else@people.example', 'stranger 1')).toBe(0);
  });

  it('over HTTP: a hundred /64s of one /48 have as many tries as one', async () => {
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

  it('stores no rows for rejected tries', async () => {
    for (const index of times(20)) await guess(victim, `stranger ${index}`);
    const before = await rows();
    expect(await admitted(times(100).map((index) => [victim, `2001:db8:${index.toString(16)}::1`]))).toBe(0);
    expect(await rows()).toHaveLength(before.length);
  });

  it('is answered the same whether it exists or not', async () => {
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

  it('opens without a pause where its owner has logged in before, even while others guess elsewhere', async () => {
    expect((await signIn(person.email, right, 'home')).statusCode).toBe(200);
    for (const index of times(30)) await signIn(person.email, 'wrong', `stranger ${index}`);
    expect((await signIn(person.email, 'mistyped', 'home')).statusCode).toBe(401);
    expect((await signIn(person.email, right, 'home')).statusCode).toBe(200);
    const elsewhere = await signIn(person.email, right, 'a new phone');
    expect(elsewhere.statusCode).toBe(429);
    expect(Number(elsewhere.headers['retry-after'])).toBeLessThanOrEqual(360);
    // After a month without use, a place is no longer known.
    later(31 * 24 * 3600);
    for (const index of times(30)) await signIn(person.email, 'wrong', `other ${index}`);
    expect((await signIn(person.email, right, 'home')).statusCode).toBe(429);
  });

  it('opens in a /64 where its owner has logged in, with a counter separate from the rest of the /48', async () => {
    const network = (index: number) => `2001:db8:c:${index.toString(16)}::1`;
    await rememberPlaces(server.db, person.id, places.of(network(1)), server.now.value);
    for (const index of times(30)) await guess(person.email, `stranger ${index}`).catch(() => undefined);
    expect(await pauseOf(person.email, network(2))).toBe(0);
    expect(await admitted(times(50).map((index) => [person.email, network(index + 3)]))).toBe(4);
    // Tries of strangers in the same /48 do not slow the owner in the /64.
    expect(await pauseOf(person.email, network(1))).toBe(0);
  });

  it('keeps the hundred most recently used places', async () => {
    for (const index of times(120)) {
      later(1);
      const at = places.of(addressOf(`place ${index}`));
      await rememberPlaces(server.db, person.id, at, server.now.value);
    }
    for (const index of times(30)) await guess(person.email, `stranger ${index}`).catch(() => undefined);
    expect(await pauseOf(person.email, 'place 19')).toBeGreaterThan(0);
    expect(await pauseOf(person.email, 'place 20')).toBe(0);
  });
});
