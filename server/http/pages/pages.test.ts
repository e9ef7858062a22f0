import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { parametersOf } from '#contract/page-query.ts';
import { signUpSomebody, startTestServer, type TestServer } from '#testing/servers/test-server.ts';
import { loadSite } from './page-renderer.ts';

const nobody = '018f0000-0000-7000-8000-000000000000';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({}, { site: await loadSite() });
});
afterAll(() => server.close());
afterEach(() => vi.restoreAllMocks());

it('a rendered page leaves no timer behind, which would hold its memory', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const render = async (path: string, page: number) => {
    // Another host, so that the page is not cached.
    const { statusCode } = await server.inject({ url: path, headers: { host: `host${page}.example` } });
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
  const pages = 10;
  for (const path of paths)
    await Promise.all(Array.from({ length: pages }, (_, page) => render(path, page + 1)));
  // Queues of jobs that begin to wait meanwhile have a timer each, some thirty in all.
  expect(timers() - before).toBeLessThan((pages * paths.length) / 2);
});

describe('the query of a page', () => {
  it('is declared for every parameter that a page reads', async () => {
    const { routes } = await loadSite();
    const paths = Object.values(routes).flatMap((route) =>
      route?.path && route.path !== '*'
        ? [`/${route.path.replace(/:month/, '2026-01').replace(/:\w+/, nobody)}`]
        : [],
    );
    expect(paths).toContain('/AllUsers');
    const { id } = await signUpSomebody(server);
    const read = new Set<string>();
    for (const way of ['get', 'getAll', 'has'] as const) {
      const plain = URLSearchParams.prototype[way] as (name: string) => never;
      vi.spyOn(URLSearchParams.prototype, way).mockImplementation(function (
        this: URLSearchParams,
        name: string,
      ) {
        read.add(name);
        return plain.call(this, name);
      });
    }
    // Parameters of React Router itself.
    const ofRouter = ['index', '_routes'];
    for (const path of ['/', `/user/${id}`, ...paths]) {
      read.clear();
      await server.inject({ url: `${path}?lang=hi` });
      const undeclared = [...read].filter((name) => ![...parametersOf(path), ...ofRouter].includes(name));
      expect(undeclared, path).toEqual([]);
      expect(read, path).toContain('lang');
    }
  });

  it('passes no other parameter to the page or its links', async () => {
    const ask = async (url: string) => (await server.inject({ url })).body.replace(/"nonce":"[^"]*"/g, '');
    const plain = await ask('/AllUsers?q=asha');
    expect(await ask('/AllUsers?utm_source=evil%22mark&q=asha&q=binod&reel=1')).toBe(plain);
    expect(plain).toContain('q=asha&amp;lang=hi');
    expect(await ask('/?evilmark=1&lang=evilmark')).not.toContain('evilmark');
  });

  it('does not change the cache key by unknown parameters, order or repetition', async () => {
    const { username } = await signUpSomebody(server);
    const renders = vi.spyOn(Request.prototype, 'url', 'get');
    const made = async (url: string) => {
      renders.mockClear();
      await server.inject({ url });
      return renders.mock.calls.length > 0;
    };
    // A page is cached for a second; repeated if the machine stalled for longer.
    for (let turn = 0; ; turn += 1) {
      const from = performance.now();
      const word = `${username}${turn}`;
      const answers = [
        await made(`/AllUsers?q=${word}&cursor=`),
        await made(`/AllUsers?q=${word}&x=${turn}`),
        await made(`/AllUsers?cursor=&tab=posts&q=${word}&q=other`),
        await made(`/AllUsers?lang=xx&q=${word}`),
      ];
      if (performance.now() - from >= 900) continue;
      expect(answers).toEqual([true, false, false, false]);
      break;
    }
  });
});
