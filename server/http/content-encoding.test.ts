import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { loadSite } from './pages/page-renderer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { site: await loadSite() });
});
afterAll(() => server.close());

/** One address of every kind of route, and whether its content is a file that is stored in one encoding only. */
const kinds: [kind: string, url: string, isFile?: true][] = [
  ['a short response', '/healthz'],
  ['a long response for one person', '/api/search-nothing'],
  ['a list that is cached', '/api/reel/getallReels'],
  ['a long response that is cached', '/api/config'],
  ['a fixed response', '/api/openapi.json'],
  ['a page', '/About'],
  ['the page of unknown addresses', '/nowhere'],
  ['the short response for unknown files', '/wp-login.php'],
  ['robots.txt', '/robots.txt'],
  ['the sitemap', '/sitemap.xml'],
  ['a part of the sitemap', '/sitemaps/pages.xml'],
  ['a text that is built', '/icon.svg'],
  ['a picture that is built', '/icon-192.png', true],
];
const isFailure = (status: number) => status >= 400;
const ask = (url: string, accepted?: string) =>
  server.inject({ url, headers: accepted === undefined ? {} : { 'accept-encoding': accepted } });
const decoders: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
const decoded = ({ headers, rawPayload }: Awaited<ReturnType<typeof ask>>) => {
  const encoding = headers['content-encoding']?.toString();
  return encoding ? decoders[encoding]?.(rawPayload) : rawPayload;
};
/** Without what differs in every response. */
const sameIn = (body: Buffer | undefined) => body?.toString().replace(/"requestId":"[^"]+"/, '');

describe.each(kinds)('Accept-Encoding of %s', (_kind, url, isFile) => {
  it.each([undefined, '', 'identity', 'zstd', 'gzip', 'br', '*', 'br;q=0, *;q=0.5'])(
    '%j gets the same content in an encoding that it accepts, and Vary',
    async (accepted) => {
      const plain = await ask(url);
      const response = await ask(url, accepted);
      expect(response.statusCode).toBe(plain.statusCode);
      expect(String(response.headers.vary).toLowerCase()).toContain('accept-encoding');
      const possible =
        { gzip: ['gzip'], br: ['br'], '*': ['br'], 'br;q=0, *;q=0.5': ['gzip'] }[accepted ?? ''] ?? [];
      expect([undefined, ...possible]).toContain(response.headers['content-encoding']);
      expect(sameIn(decoded(response))).toBe(sameIn(plain.rawPayload));
    },
  );

  it.each(['identity;q=0', '*;q=0', 'zstd, *;q=0'])('%j gets 406', async (accepted) => {
    for (const turn of [1, 2]) {
      const response = await ask(url, accepted);
      expect(response.statusCode, `${turn}`).toBe(406);
      expect(String(response.headers.vary).toLowerCase()).toContain('accept-encoding');
    }
  });

  it.each([
    ['gzip, identity;q=0', 'gzip'],
    ['br, *;q=0', 'br'],
  ])('%j gets no success without an encoding', async (accepted, encoding) => {
    const plain = await ask(url);
    for (const turn of [1, 2]) {
      const response = await ask(url, accepted);
      if (isFile) expect(response.statusCode, `${turn}`).toBe(406);
      else if (!isFailure(response.statusCode)) {
        expect(response.headers['content-encoding'], `${turn}`).toBe(encoding);
        expect(decoded(response)?.equals(plain.rawPayload)).toBe(true);
      }
    }
  });
});
