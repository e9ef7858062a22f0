import { expect, it } from 'vitest';
import { createLimiter } from './limiter.ts';

const refused = new Error('full');

it('lets so many work at once, the others in the order in which they came', async () => {
  const limiter = createLimiter({ atOnce: 2, waiting: 10, patience: 60_000 }, () => refused);
  const entered: number[] = [];
  const leave: (() => void)[] = [];
  const all = [0, 1, 2, 3].map(async (one) => {
    leave[one] = await limiter.enter();
    entered.push(one);
  });
  await Promise.all(all.slice(0, 2));
  expect(entered).toEqual([0, 1]);
  leave[1]?.();
  // Who has left has left: a second time makes no more room.
  leave[1]?.();
  await all[2];
  expect(entered).toEqual([0, 1, 2]);
  leave[0]?.();
  await all[3];
  expect(entered).toEqual([0, 1, 2, 3]);
});

it('turns nobody away where neither a number nor a time bounds those who wait', async () => {
  const limiter = createLimiter({ atOnce: 1 });
  const entered: number[] = [];
  const all = Array.from({ length: 50 }, async (_, one) => {
    const leave = await limiter.enter();
    entered.push(one);
    leave();
  });
  expect(limiter.isFull()).toBe(false);
  await Promise.all(all);
  expect(entered).toEqual(Array.from({ length: 50 }, (_, one) => one));
});

it('turns away whoever waits too long, and at once where too many wait', async () => {
  const limiter = createLimiter({ atOnce: 1, waiting: 1, patience: 20 }, () => refused);
  const leave = await limiter.enter();
  const waiting = limiter.enter();
  await expect(limiter.enter()).rejects.toBe(refused);
  await expect(waiting).rejects.toBe(refused);
  leave();
  // Nobody who was turned away keeps a place.
  (await limiter.enter())();
});
