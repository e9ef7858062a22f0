import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishPicture } from '#testing/fixtures/posts.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { call, signUpSomebody, startTestServer, type TestServer } from '#testing/servers/test-server.ts';

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

  it('have parts, each with its own pages, reels, photos, people or tags', async () => {
    const person = await signUpSomebody(server);
    const photo = await publishPicture(
      server.db,
      server.dataDir,
      person.id,
      'Of the sea #Rangoli',
      new Date(),
    );
    const hidden = await publishPicture(
      server.db,
      server.dataDir,
      person.id,
      'Hidden #secretly #रंगोली',
      new Date(),
      '#123',
    );
    const taken = {
      taken_down_at: new Date(),
      taken_down_as: 'copy' as const,
      taken_down_reason: 'Not theirs',
    };
    await changeWorks(server.db, (trx) =>
      trx.updateTable('posts').set(taken).where('id', '=', hidden).execute(),
    );
    const { body: index } = await server.inject({ url: '/sitemap.xml' });
    const parts = [...index.matchAll(/<loc>https:\/\/jhalak\.example(\/sitemaps\/[^<]+)<\/loc>/g)].map(
      ([, path]) => path ?? '',
    );
    expect(parts).toContain('/sitemaps/pages.xml');
    const bodies = await Promise.all(parts.map(async (url) => (await server.inject({ url })).body));
    expect(bodies.join('')).toContain('<loc>https://jhalak.example/About</loc>');
    expect(bodies.join('')).toContain(`<loc>https://jhalak.example/user/${person.id}</loc>`);
    const { data } = await call(server, { url: `/api/post/getPost/${photo}` });
    const image = `<image:image><image:loc>https://jhalak.example${data.imageurl}</image:loc></image:image>`;
    expect(bodies.join('')).toContain(`<url><loc>https://jhalak.example/post/${photo}</loc>${image}</url>`);
    expect(parts).toContain('/sitemaps/tags.xml');
    expect(bodies.join('').match(/<loc>[^<]*\/tag\/[^<]*<\/loc>/g)).toEqual([
      '<loc>https://jhalak.example/tag/rangoli</loc>',
    ]);
    expect(bodies.join('')).not.toContain(hidden);
    await server.db
      .updateTable('people')
      .set({ suspended_at: new Date() })
      .where('id', '=', person.id)
      .execute();
    const month = new Date().toISOString().slice(0, 7);
    await expect
      .poll(async () => (await server.inject({ url: `/sitemaps/posts-${month}.xml` })).body)
      .not.toContain(photo);
    // Without a public work there is no tag, and no part for tags.
    const mapOf = async (url: string) => (await server.inject({ url })).body;
    await expect.poll(() => mapOf('/sitemaps/tags.xml')).not.toContain('rangoli');
    await expect.poll(() => mapOf('/sitemap.xml')).not.toContain('tags');
  });

  it.each(['reels-2026-13', 'posts-2026', 'people-x', 'nothing'])('have no part called %s', async (part) => {
    expect((await server.inject({ url: `/sitemaps/${part}.xml` })).statusCode).toBe(404);
  });
});
