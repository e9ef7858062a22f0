import { describe, expect, it } from 'vitest';
import { concurrencyLimit } from './concurrency-limit.ts';

describe('concurrencyLimit', () => {
  it('runs as many tasks as allowed at once, and the others in the order in which they came', async () => {
    const limited = concurrencyLimit(2);
    const begun: string[] = [];
    const ends: Record<string, () => void> = {};
    const work = (name: string) =>
      limited(() => {
        begun.push(name);
        return new Promise<void>((resolve) => {
          ends[name] = resolve;
        });
      });
    const all = ['a', 'b', 'c', 'd'].map(work);
    expect(begun).toEqual(['a', 'b']);
    ends.b?.();
    await all[1];
    expect(begun).toEqual(['a', 'b', 'c']);
    ends.a?.();
    await all[0];
    expect(begun).toEqual(['a', 'b', 'c', 'd']);
    for (const name of ['c', 'd']) ends[name]?.();
    await Promise.all(all);
  });

  it('frees the slot of a task that fails, and skips a task that was cancelled while it waited', async () => {
    const limited = concurrencyLimit(1);
    const failing = Promise.withResolvers<void>();
    const first = limited(() => failing.promise);
    const stopping = new AbortController();
    const waits: boolean[] = [];
    const cancelled = limited(
      async () => 'never',
      stopping.signal,
      (wait) => waits.push(wait),
    );
    const third = limited(async () => 'third');
    stopping.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    expect(waits).toEqual([true, false]);
    failing.reject(new Error('failed'));
    await expect(first).rejects.toThrow('failed');
    expect(await third).toBe('third');
  });
});
