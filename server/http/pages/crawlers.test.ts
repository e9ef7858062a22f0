import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signUpSomebody, startTestServer, type TestServer } from '#testing/servers/test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ ORIGIN: 'https://jhalak.example' });
});
afterAll(() => server.close());

describe('sitemaps for search engines (decisions §3)', () => {
  it('are found by robots.txt, which names the index', async () => {
    const { body, headers } = await server.inject({ url: '/robots.txt' });
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toContain('Sitemap: https://jhalak.example/sitemap.xml');
  });

  it('have parts, each with its own pages, reels or people', async () => {
    const person = await signUpSomebody(server);
    const { body: index } = await server.inject({ url: '/sitemap.xml' });
    const parts = [...index.matchAll(/<loc>https:\/\/jhalak\.example(\/sitemaps\/[^<]+)<\/loc>/g)].map(
      ([, path]) => path ?? '',
    );
    expect(parts).toContain('/sitemaps/pages.xml');
    const bodies = await Promise.all(parts.map(async (url) => (await server.inject({ url })).body));
    expect(bodies.join('')).toContain('<loc>https://jhalak.example/About</loc>');
    expect(bodies.join('')).toContain(`<loc>https://jhalak.example/user/${person.id}</loc>`);
  });

  it.each(['reels-2026-13', 'people-x', 'nothing'])('have no part called %s', async (part) => {
    expect((await server.inject({ url: `/sitemaps/${part}.xml` })).statusCode).toBe(404);
  });
});
