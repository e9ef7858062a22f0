import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { dataFolder } from '#testing/servers/program.ts';
import { clockOf } from './test-clock.ts';

let file: string;
beforeEach(async () => {
  const folder = await dataFolder();
  onTestFinished(() => folder.remove());
  file = join(folder.path, 'clock');
});

/** Writes an instant as if this many seconds ago. */
async function set(instant: string, secondsAgo: number): Promise<void> {
  await writeFile(file, instant);
  const writtenAt = new Date(Date.now() - secondsAgo * 1000);
  await utimes(file, writtenAt, writtenAt);
}

describe('a test clock', () => {
  it('continues from the instant in its file since the file was written', async () => {
    await set('2030-01-01T00:00:00+05:30', 3600);
    const [from, to] = [Date.parse('2030-01-01T01:00:00+05:30'), Date.parse('2030-01-01T01:05:00+05:30')];
    const now = clockOf(file)().getTime();
    expect(now).toBeGreaterThanOrEqual(from);
    expect(now).toBeLessThan(to);
  });

  it('changes at once when its file is written again, and continues while the file is empty', async () => {
    await set('2030-01-01T00:00:00Z', 3600);
    const clock = clockOf(file);
    await set('2030-02-01T00:00:00Z\n', 60);
    expect(clock().toISOString()).toMatch(/^2030-02-01T00:0/);
    await set('', 30);
    expect(clock().toISOString()).toMatch(/^2030-02-01T00:0/);
  });

  it('is refused without a file or an instant in it, with one sentence', async () => {
    expect(() => clockOf(file)).toThrow(`The file ${file} of TEST_CLOCK cannot be read.`);
    await set('tomorrow', 0);
    expect(() => clockOf(file)).toThrow(
      `The file ${file} of TEST_CLOCK must contain an instant, such as 2026-12-01T00:00:00+05:30.`,
    );
  });
});
