import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendContact } from '#contract/contact.ts';
import { behindOurProxy } from '#testing/servers/proxy.ts';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { namesOneHost } from './host.ts';
import { loadSite } from './pages/page-renderer.ts';

/** Without a log like sites, or with one, for which no response is served from the cache. */
async function start(settings: Record<string, string>, log?: string[]) {
  const server = await startTestServer(settings, { site: await loadSite(), ...(log ? { log } : {}) });
  await server.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.app.server.address() as AddressInfo;
  /** Sends raw bytes, which a client library would correct. */
  const say = async (words: string) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.write(words.replaceAll('\n', '\r\n'));
    const answer = await text(socket);
    return { status: Number(answer.split(' ')[1]), body: answer.slice(answer.indexOf('\r\n\r\n') + 4) };
  };
  return { server, say };
}

type Started = Awaited<ReturnType<typeof start>>;
let plain: Started;
let proxied: Started;
let logging: Started;
const log: string[] = [];
beforeAll(async () => {
  [plain, proxied, logging] = await Promise.all([start({}), start(behindOurProxy), start({}, log)]);
});
afterAll(() => Promise.all([plain, proxied, logging].map(({ server }) => server.close())));

const get = (path: string, lines: string) => `GET ${path} HTTP/1.1\nConnection: close\n${lines}\n\n`;

describe('a Host header', () => {
  const malformed = [
    'Host: user@evil.example',
    'Host: user:secret@evil.example',
    'Host:',
    'Host: a.example\nHost: b.example',
    'Host: a.example, b.example',
    'Host: a.example/b',
    'Host: a.example?b',
    'Host: a.example#b',
    'Host: a.example:port',
    'Host: a.example:99999',
    'Host: http://a.example',
    'Host: a b',
    'Host: [::1',
    'Host: [zz]',
    'Host: 1.2.3.999',
    'Host: <script>',
    'Host: जयपुर.example',
    `Host: ${'a'.repeat(300)}.example`,
  ];
  it.each(malformed)('that does not name exactly one host gets 400 and is not logged: %j', async (line) => {
    for (const { say } of [proxied, logging])
      for (const path of ['/', '/sitemap.xml', '/api/config', '/media/x/y.mp4', '/nowhere']) {
        const { status, body } = await say(get(path, line));
        expect([status, body], path).toEqual([
          400,
          expect.stringContaining('The Host header of this request must name one host.'),
        ]);
      }
    // There is a line for each request, and none of them is a warning.
    expect(log.length).toBeGreaterThan(0);
    expect(log.filter((line) => JSON.parse(line).level >= 40)).toEqual([]);
  });

  it('given twice gets 400, also when the page for the first one is cached', async () => {
    for (let turn = 0; turn < 2; turn += 1)
      expect((await plain.say(get('/About', 'Host: kept.example'))).status).toBe(200);
    expect((await plain.say(get('/About', 'Host: kept.example\nHost: evil.example'))).status).toBe(400);
    expect((await proxied.say(get('/About', 'Host: kept.example'))).status).toBe(200);
    expect((await proxied.say(get('/About', 'Host: user@evil.example'))).status).toBe(400);
  });

  it.each(['jhalak.example', 'Jhalak.Example:8080', '127.0.0.1:3000', '[::1]:3000', 'web_1', 'localhost.'])(
    'such as %s is served',
    async (host) => {
      expect((await plain.say(get('/', `Host: ${host}`))).status).toBe(200);
    },
  );

  it('may be missing in HTTP/1.0 if the response does not depend on it, as for simple health checks', async () => {
    expect((await plain.say('GET /healthz HTTP/1.0\n\n')).status).toBe(200);
    expect((await plain.say('GET / HTTP/1.0\n\n')).status).toBe(400);
    expect((await proxied.say('GET / HTTP/1.0\n\n')).status).toBe(200);
    expect(namesOneHost({ headers: {}, rawHeaders: [], httpVersion: '1.1' })).toBe(false);
  });
});

