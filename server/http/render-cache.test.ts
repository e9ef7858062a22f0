import { describe, expect, it } from 'vitest';
import { createRenderCache } from './render-cache.ts';

const answer = (text: string, status = 200) => ({ status, headers: {}, body: Buffer.from(text) });
/** Lets its caller decide when an answer is made. */
function slowly(text: string) {
  const made = Promise.withResolvers<ReturnType<typeof answer>>();
  return { make: () => made.promise, finish: () => made.resolve(answer(text)) };
}
const longEnough = 3_600_000;
const textOf = async (kept: { answer: Promise<{ body: Buffer }> }) => (await kept.answer).body.toString();

describe('answers that are kept', () => {
  it('are made once for all who ask at the same time', async () => {
    const cache = createRenderCache(longEnough, 10);
    let made = 0;
    const make = async () => answer(`number ${++made}`);
    const answers = await Promise.all([1, 2, 3].map(() => cache.get('a', make)));
    expect(await Promise.all(answers.map(textOf))).toEqual(['number 1', 'number 1', 'number 1']);
  });

  it('are made anew once something has changed', async () => {
    const cache = createRenderCache(longEnough, 10);
    const before = await cache.get('a', async () => answer('before'));
    cache.evictAll();
    expect(before.freshness.until).toBe(0);
    expect(await textOf(await cache.get('a', async () => answer('after')))).toBe('after');
  });

  it('are not kept where something changed while they were made', async () => {
    const cache = createRenderCache(longEnough, 10);
    const { make, finish } = slowly('before');
    const asked = cache.get('a', make);
    cache.evictAll();
    const since = cache.get('a', async () => answer('after'));
    finish();
    expect((await asked).freshness.until).toBe(0);
    expect(await textOf(await since)).toBe('after');
    expect(await textOf(await cache.get('a', async () => answer('later')))).toBe('after');
  });

  it('are no failures', async () => {
    const cache = createRenderCache(longEnough, 10);
    expect((await cache.get('a', async () => answer('gone', 404))).freshness.until).toBe(0);
    await expect(cache.get('b', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await textOf(await cache.get('a', async () => answer('there')))).toBe('there');
    expect(await textOf(await cache.get('b', async () => answer('mended')))).toBe('mended');
  });

  it('are so many at most, the newest', async () => {
    const cache = createRenderCache(longEnough, 2);
    for (const key of ['a', 'b', 'c']) await cache.get(key, async () => answer(`${key} kept`));
    const again = async (key: string) => textOf(await cache.get(key, async () => answer(`${key} anew`)));
    expect([await again('c'), await again('b'), await again('a')]).toEqual(['c kept', 'b kept', 'a anew']);
  });
});
