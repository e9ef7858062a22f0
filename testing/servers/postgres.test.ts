import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { removeAbandoned } from './postgres.ts';

describe('databases that killed runs of the tests left in memory', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'abandoned-'));
    for (const name of ['jhalak-postgres-old', 'another-program']) {
      await mkdir(join(folder, name, 'postgres'), { recursive: true });
      await utimes(join(folder, name), new Date(0), new Date(0));
    }
    await mkdir(join(folder, 'jhalak-postgres-new'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('are removed when they are older than an hour', async () => {
    await removeAbandoned(folder);
    expect((await readdir(folder)).toSorted()).toEqual(['another-program', 'jhalak-postgres-new']);
  });

  test('stay when they belong to another user', async () => {
    await removeAbandoned(folder, (process.getuid?.() ?? 0) + 1);
    expect(await readdir(folder)).toContain('jhalak-postgres-old');
  });
});
