import { describe, expect, it } from 'vitest';
import { type Client, createFairQueue, type FairQueue } from './fair-queue.ts';

const refused = new Error('full');

/** Queues all of these in this order, each finishing as soon as it is admitted, and returns the order of admission. */
async function orderOf(queue: FairQueue, clients: readonly Client[]): Promise<string[]> {
  const order: string[] = [];
  const leave = await queue.enter('whoever holds the place until all have asked');
  const all = clients.map(async (client) => {
    const left = await queue.enter(client);
    order.push([client].flat().join(' '));
    left();
  });
  leave();
  await Promise.all(all);
  return order;
}
const times = <T>(many: number, one: T): T[] => Array.from({ length: many }, () => one);
const settled = async (promise: Promise<unknown>) =>
  await Promise.race([
    promise.then(
      () => 'inside',
      () => 'refused',
    ),
    new Promise((resolve) => setImmediate(() => resolve('waiting'))),
  ]);

describe('a fair queue', () => {
  it('limits the concurrency, and runs the work of one client in order of arrival', async () => {
    const queue = createFairQueue({ atOnce: 2, waiting: 10, timeout: 60_000 }, () => refused);
    const entered: number[] = [];
    const leave: (() => void)[] = [];
    const all = [0, 1, 2, 3].map(async (one) => {
      leave[one] = await queue.enter('asha');
      entered.push(one);
    });
    await Promise.all(all.slice(0, 2));
    expect(entered).toEqual([0, 1]);
    leave[1]?.();
    // Calling it again frees no further place.
    leave[1]?.();
    await all[2];
    expect(entered).toEqual([0, 1, 2]);
    leave[0]?.();
    await all[3];
    expect(entered).toEqual([0, 1, 2, 3]);
  });

  it('rotates between clients, so that a single request waits for one request of a heavy client', async () => {
    const queue = createFairQueue({ atOnce: 1 });
    expect(await orderOf(queue, [...times(4, 'greedy'), 'asha', 'asha', 'ravi'])).toEqual([
      'greedy',
      'asha',
      'ravi',
      'greedy',
      'asha',
      'greedy',
      'greedy',
    ]);
  });

  it('prefers the client with the least running work, so that long work counts', async () => {
    const queue = createFairQueue({ atOnce: 3 });
    const [first] = await Promise.all([queue.enter('greedy'), queue.enter('greedy'), queue.enter('greedy')]);
    const greedy = queue.enter('greedy');
    const asha = queue.enter('asha');
    first();
    expect([await settled(greedy), await settled(asha)]).toEqual(['waiting', 'inside']);
  });

  it('gives all places to a client without competitors', async () => {
    const queue = createFairQueue({ atOnce: 50, waiting: 0 }, () => refused);
    await Promise.all(times(50, 'asha').map((client) => queue.enter(client)));
    await expect(queue.enter('asha')).rejects.toBe(refused);
  });

  it('shares equally between groups, then inside each group', async () => {
    const queue = createFairQueue({ atOnce: 1 });
    const manyNames = Array.from({ length: 4 }, (_, nth) => ['one owner', `name ${nth}`]);
    expect(await orderOf(queue, [...manyNames, ['another', 'asha'], ['another', 'ravi']])).toEqual([
      'one owner name 0',
      'another asha',
      'one owner name 1',
      'another ravi',
      'one owner name 2',
      'one owner name 3',
    ]);
  });

  it('when full, rejects the newest work of the client with most waiting', async () => {
    const queue = createFairQueue({ atOnce: 1, waiting: 3 }, () => refused);
    const leave = await queue.enter('greedy');
    const [first, second, third] = times(3, 'greedy').map((client) => queue.enter(client));
    expect([queue.isFull('greedy'), queue.isFull('asha')]).toEqual([true, false]);
    const asha = queue.enter('asha');
    await expect(third).rejects.toBe(refused);
    await expect(queue.enter('greedy')).rejects.toBe(refused);
    // Now greedy has two waiting, Asha has one: a second one of hers would make them equal, and is not preferred.
    await expect(queue.enter('asha')).rejects.toBe(refused);
    const ravi = queue.enter('ravi');
    await expect(second).rejects.toBe(refused);
    await expect(queue.enter('who comes when all have one')).rejects.toBe(refused);
    leave();
    for (const one of [first, asha, ravi]) (await one)?.();
    expect(queue.isFull('greedy')).toBe(false);
  });

  it('when full, finds the client with most waiting in the heaviest group', async () => {
    const queue = createFairQueue({ atOnce: 1, waiting: 4 }, () => refused);
    await queue.enter('somebody');
    const [one, most] = [queue.enter(['big', 'one']), queue.enter(['big', 'two'])];
    const last = queue.enter(['big', 'two']);
    const small = queue.enter(['small', 'one']);
    void queue.enter(['small', 'two']);
    await expect(last).rejects.toBe(refused);
    expect([await settled(one), await settled(most), await settled(small)]).toEqual(times(3, 'waiting'));
  });

  it('gives a spare place to a client without running work, and no second one', async () => {
    const queue = createFairQueue({ atOnce: 2, spare: 1 });
    const [leave] = await Promise.all([queue.enter('greedy'), queue.enter('greedy')]);
    const greedy = queue.enter('greedy');
    expect(await settled(queue.enter('asha'))).toBe('inside');
    const [again, ravi] = [queue.enter('asha'), queue.enter('ravi')];
    expect([await settled(greedy), await settled(again), await settled(ravi)]).toEqual(times(3, 'waiting'));
    leave();
    expect([await settled(greedy), await settled(again), await settled(ravi)]).toEqual([
      'waiting',
      'waiting',
      'inside',
    ]);
  });

  it('admits waiting work when it is enlarged, and none when it is reduced until there is room', async () => {
    const queue = createFairQueue({ atOnce: 1 });
    const leave = [await queue.enter('asha')];
    const [second, third] = [queue.enter('asha'), queue.enter('asha')];
    queue.resize(2);
    leave.push(await second);
    expect([queue.inside(), await settled(third)]).toEqual([2, 'waiting']);
    queue.resize(1);
    leave[0]?.();
    expect([queue.inside(), await settled(third)]).toEqual([1, 'waiting']);
    leave[1]?.();
    expect(await settled(third)).toBe('inside');
  });

  it('rejects nothing without a queue limit and a timeout', async () => {
    const queue = createFairQueue({ atOnce: 1 });
    const entered: number[] = [];
    const all = Array.from({ length: 50 }, async (_, one) => {
      const leave = await queue.enter('asha');
      entered.push(one);
      leave();
    });
    expect(queue.isFull('asha')).toBe(false);
    await Promise.all(all);
    expect(entered).toEqual(Array.from({ length: 50 }, (_, one) => one));
  });

  it('rejects work after the timeout and frees its place in the queue', async () => {
    const queue = createFairQueue({ atOnce: 1, waiting: 1, timeout: 20 }, () => refused);
    const leave = await queue.enter('asha');
    await expect(queue.enter('asha')).rejects.toBe(refused);
    leave();
    (await queue.enter('asha'))();
  });

  it('serves five thousand clients of one network, one request each, beside a heavy client', async () => {
    const queue = createFairQueue({ atOnce: 4, waiting: 6000 }, () => refused);
    const crowd = Array.from({ length: 5000 }, (_, nth) => ['carrier', `household ${nth}`]);
    const order = await orderOf(queue, [...times(900, 'greedy'), ...crowd]);
    expect(order.filter((client) => client.startsWith('carrier'))).toHaveLength(5000);
    // If both have waiting work they share equally.
    const inTheFirst = order.slice(0, 1800).filter((client) => client === 'greedy').length;
    expect(inTheFirst).toBeGreaterThan(880);
  });
});
