import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createResponseCache, type RenderedResponse } from './response-cache.ts';
import { encodeResponse } from './response-encoding.ts';

const render =
  (text: string, status = 200) =>
  async (): Promise<RenderedResponse> => ({ status, headers: {}, body: Buffer.from(text) });
/** A render function that the test finishes when it wants. */
function slowly(text: string) {
  const rendered = Promise.withResolvers<void>();
  return { render: () => rendered.promise.then(render(text)), finish: () => rendered.resolve() };
}
const longEnough = { freshFor: 3_600_000 };
const isPage = { isPage: true };
const textOf = async (response: Promise<RenderedResponse>) => (await response).body.toString();

describe('the response cache', () => {
  it('renders once for concurrent and later requests with one key', async () => {
    const cache = createResponseCache(longEnough);
    let renders = 0;
    const count = () => render(`number ${++renders}`)();
    const responses = await Promise.all([1, 2, 3].map(() => textOf(cache.get('a', count))));
    expect(responses).toEqual(['number 1', 'number 1', 'number 1']);
    expect(await textOf(cache.get('a', count))).toBe('number 1');
    expect(await textOf(cache.get('b', count))).toBe('number 2');
  });

  it('has an entry from the beginning of its rendering until it expires', async () => {
    const cache = createResponseCache(longEnough);
    const { render: renderSlowly, finish } = slowly('a');
    expect(cache.has('a')).toBe(false);
    const asked = cache.get('a', renderSlowly);
    expect([cache.has('a'), cache.find('a')]).toEqual([true, undefined]);
    finish();
    const response = await asked;
    expect(cache.find('a')).toBe(response);
    cache.expireAll();
    expect([cache.has('a'), cache.find('a')]).toEqual([false, undefined]);
  });

  it('serves an expired response only while one request revalidates it', async () => {
    const cache = createResponseCache({ freshFor: 0 });
    const first = await cache.get('a', render('first'));
    expect(cache.find('a')).toBeUndefined();
    cache.revalidate('a');
    const { render: renderSlowly, finish } = slowly('second');
    const asked = cache.get('a', renderSlowly);
    expect([cache.find('a'), cache.find('a')]).toEqual([first, first]);
    await sleep(1100);
    expect(cache.find('a')).toBeUndefined();
    finish();
    expect(await textOf(asked)).toBe('second');
    expect(cache.find('a')).toBeUndefined();
    expect((await cache.get('a', render('third'))).body.toString()).toBe('third');
  });

  it('serves the expired response until the new one is compressed as the old one was', async () => {
    const cache = createResponseCache({ freshFor: 0 });
    const first = await cache.get('a', render('first'.repeat(100_000)));
    first.sent.set('br', { headers: [], unchanged: [], body: Buffer.from('compressed') });
    cache.revalidate('a');
    const { render: renderSlowly, finish } = slowly('second'.repeat(100_000));
    const asked = cache.get('a', renderSlowly);
    finish();
    await new Promise((resolve) => setImmediate(resolve));
    expect(cache.find('a')).toBe(first);
    const second = await asked;
    const encoded = encodeResponse(second, 'br');
    // It is compressed already, so that only promises have to be resolved.
    expect(await Promise.race([encoded, new Promise((resolve) => setImmediate(resolve))])).toBe(
      await encoded,
    );
  });

  it('renders again after content has changed', async () => {
    const cache = createResponseCache(longEnough);
    await cache.get('a', render('before'));
    cache.expireAll();
    expect(await textOf(cache.get('a', render('after')))).toBe('after');
  });

  it.each(['expireAll', 'evictAll'] as const)(
    'does not cache a response that was being rendered during %s',
    async (change) => {
      const cache = createResponseCache(longEnough);
      const { render: renderBefore, finish: finishBefore } = slowly('before');
      const { render: renderAfter, finish: finishAfter } = slowly('after');
      const asked = cache.get('a', renderBefore);
      cache[change]();
      const since = cache.get('a', renderAfter);
      finishBefore();
      expect(await textOf(asked)).toBe('before');
      // The second rendering is still shared.
      const shared = cache.get('a', render('third'));
      finishAfter();
      expect(await Promise.all([since, shared].map(textOf))).toEqual(['after', 'after']);
      expect(await textOf(cache.get('a', render('later')))).toBe('after');
    },
  );

  it('caches neither errors nor failed renderings', async () => {
    const cache = createResponseCache(longEnough);
    expect((await cache.get('a', render('gone', 404))).status).toBe(404);
    await expect(cache.get('b', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect([cache.has('a'), cache.has('b')]).toEqual([false, false]);
    expect(await textOf(cache.get('a', render('there')))).toBe('there');
    expect(await textOf(cache.get('b', render('mended')))).toBe('mended');
  });

  it('evicts the responses that were rendered first when their bodies exceed the maximum size', async () => {
    const cache = createResponseCache({ ...longEnough, maxBytes: 500_000 });
    const body = 'x'.repeat(100_000);
    for (const key of ['a', 'b', 'c']) await cache.get(key, render(body));
    expect(['a', 'b', 'c'].map(cache.has)).toEqual([false, true, true]);
    cache.expireAll();
    await cache.get('b', render(body));
    await cache.get('d', render(body));
    expect(['b', 'c', 'd'].map(cache.has)).toEqual([true, false, true]);
    cache.evictAll();
    for (const key of ['e', 'f']) await cache.get(key, render(body));
    expect(['b', 'd', 'e', 'f'].map(cache.has)).toEqual([false, false, true, true]);
  });

  it('limits the number of entries without a body, too', async () => {
    const cache = createResponseCache({ ...longEnough, maxBytes: 100_000 });
    for (let nth = 0; nth < 100; nth += 1) await cache.get(`${nth}`, render(''));
    const kept = Array.from({ length: 100 }, (_, nth) => cache.has(`${nth}`)).filter(Boolean);
    expect(kept.length).toBeGreaterThan(10);
    expect(kept.length).toBeLessThan(30);
  });
});

describe('a page that is unavailable', () => {
  it('is served from its last response until it can be rendered again', async () => {
    const cache = createResponseCache({ freshFor: 0 });
    const shown = async (rendering: ReturnType<typeof render>) => {
      const { status, body } = await cache.get('/', rendering, isPage);
      return [status, body.toString()];
    };
    expect(await shown(render('sorry', 503))).toEqual([503, 'sorry']);
    expect(await shown(render('first'))).toEqual([200, 'first']);
    expect(await shown(render('sorry', 503))).toEqual([200, 'first']);
    cache.expireAll();
    expect(await shown(render('sorry', 503))).toEqual([200, 'first']);
    expect(await shown(render('second'))).toEqual([200, 'second']);
    expect(await shown(render('sorry', 503))).toEqual([200, 'second']);
  });

  it('is not rendered for every request in the meantime', async () => {
    const cache = createResponseCache(longEnough);
    const first = await cache.get('/', render('first'), isPage);
    cache.expireAll();
    expect(await cache.get('/', render('sorry', 503), isPage)).toBe(first);
    expect(cache.find('/')).toBe(first);
  });

  it('is not served from a response before a 404, nor from one of another URL; a list has no such response', async () => {
    const cache = createResponseCache({ freshFor: 0 });
    await cache.get('/', render('first'), isPage);
    expect((await cache.get('/', render('gone', 404), isPage)).status).toBe(404);
    expect((await cache.get('/', render('sorry', 503), isPage)).status).toBe(503);
    expect((await cache.get('/else', render('sorry', 503), isPage)).status).toBe(503);
    await cache.get('list', render('first'));
    expect((await cache.get('list', render('sorry', 503))).status).toBe(503);
  });

  it('is not served from a response that was evicted, nor from one that was being rendered during the eviction', async () => {
    const cache = createResponseCache({ freshFor: 0 });
    await cache.get('/', render('about somebody'), isPage);
    const renderDuring = async () => {
      cache.evictAll();
      return await render('about somebody, too')();
    };
    await cache.get('/else', renderDuring, isPage);
    for (const path of ['/', '/else'])
      expect((await cache.get(path, render('sorry', 503), isPage)).status).toBe(503);
    await cache.get('/', render('about somebody else'), isPage);
    expect((await cache.get('/', render('sorry', 503), isPage)).status).toBe(200);
  });
});
