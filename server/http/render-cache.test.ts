import { describe, expect, it } from 'vitest';
import { createRenderCache } from './render-cache.ts';

const response = (text: string, status = 200) => ({ status, headers: {}, body: Buffer.from(text) });
/** A render function that the test finishes when it wants. */
function slowly(text: string) {
  const made = Promise.withResolvers<ReturnType<typeof response>>();
  return { make: () => made.promise, finish: () => made.resolve(response(text)) };
}
const longEnough = 3_600_000;
const textOf = async (entry: { response: Promise<{ body: Buffer }> }) =>
  (await entry.response).body.toString();

describe('the render cache', () => {
  it('renders once for concurrent requests with one key', async () => {
    const cache = createRenderCache(longEnough, 10);
    let made = 0;
    const make = async () => response(`number ${++made}`);
    const answers = await Promise.all([1, 2, 3].map(() => cache.get('a', make)));
    expect(await Promise.all(answers.map(textOf))).toEqual(['number 1', 'number 1', 'number 1']);
  });

  it('renders again after an eviction', async () => {
    const cache = createRenderCache(longEnough, 10);
    const before = await cache.get('a', async () => response('before'));
    cache.evictAll();
    expect(before.freshness.until).toBe(0);
    expect(await textOf(await cache.get('a', async () => response('after')))).toBe('after');
  });

  it('does not cache a response that was being rendered during an eviction', async () => {
    const cache = createRenderCache(longEnough, 10);
    const { make, finish } = slowly('before');
    const asked = cache.get('a', make);
    cache.evictAll();
    const since = cache.get('a', async () => response('after'));
    finish();
    expect((await asked).freshness.until).toBe(0);
    expect(await textOf(await since)).toBe('after');
    expect(await textOf(await cache.get('a', async () => response('later')))).toBe('after');
  });

  it('does not cache errors', async () => {
    const cache = createRenderCache(longEnough, 10);
    expect((await cache.get('a', async () => response('gone', 404))).freshness.until).toBe(0);
    await expect(cache.get('b', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await textOf(await cache.get('a', async () => response('there')))).toBe('there');
    expect(await textOf(await cache.get('b', async () => response('mended')))).toBe('mended');
  });

  it('keeps at most the maximum number of entries, the newest ones', async () => {
    const cache = createRenderCache(longEnough, 2);
    for (const key of ['a', 'b', 'c']) await cache.get(key, async () => response(`${key} kept`));
    const again = async (key: string) => textOf(await cache.get(key, async () => response(`${key} anew`)));
    expect([await again('c'), await again('b'), await again('a')]).toEqual(['c kept', 'b kept', 'a anew']);
  });
});
