import { expect, it } from 'vitest';
import { usageOf } from './process-usage.ts';

/** Uses a processor for this many seconds, however long that takes. */
function work(seconds: number): void {
  const start = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(start);
    if (user + system > seconds * 1e6) return;
  }
}

it.each([
  ['linux', 0.1],
  ['darwin', 1.1], // Other systems than macOS write whole seconds.
] as const)('the processor time and the memory of a process are read as on %s', async (platform, about) => {
  const own = () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
  const before = await usageOf(process.pid, platform);
  work(2 * about);
  const [from, used, to] = [own(), await usageOf(process.pid, platform), own()];
  expect(used.seconds).toBeGreaterThan(from - about);
  expect(used.seconds).toBeLessThan(to + about);
  expect(used.seconds - before.seconds).toBeGreaterThan(about);
  const { rss } = process.memoryUsage();
  expect(used.memory).toBeGreaterThan(rss / 2);
  expect(used.memory).toBeLessThan(rss * 2);
});

it('a process that has ended uses no memory, and its processor time is unknown', async () => {
  expect(await usageOf(2 ** 22 + 1)).toEqual({ memory: 0, seconds: Number.NaN });
});
