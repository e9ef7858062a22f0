import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { loadSite } from './pages.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { site: await loadSite() });
});
afterAll(() => server.close());

it('a page that has been made leaves no timer behind, and with it nothing of what it was made of', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const render = async (path: string, page: number) => {
    const { statusCode } = await server.inject({ url: `${path}?page=${page}` });
    expect(statusCode).toBe(200);
  };
  const paths = [
    '/',
    '/AllUsers',
    '/ShowPosts',
    '/Category',
    '/EarningInfo',
    '/EarningHistory',
    '/UserProfile',
  ];
  await Promise.all(paths.map((path) => render(path, 0)));
  const before = timers();
  for (const path of paths)
    await Promise.all(Array.from({ length: 10 }, (_, page) => render(path, page + 1)));
  expect(timers() - before).toBeLessThan(10);
});
