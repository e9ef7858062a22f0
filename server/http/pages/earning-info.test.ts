import { afterAll, beforeAll, expect, it } from 'vitest';
import { findWatchingStart } from '#server/features/earnings/watching-start.ts';
import { startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { loadSite } from './page-renderer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { site: await loadSite() });
});
afterAll(() => server.close());

it.each([
  ['en', 'Older apps do not report views'],
  ['hi', 'पुराने ऐप'],
])(
  '/EarningInfo in %s has the rule for older apps until its date, and not from then on',
  async (lang, words) => {
    const page = async () => (await server.inject({ url: `/EarningInfo?lang=${lang}` })).body;
    const until = (await findWatchingStart(server.db))?.paceUntil ?? new Date();
    server.now.value = new Date(until.getTime() - 1000);
    await expect.poll(page, { timeout: 20_000 }).toContain(words);
    server.now.value = until;
    await expect.poll(page, { timeout: 20_000 }).not.toContain(words);
  },
);
