import { beforeEach, describe, expect, it, vi } from 'vitest';

const megabit = 1_000_000;
let speed: typeof import('./download-speed.ts');
beforeEach(async () => {
  vi.resetModules();
  speed = await import('./download-speed.ts');
});

describe('the estimated download speed', () => {
  it('is of a slow network after two videos, however fast the network was before', () => {
    for (let video = 0; video < 20; video += 1) speed.noteDownload(20 * megabit, 0.01);
    speed.noteDownload(megabit, 1);
    speed.noteDownload(megabit, 1);
    expect(speed.downloadSpeed()).toBeLessThan(2 * megabit);
  });

  it('rises again within some videos', () => {
    speed.noteDownload(megabit, 1);
    for (let video = 0; video < 5; video += 1) speed.noteDownload(20 * megabit, 1);
    expect(speed.downloadSpeed()).toBeGreaterThan(5 * megabit);
  });

  it('is not changed by a small sample, which measures latency', () => {
    speed.noteDownload(10 * megabit, 1);
    expect(speed.noteDownload(0.1 * megabit, 10)).toBe(false);
    expect(speed.downloadSpeed()).toBe(10 * megabit);
  });
});
