import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { searchedReel } from '#testing/fixtures/searched.ts';
import {
  type Person,
  signUpSomebody,
  startTestServer,
  type TestServer,
} from '#testing/servers/test-server.ts';
import { loadSite } from './page-renderer.ts';

let server: TestServer;
let asha: Person;
beforeAll(async () => {
  server = await startTestServer({}, { site: await loadSite() });
  asha = await signUpSomebody(server, 'Asha Rao');
  await searchedReel(server.db, asha.id, { words: 'मोर वाली रंगोली #रंगोली', categories: ['rangoli'] });
});
afterAll(() => server.close());

const page = async (url: string) => {
  const { statusCode, body, headers } = await server.inject({ url });
  return { statusCode, body, headers };
};

describe('without a script', () => {
  it.each([
    ['en', 'Hashtags', 'Search'],
    ['hi', 'हैशटैग', 'खोजें'],
  ])('the page of a search shows what is found, in %s', async (lang, heading, title) => {
    const { statusCode, body } = await page(`/search?q=rangoli&lang=${lang}`);
    expect(statusCode).toBe(200);
    for (const text of ['मोर वाली रंगोली', heading, title]) expect(body).toContain(text);
    expect(body).toMatch(/<main[\s\S]*<form[^>]* action="\/search"/);
    // Search engines index what is found, and not the searches.
    expect(body).toContain('<meta name="robots" content="noindex"');
  });

  it('the page of a search shows the largest categories where nothing trends', async () => {
    await server.db.insertInto('category_counts').values({ category: 'rangoli', reels: 1 }).execute();
    for (const [lang, name] of [
      ['en', 'Rangoli'],
      ['hi', 'रंगोली'],
    ]) {
      const { body } = await page(`/search?lang=${lang}`);
      expect(body.replaceAll(/<[^>]*>/g, '')).toContain(`${name}1 `);
    }
  });

  it('the page of a tag shows its works, with one canonical address for all spellings', async () => {
    for (const spelling of ['rangoli', 'Rangolee', encodeURIComponent('रंगोली')]) {
      const { statusCode, body } = await page(`/tag/${spelling}`);
      expect(statusCode, spelling).toBe(200);
      expect(body).toContain('मोर वाली');
      expect(body).toContain('rel="canonical" href="http://localhost/tag/rangoli"');
    }
  });

  it.each(['/search', '/search?q=rangoli', '/tag/rangoli'])(
    'a cache in front of the server has to revalidate %s at each request',
    async (path) => {
      const { headers } = await page(path);
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate');
    },
  );

  it('the page of a tag that nothing public has is 404', async () => {
    expect((await page('/tag/nobody')).statusCode).toBe(404);
    expect((await page('/tag/%F0%9F%99%82')).statusCode).toBe(404);
  });
});
