import { parseSetCookie } from 'cookie';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';

let server: TestServer;
let start = Date.now();
let owner: Person;
/** The address of a carrier, which the owner shares with the attacker. */
let carrier: string;
let drawn = 0;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  start += 24 * 60 * 60 * 1000;
  server.now.value = new Date(start);
  owner = await signUpSomebody(server);
  carrier = newAddress();
});

const right = 'correct horse';
const later = (seconds: number) => {
  server.now.value = new Date(server.now.value.getTime() + seconds * 1000);
};
function newAddress(): string {
  drawn += 1;
  return `10.7.${drawn >> 8}.${drawn & 255}`;
}

interface Try {
  password?: string;
  from?: string;
  device?: string | undefined;
  by?: TestServer;
}
const signIn = ({ email }: { email: string }, { password = right, from = carrier, device, by }: Try = {}) =>
  (by ?? server).app.inject({
    method: 'POST',
    url: '/api/signin',
    remoteAddress: from,
    payload: { email, password },
    ...(device === undefined ? {} : { cookies: { device } }),
  });
/** The device cookie of a browser after login. */
async function deviceOf(person: { email: string }, options: Try = {}): Promise<string> {
  const response = await signIn(person, { from: newAddress(), ...options });
  expect(response.statusCode).toBe(200);
  return response.cookies.find(({ name }) => name === 'device')?.value ?? '';
}
async function statuses(times: number, once: (index: number) => ReturnType<typeof signIn>) {
  const seen: number[] = [];
  for (let index = 0; index < times; index += 1) seen.push((await once(index)).statusCode);
  return seen;
}
const many = (status: number, times: number) => Array<number>(times).fill(status);
const wrong = (device?: string, from?: string) => () =>
  signIn(owner, { password: 'wrong', device, ...(from ? { from } : {}) });

describe('a browser from which the owner has logged in before', () => {
  it('logs in at once, even while a neighbour behind the same address guesses all day [long]', async () => {
    const device = await deviceOf(owner, { from: carrier });
    for (let hour = 0; hour < 24; hour += 1) {
      await statuses(8, wrong());
      expect((await signIn(owner)).statusCode).toBe(429);
      expect((await signIn(owner, { device })).statusCode).toBe(200);
      // The neighbour is still paused.
      expect((await wrong()()).statusCode).toBe(429);
      later(3600);
    }
  });

  it('logs in at once from an address that is new to the account, even if strangers have used up all tries', async () => {
    const device = await deviceOf(owner);
    await statuses(30, (index) => signIn(owner, { password: 'wrong', from: `10.9.1.${index}` }));
    const elsewhere = newAddress();
    expect((await signIn(owner, { from: elsewhere })).statusCode).toBe(429);
    expect((await signIn(owner, { from: elsewhere, device })).statusCode).toBe(200);
  });

  it('has five tries, then the same pauses as an address, also for parallel tries', async () => {
    const device = await deviceOf(owner);
    const tries = await Promise.all(Array.from({ length: 15 }, wrong(device)));
    expect(tries.filter(({ statusCode }) => statusCode === 401)).toHaveLength(5);
    const refused = await signIn(owner, { device });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '30']);
    later(30);
    expect((await signIn(owner, { device })).statusCode).toBe(200);
  });

  it('stays known to the last eight accounts that logged in from it', async () => {
    const household = [owner];
    let device = await deviceOf(owner);
    for (let index = 0; index < 8; index += 1) {
      const other = await signUpSomebody(server);
      household.push(other);
      device = await deviceOf(other, { device });
    }
    const known: boolean[] = [];
    for (const person of household) {
      const email = person.email;
      await statuses(6, () => signIn({ email }, { password: 'wrong' }));
      known.push((await signIn({ email }, { device })).statusCode === 200);
    }
    expect(known).toEqual([false, ...Array(8).fill(true)]);
  });

  it('gets a new entry with each login, and the cookie does not grow', async () => {
    let device = await deviceOf(owner);
    const seen = new Set([device]);
    for (let index = 0; index < 12; index += 1) {
      device = await deviceOf(owner, { device });
      seen.add(device);
    }
    expect(seen.size).toBe(13);
    expect(device).toHaveLength(43);
  });
});

