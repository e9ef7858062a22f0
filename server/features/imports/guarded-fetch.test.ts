import type { ServerResponse } from 'node:http';
import { connect, createServer, isIPv6, type Server, Socket } from 'node:net';
import { createGzip } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { hostileAddresses, hostileResolutions } from '#testing/fuzz/hostile-addresses.ts';
import { guardTo, networkTo, type Site, startSite } from '#testing/servers/internet.ts';
import { createGuard, type ResponseLimits } from './guarded-fetch.ts';
import { readLink } from './link.ts';
import { internet } from './network.ts';

const allowed = 'https://www.youtube.com/page';
const roomy: ResponseLimits = {
  bytes: 1024 * 1024,
  milliseconds: 20_000,
  minimum: { bytes: 1, milliseconds: 10_000 },
};

/** Servers on loopback that must never be contacted. */
const canaries: Server[] = [];
let calls = 0;
let port = 0;
/** All connection attempts of this process. */
let attempts: unknown[][];

beforeAll(async () => {
  const listen = async (host: string, at: number) => {
    const canary = createServer(() => {
      calls += 1;
    });
    const isListening = await new Promise<boolean>((resolve) => {
      canary.once('error', () => resolve(false));
      canary.listen(at, host, () => resolve(true));
    });
    if (isListening) canaries.push(canary);
    return canary;
  };
  const first = (await listen('127.0.0.1', 0)).address();
  port = typeof first === 'object' && first ? first.port : 0;
  await listen('::1', port);
  // Also on the https port, where the system allows it.
  await listen('127.0.0.1', 443);
});
afterAll(() => {
  for (const canary of canaries) canary.close();
});
beforeEach(() => {
  calls = 0;
  attempts = [];
  const original = Socket.prototype.connect;
  vi.spyOn(Socket.prototype, 'connect').mockImplementation(function (this: Socket, ...given: unknown[]) {
    attempts.push(given);
    return Reflect.apply(original, this, given);
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

const nobodyCalled = () => expect({ attempts: attempts.length, calls }).toEqual({ attempts: 0, calls: 0 });

/** The list of addresses needs the port of the canaries before it is known; a placeholder is replaced later. */
const placeholder = 54321;
const addresses = hostileAddresses(placeholder);
const atCanary = (address: string) => address.replaceAll(String(placeholder), String(port));

describe('a hostile address makes no connection', () => {
  it('is tested in many forms', () => expect(new Set(addresses).size).toBeGreaterThan(180));

  const guard = createGuard({ ...internet, resolve: async () => [{ address: '127.0.0.1', family: 4 }] });
  it.each(addresses)('%j as the requested address', async (address) => {
    await expect(guard.fetch(atCanary(address))).rejects.toThrow();
    nobodyCalled();
  });

  it.each(addresses)('%j as a pasted link', (address) => {
    expect(readLink(atCanary(address))).toBeUndefined();
  });

  it.each([
    'https://ｙｏｕｔｕｂｅ.com/watch?v=dQw4w9WgXcQ',
    'https://youtube。com/watch?v=dQw4w9WgXcQ',
    'https://you\ttube.com/watch?v=dQw4w9WgXcQ',
    'https://you\u00adtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com\\@127.0.0.1/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com#@127.0.0.1/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/watch?v=dQw4w9WgXcQ https://127.0.0.1/',
    '//www.youtube.com/watch?v=dQw4w9WgXcQ',
    'https://www.youtube.com/redirect?q=http://127.0.0.1/&v=dQw4w9WgXcQ',
    'https://www.youtube.com/watch/../redirect?v=dQw4w9WgXcQ',
    'https://r1.googlevideo.com/videoplayback?v=dQw4w9WgXcQ',
  ])('%j, which a browser would correct, is refused as a link', (address) => {
    expect(readLink(address)).toBeUndefined();
  });
});

describe('a redirect', () => {
  let site: Site;
  let target = '';
  beforeAll(async () => {
    site = await startSite((request, response) => {
      if (request.url === '/there') return response.end('found');
      if (request.url === '/round') return response.writeHead(302, { location: '/round' }).end();
      return response.writeHead(302, { location: target }).end();
    });
  });
  afterAll(() => site.close());
  beforeEach(() => {
    site.requests.length = 0;
  });
  const onlyTheSite = () => {
    expect(calls).toBe(0);
    const ports = attempts.map((given) => JSON.stringify(given).includes(String(site.port)));
    expect(ports.every(Boolean)).toBe(true);
  };

  // Invalid targets are ignored, and a target without an authority stays on the same host.
  const leading = addresses.filter(
    (address) => URL.canParse(address, allowed) && !/^https:\/?\d/.test(address),
  );
  it.each(leading)('to %j is not followed', async (address) => {
    // A header carries bytes, so other characters are encoded as browsers read them.
    target = new URL(atCanary(address), allowed).href;
    const guard = guardTo(site);
    await expect(guard.fetch(allowed)).rejects.toThrow();
    expect(site.requests).toEqual(['www.youtube.com/page']);
    onlyTheSite();
    await guard.close();
  });

  it('to an allowed host is followed, up to four times', async () => {
    target = 'https://r4---sn.googlevideo.com/there';
    const guard = guardTo(site);
    const answer = await guard.fetch(allowed, { headers: { cookie: 'a=b' } });
    expect(await answer.text()).toBe('found');
    expect(site.requests).toEqual(['www.youtube.com/page', 'r4---sn.googlevideo.com/there']);
    await expect(guard.fetch('https://youtu.be/round')).rejects.toThrow('redirected too often');
    expect(site.requests.filter((one) => one === 'youtu.be/round')).toHaveLength(5);
    await guard.close();
  });

  it('of a request with a body is not followed', async () => {
    target = '/there';
    const guard = guardTo(site);
    await expect(guard.fetch(allowed, { method: 'POST', body: '{}' })).rejects.toThrow('redirected');
    await guard.close();
  });
});

describe('an allowed name that resolves to a private address', () => {
  const family = (address: string) => (isIPv6(address) ? 6 : 4);

  it.each(hostileResolutions)('%s is not connected', async (address) => {
    const guard = createGuard({ ...internet, resolve: async () => [{ address, family: family(address) }] });
    await expect(guard.fetch(allowed)).rejects.toThrow();
    nobodyCalled();
  });

  it.each(hostileResolutions)('%s among public addresses is not connected', async (address) => {
    const resolve = async () => [
      { address: '142.250.183.14', family: 4 },
      { address, family: family(address) },
    ];
    await expect(createGuard({ ...internet, resolve }).fetch(allowed)).rejects.toThrow();
    nobodyCalled();
  });

  it('or to no address, is not connected', async () => {
    await expect(createGuard({ ...internet, resolve: async () => [] }).fetch(allowed)).rejects.toThrow();
    nobodyCalled();
  });

  it('only on a second lookup is harmless: a name is resolved once, and the checked addresses are used', async () => {
    let lookups = 0;
    const dialled: string[] = [];
    const guard = createGuard({
      ...internet,
      resolve: async () => {
        lookups += 1;
        return [{ address: lookups === 1 ? '142.250.183.14' : '127.0.0.1', family: 4 }];
      },
      dial: (_host, _port, list) => {
        dialled.push(...list.map((one) => one.address));
        return new Socket().destroy(new Error('no network in a test'));
      },
    });
    await expect(guard.fetch(allowed)).rejects.toThrow();
    expect({ lookups, dialled }).toEqual({ lookups: 1, dialled: ['142.250.183.14'] });
  });

  it('with a private address on the socket is sent no byte', async () => {
    let heard = 0;
    const trap = createServer((socket) => {
      socket.on('data', (bytes) => {
        heard += bytes.length;
      });
      socket.on('error', () => undefined);
    });
    await new Promise<void>((listening) => trap.listen(0, '127.0.0.1', listening));
    const address = trap.address();
    const gone = new Promise<void>((closed) =>
      trap.once('connection', (one) => one.once('close', () => closed())),
    );
    const guard = createGuard({
      ...internet,
      resolve: async () => [{ address: '142.250.183.14', family: 4 }],
      dial: () => connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1'),
    });
    const failure = await guard.fetch(allowed).then(
      () => undefined,
      (error: Error) => error.cause,
    );
    expect(String(failure)).toContain('www.youtube.com is at 127.0.0.1');
    await gone;
    expect(heard).toBe(0);
    trap.close();
  });
});

describe('a response', () => {
  const served = async (answer: Parameters<typeof startSite>[0], limits: ResponseLimits) => {
    const site = await startSite(answer);
    const guard = guardTo(site);
    try {
      const response = await guard.fetch(allowed, {}, limits);
      return await response.text();
    } finally {
      await guard.close();
      await site.close();
    }
  };

  it('within the limits is returned completely', async () => {
    expect(await served((_, response) => response.end('x'.repeat(1000)), roomy)).toHaveLength(1000);
  });

  it('that is compressed is decompressed', async () => {
    const text = await served((_, response) => {
      const pack = createGzip();
      pack.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
      pack.end('hello');
    }, roomy);
    expect(text).toBe('hello');
  });

  it('without an end is aborted', async () => {
    const block = Buffer.alloc(64 * 1024);
    const endless = served((_, response) => {
      const more = () => {
        while (!response.destroyed && response.write(block));
        if (!response.destroyed) response.once('drain', more);
      };
      more();
    }, roomy);
    await expect(endless).rejects.toThrow('larger than');
  });

  it('whose decompressed size has no end is aborted', async () => {
    const block = Buffer.alloc(1024 * 1024);
    const bomb = served((_, response) => {
      const pack = createGzip({ level: 9 });
      pack.on('error', () => undefined);
      pack.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
      const more = () => {
        while (!response.destroyed && pack.write(block));
        if (!response.destroyed) pack.once('drain', more);
      };
      more();
    }, roomy);
    await expect(bomb).rejects.toThrow('larger than');
  });

  const trickle = (response: ServerResponse) => {
    const drip = setInterval(() => response.write('.'), 5);
    response.on('close', () => clearInterval(drip));
  };
  it('that is too slow is aborted', async () => {
    const slow = served((_, response) => trickle(response), {
      ...roomy,
      minimum: { bytes: 10_000, milliseconds: 200 },
    });
    await expect(slow).rejects.toThrow('too slowly');
  });

  it('that stops is aborted', async () => {
    const silent = served((_, response) => response.write('.'), {
      ...roomy,
      minimum: { bytes: 1, milliseconds: 200 },
    });
    await expect(silent).rejects.toThrow('too slowly');
  });

  it.each([
    ['that lasts for ever', (response: ServerResponse) => trickle(response)],
    ['that never begins', () => undefined],
  ])('%s is aborted', async (_what, answer) => {
    const late = served((_, response) => answer(response), { ...roomy, milliseconds: 300 });
    await expect(late).rejects.toThrow(/timeout/);
  });

  it('with endless headers is aborted', async () => {
    const site = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write(`x-${'y'.repeat(1000)}: z\r\n`), 1);
      socket.on('close', () => clearInterval(drip));
    });
    await new Promise<void>((listening) => site.listen(0, '127.0.0.1', listening));
    const address = site.address();
    const guard = createGuard(networkTo({ port: typeof address === 'object' && address ? address.port : 0 }));
    await expect(guard.fetch(allowed, {}, roomy)).rejects.toThrow();
    await guard.close();
    site.close();
  });
});
