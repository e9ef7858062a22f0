import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { loadSite } from './pages/page-renderer.ts';

let server: TestServer;
let renders = 0;
beforeAll(async () => {
  const site = await loadSite();
  const render = (...asked: Parameters<typeof site.render>) => {
    renders += 1;
    return site.render(...asked);
  };
  server = await startTestServer({}, { site: { ...site, render } });
});
afterAll(() => server.close());

const ask = (url: string, headers: Record<string, string> = {}) => server.inject({ url, headers });

describe('a response that is the same for everybody', () => {
  it.each([
    '/api/openapi.json',
    '/api/docs',
    '/api/config',
    '/api/reel/getallReels',
    '/About',
    '/sitemap.xml',
  ])('%s is answered 304 to a client that has it', async (url) => {
    const first = await ask(url, { 'accept-encoding': 'br' });
    const etag = String(first.headers.etag);
    expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
    for (const turn of [1, 2])
      for (const encoding of ['br', 'gzip', 'identity'])
        for (const tag of [etag, etag.slice(2), `"other", ${etag}`]) {
          const second = await ask(url, { 'if-none-match': tag, 'accept-encoding': encoding });
          expect([second.statusCode, second.body], `${turn} ${encoding}`).toEqual([304, '']);
          const kept = ['etag', 'vary', 'cache-control', 'content-security-policy'];
          for (const name of kept) expect(second.headers[name], name).toBe(first.headers[name]);
          expect(second.headers['content-encoding']).toBeUndefined();
        }
    expect((await ask(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
  });

  it('is not answered 304 if it sets a cookie for one visitor', async () => {
    const etag = String((await ask('/About', { 'accept-language': 'hi' })).headers.etag);
    const choosing = await ask('/About?lang=hi', { 'if-none-match': etag });
    expect([choosing.statusCode, choosing.headers['set-cookie']?.toString()]).toEqual([
      200,
      expect.stringContaining('lang=hi'),
    ]);
  });

  it('has a small limit for a network if it is long, and another network is still answered [long]', async () => {
    const askFrom = (remoteAddress: string) => server.inject({ url: '/api/docs', remoteAddress });
    for (let time = 0; time < 600; time += 1) await askFrom('203.0.113.9');
    expect((await askFrom('203.0.113.9')).statusCode).toBe(429);
    expect((await askFrom('203.0.113.10')).statusCode).toBe(200);
  });

  it('is rendered once, however often it is asked for', async () => {
    const stringify = vi.spyOn(JSON, 'stringify');
    try {
      for (const url of ['/api/openapi.json', '/api/docs'])
        for (let time = 0; time < 5; time += 1) await ask(url);
      const long = stringify.mock.results.filter(({ value }) => String(value).length > 100_000);
      expect(long).toEqual([]);
    } finally {
      stringify.mockRestore();
    }
  });
});

describe('an unknown address', () => {
  it('has a real page with status 404, which is rendered once for all of them', async () => {
    const first = await ask('/nowhere');
    const before = renders;
    for (const url of ['/elsewhere', '/nowhere/else?a=b', '/%6eowhere', '/user', '/about/us']) {
      const { statusCode, body, headers } = await ask(url);
      expect([statusCode, headers['content-type']], url).toEqual([404, 'text/html; charset=utf-8']);
      expect(body).toBe(first.body);
    }
    // A second may have passed.
    expect(renders - before).toBeLessThanOrEqual(2);
    expect(first.body).not.toContain('/-"');
  });

  it.each(['/wp-login.php', '/.env', '/.git/config', '/a/b.png', '/media/none/none.mp4'])(
    '%s, which is no page, has a short response without rendering, but a browser gets the page',
    async (url) => {
      await ask('/nowhere');
      const before = renders;
      const { statusCode, body, headers } = await ask(url, { accept: 'text/html' });
      expect([statusCode, body, renders - before]).toEqual([404, 'Not found\n', 0]);
      expect(headers['content-type']).toBe('text/plain; charset=utf-8');
      const read = await ask(url, { 'sec-fetch-dest': 'document' });
      expect([read.statusCode, read.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    },
  );

  it('is none of the pages in any case and spelling', async () => {
    for (const url of ['/about', '/ABOUT/', '/%41bout', '/AllUsers?q=a'])
      expect((await ask(url)).statusCode, url).toBe(200);
  });

  it('of an icon leads to the icon', async () => {
    const { statusCode, headers } = await ask('/favicon.ico');
    expect([statusCode, headers.location]).toEqual([301, '/icon-192.png']);
    expect((await ask('/icon-192.png')).headers['content-type']).toBe('image/png');
  });
});
