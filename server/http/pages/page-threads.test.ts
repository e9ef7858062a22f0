import { pino } from 'pino';
import { Piscina } from 'piscina';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CallEndpoint } from '#contract/call.ts';
import { signUpSomebody, startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { loadSite, type Rendered, type Site, type Visit } from './page-renderer.ts';
import { openSite } from './page-threads.ts';

let here: Site;
let threads: Site;
let pool: Piscina;
let callOfServer: CallEndpoint;
/** Renders a page on this thread and on a worker thread. */
const pages: { visit: Visit; here: Rendered; there: Rendered }[] = [];
let server: TestServer;
beforeAll(async () => {
  const run = vi.spyOn(Piscina.prototype, 'run');
  here = await loadSite();
  threads = await openSite(pino({ level: 'silent' }));
  pool = run.mock.contexts[0] as Piscina;
  run.mockRestore();
  const site: Site = {
    ...threads,
    async render(visit, call) {
      const there = await threads.render(visit, call);
      callOfServer = call;
      pages.push({ visit, here: await here.render(visit, call), there });
      return there;
    },
  };
  server = await startTestServer({}, { site });
});
afterAll(async () => {
  await server.close();
  await threads.close();
});

/** The page without its random values. */
const comparable = ({ body, scripts, ...rendered }: Rendered) => ({
  ...rendered,
  body: Buffer.from(body)
    .toString()
    .replace(/"nonce":"[^"]*"/g, ''),
  scripts: scripts?.length,
});

describe('a page rendered on a worker thread', () => {
  it('has the same bytes as on the main thread, also when a call is refused or a form is posted', async () => {
    const { id } = await signUpSomebody(server);
    const statuses = [];
    for (const url of [
      '/',
      `/user/${id}?lang=hi`,
      '/AllUsers?q=asha',
      '/user/nobody',
      '/Category',
      '/nothing-here',
    ])
      statuses.push((await server.inject({ url })).statusCode);
    const form = await server.inject({
      url: '/Contact',
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      payload: 'name=Asha&email=wrong',
    });
    expect([...statuses, form.statusCode]).toEqual([200, 200, 200, 404, 200, 404, 400]);
    expect(pages).toHaveLength(7);
    for (const page of pages)
      expect(comparable(page.there), page.visit.address).toEqual(comparable(page.here));
  });

  it('fails alone when its thread ends, and the next page is rendered by a new thread', async () => {
    const visit = { address: 'http://localhost/AllUsers', lang: 'en', askedLang: null };
    const ended = Promise.withResolvers<unknown>();
    const endAll: CallEndpoint = async () => {
      ended.resolve(Promise.all(pool.threads.map((thread) => thread.terminate())));
      throw new Error('nobody is there to hear of this');
    };
    await expect(threads.render(visit, endAll)).rejects.toThrow('worker exited');
    await ended.promise;
    expect((await server.inject({ url: '/AllUsers?q=after' })).statusCode).toBe(200);
  });

  it('takes little time on the main thread', async () => {
    await server.inject({ url: '/AllUsers?q=first' });
    const costOf = async (site: Site) => {
      const visit = { address: 'http://localhost/AllUsers', lang: 'en', askedLang: null };
      await site.render(visit, callOfServer);
      const before = process.threadCpuUsage();
      for (let nth = 0; nth < 30; nth += 1) await site.render(visit, callOfServer);
      const { user, system } = process.threadCpuUsage(before);
      return user + system;
    };
    expect(await costOf(threads)).toBeLessThan((await costOf(here)) / 2);
  });
});
