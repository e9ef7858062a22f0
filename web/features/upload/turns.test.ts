import { describe, expect, it } from 'vitest';
import { newTurns } from './turns.ts';

describe('turns', () => {
  it('let so many work at a time, and the others in the order in which they came', async () => {
    const inTurn = newTurns(2);
    const begun: string[] = [];
    const ends: Record<string, () => void> = {};
    const work = (name: string) =>
      inTurn(() => {
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

  it('are passed on by work that fails, and not taken by what is cancelled while it waits', async () => {
    const inTurn = newTurns(1);
    const failing = Promise.withResolvers<void>();
    const first = inTurn(() => failing.promise);
    const stopping = new AbortController();
    const waits: boolean[] = [];
    const cancelled = inTurn(
      async () => 'never',
      stopping.signal,
      (wait) => waits.push(wait),
    );
    const third = inTurn(async () => 'third');
    stopping.abort(new Error('cancelled'));
    await expect(cancelled).rejects.toThrow('cancelled');
    expect(waits).toEqual([true, false]);
    failing.reject(new Error('failed'));
    await expect(first).rejects.toThrow('failed');
    expect(await third).toBe('third');
  });
});