describe('the address of the site', () => {
  /** Everything that a client can claim about hosts and schemes, in one request. */
  const claims = [
    'X-Forwarded-Host: evil.example',
    'X-Forwarded-Proto: gopher',
    'X-Forwarded-Port: 666',
    'Forwarded: host=evil.example;proto=gopher',
  ].join('\n');

  it('is the Host header without ORIGIN, and forwarded headers are ignored', async () => {
    for (const path of ['/About', '/robots.txt', '/sitemap.xml']) {
      const { status, body } = await plain.say(get(path, `Host: jhalak.example:99\n${claims}`));
      expect(status).toBe(200);
      expect(body).toContain('http://jhalak.example:99/');
      expect(body).not.toMatch(/evil|gopher|:666/);
    }
  });

  it('is ORIGIN behind a proxy, whatever the forwarded headers or the Host say', async () => {
    for (const path of ['/About', '/robots.txt', '/sitemap.xml']) {
      const { status, body } = await proxied.say(get(path, `Host: evil.example\n${claims}`));
      expect(status).toBe(200);
      expect(body).toContain('http://jhalak.test/');
      expect(body).not.toMatch(/evil|gopher|:666/);
    }
  });

  it.each(['http://evil.example/About', 'http://evil.example?x=1', 'gopher://evil.example'])(
    'is not taken from a request for the whole address %s',
    async (target) => {
      for (const { say } of [plain, proxied]) {
        const { status, body } = await say(get(target, 'Host: jhalak.test'));
        expect(status).toBe(200);
        expect(body).toContain('http://jhalak.test/');
        expect(body).not.toMatch(/evil|gopher/);
      }
    },
  );

  it.each([
    ['with ORIGIN', () => proxied, (turn: number) => `${turn}.example`],
    ['without it, of one Host', () => plain, () => 'a.example'],
  ])('%s: no claim gets another response from the cache', async (_, of, hostOf) => {
    const { say, server } = of();
    const given = async () => {
      const all = await server.metrics.registry.getMetricsAsJSON();
      return Number(all.find(({ name }) => name === 'jhalak_response_cache_hits_total')?.values[0]?.value);
    };
    const before = await given();
    for (let turn = 0; turn < 20; turn += 1) {
      const claimed = `X-Forwarded-Host: ${turn}.example\nX-Forwarded-Proto: h${turn}`;
      await say(get('/api/config', `Host: ${hostOf(turn)}\n${claimed}`));
    }
    // Some were rendered again, since a response is cached only briefly; if each claim had its own entry, none would be
    // from the cache.
    expect((await given()) - before).toBeGreaterThan(10);
  });
});

describe('X-Forwarded-For', () => {
  const perMinute = sendContact.limit.perNetwork;
  const servers = new Map<string, Promise<TestServer>>();
  const serverWith = (settings: Record<string, string>) => {
    const key = JSON.stringify(settings);
    const server = servers.get(key) ?? startTestServer(settings);
    servers.set(key, server);
    return server;
  };
  afterAll(async () => {
    for (const server of servers.values()) await (await server).close();
  });
  let turns = 0;
  /**
   * How many of the next twenty requests are rejected by the rate limit, from this address, each with another header.
   */
  async function tries(settings: Record<string, string>, remoteAddress: string, forwarded: string) {
    const server = await serverWith(settings);
    turns += 1;
    let refused = 0;
    for (let turn = 0; turn < perMinute + 20; turn += 1) {
      const { statusCode } = await server.inject({
        method: 'POST',
        url: sendContact.path,
        remoteAddress,
        payload: {},
        headers: { 'x-forwarded-for': `203.0.${turns}.${turn}${forwarded}` },
      });
      if (statusCode === 429) refused += 1;
    }
    return refused;
  }
  const of = (TRUST_PROXY: string) => ({ ...behindOurProxy, TRUST_PROXY });

  it.each([
    ['nobody is trusted', {}, '127.0.0.1'],
    ['the proxy is on this machine', of('on'), '198.51.100.9'],
    ['the proxy is another address', of('10.0.0.5'), '10.0.0.6'],
    ['the proxies are another network', of('10.0.0.0/24, fd00::/64'), '10.0.1.1'],
    ['the proxies are another IPv6 network', of('10.0.0.0/24, fd00::/64'), 'fd00:0:0:1::1'],
  ])('from any other client is ignored: %s', async (_, settings, address) => {
    expect(await tries(settings, address, '')).toBe(20);
  });

  it.each([
    [of('on'), '127.8.8.8', ''],
    [of('on'), '::1', ''],
    [of('10.0.0.5'), '10.0.0.5', ''],
    [of('10.0.0.5'), '::ffff:10.0.0.5', ''],
    [of('10.0.0.0/24, fd00::/64'), 'fd00::7', ''],
    // A second trusted proxy is in front of the first.
    [of('10.0.0.0/24,192.0.2.0/24'), '10.0.0.1', ', 192.0.2.7'],
  ])('is used if the sender is trusted: %o, from %s', async (settings, address, forwarded) => {
    expect(await tries(settings, address, forwarded)).toBe(0);
  });

  it('is read from the right, up to the first address that is not trusted', async () => {
    expect(await tries(of('10.0.0.0/24, fd00::/64'), '10.0.0.1', ', 198.51.100.1')).toBe(20);
    expect(await tries(of('10.0.0.0/24, fd00::/64'), '10.0.0.1', ', 198.51.100.3, 10.0.0.2')).toBe(20);
  });
});