describe('the cookie of a known browser', () => {
  it('is sent only with logins, for a year, is not readable by scripts or other sites, and contains nothing about the person', async () => {
    const response = await signIn(owner);
    const [header, ...more] = [response.headers['set-cookie'] ?? []].flat();
    expect(more).toEqual([]);
    const { value = '', ...attributes } = parseSetCookie(header ?? '');
    expect(attributes).toEqual({
      name: 'device',
      path: '/api/signin',
      maxAge: 365 * 24 * 60 * 60,
      httpOnly: true,
      sameSite: 'strict',
    });
    const bytes = Buffer.from(value, 'base64url');
    for (const secret of [Buffer.from(owner.id.replaceAll('-', ''), 'hex'), Buffer.from(owner.email)])
      expect(bytes.includes(secret)).toBe(false);
    expect(response.headers['cache-control']).toBe('no-store');
  });

  it('is sent only over https if the site uses https', async () => {
    const site = await startTestServer({ ORIGIN: 'https://jhalak.example' });
    try {
      const { headers } = await signIn(await signUpSomebody(site), { by: site });
      expect([headers['set-cookie']].flat()[0]).toMatch(/; Secure(;|$)/);
    } finally {
      await site.close();
    }
  });

  it('is not set after a wrong password, and does not replace the right password', async () => {
    const device = await deviceOf(owner);
    const refused = await signIn(owner, { password: 'wrong', device });
    expect(refused.statusCode).toBe(401);
    expect(refused.headers['set-cookie']).toBeUndefined();
    const answer = await server.inject({ method: 'POST', url: '/api/userdata', cookies: { device } });
    expect(answer.statusCode).toBe(401);
  });

  it('of another account gives no extra tries, even a hundred such cookies [long]', async () => {
    const attacker = await signUpSomebody(server);
    const devices: string[] = [];
    for (let index = 0; index < 100; index += 1) devices.push(await deviceOf(attacker));
    const seen = await statuses(100, (index) => signIn(owner, { password: 'wrong', device: devices[index] }));
    expect(seen).toEqual([...many(401, 5), ...many(429, 95)]);
    expect((await signIn(owner)).statusCode).toBe(429);
  });

  it('of another account shares the tries of all strangers', async () => {
    const device = await deviceOf(await signUpSomebody(server));
    const seen = await statuses(40, (index) =>
      signIn(owner, { password: 'wrong', from: `10.9.2.${index}`, device }),
    );
    expect(seen).toEqual([...many(401, 20), ...many(429, 20)]);
  });

  it('has five tries from all addresses together if stolen, and pauses no other browser', async () => {
    const stolen = await deviceOf(owner);
    const mine = await deviceOf(owner);
    const seen = await statuses(40, (index) => wrong(stolen, `10.9.3.${index}`)());
    expect(seen).toEqual([...many(401, 5), ...many(429, 35)]);
    // Different encodings of the same bytes are one browser.
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const bytes = (entry: string) => Buffer.from(entry, 'base64url').toString('hex');
    const same = [...digits]
      .map((last) => stolen.slice(0, -1) + last)
      .filter((one) => bytes(one) === bytes(stolen));
    expect(same).toHaveLength(4);
    for (const one of same) expect((await wrong(one)()).statusCode).toBe(429);
    expect((await signIn(owner, { device: mine })).statusCode).toBe(200);
    expect((await signIn(owner)).statusCode).toBe(200);
  });

  it('is void after the password has changed, even if stolen', async () => {
    const stolen = await deviceOf(owner);
    const changed = await server.inject({
      method: 'POST',
      url: '/api/profile/password',
      headers: owner.headers,
      payload: { password: right, newPassword: 'a new one of mine', cpassword: 'a new one of mine' },
    });
    expect(changed.statusCode).toBe(200);
    await statuses(5, wrong());
    expect((await signIn(owner, { password: 'a new one of mine', device: stolen })).statusCode).toBe(429);
    const fresh = await deviceOf(owner, { password: 'a new one of mine' });
    expect((await signIn(owner, { password: 'a new one of mine', device: fresh })).statusCode).toBe(200);
  });

  it('is void after a year', async () => {
    const device = await deviceOf(owner);
    later(365 * 24 * 3600 - 60);
    await statuses(5, wrong());
    const second = await deviceOf(owner, { device });
    later(60 * 60);
    await statuses(5, wrong());
    expect((await signIn(owner, { device })).statusCode).toBe(429);
    expect((await signIn(owner, { device: second })).statusCode).toBe(200);
  });

  it('is ignored if it was forged or altered', async () => {
    const device = await deviceOf(owner);
    const bytes = Buffer.from(device, 'base64url');
    const altered = Array.from(bytes, (_, place) => {
      const copy = Buffer.from(bytes);
      copy[place] = (copy[place] ?? 0) ^ 1;
      return copy.toString('base64url');
    });
    await statuses(5, wrong());
    const madeUp = ['', '.', '..........', 'x', 'A'.repeat(43), 'A'.repeat(8000), '%00', '%E0%A4%A', '"'];
    for (const one of [...altered, ...madeUp])
      expect((await signIn(owner, { device: one })).statusCode, one).toBe(429);
    expect((await signIn(owner, { device: `${'A'.repeat(43)}.${device}` })).statusCode).toBe(200);
  });
});
