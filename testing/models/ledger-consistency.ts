import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { expect } from 'vitest';
import { auditLedger } from '#server/features/earnings/audit.ts';
import { extraFilesJob } from '#server/features/stored-files/extra-files.ts';
import { sweep } from '#server/features/stored-files/sweeper.ts';
import { mediaKeysOf } from '#server/features/stored-files/urls.ts';
import { deleteExpiredUploads } from '#server/features/uploads/expiry.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { unfinishedJobs } from '#server/platform/jobs.ts';
import { openDiskStorage } from '#server/platform/storage/disk.ts';
import { contextOn } from '../context.ts';
import type { Acknowledged } from '../load/load.ts';

/**
 * Compares the responses that people got with the rows: nothing acknowledged is lost, nothing is stored twice, and the ledger matches its
 * events. `seen` are the reels that were watched. Returns the existing posts and reels.
 */
export async function expectRowsToAgree(db: Kysely<Tables>, done: Acknowledged, seen: readonly string[]) {
  const posts = await db.selectFrom('posts').select(['id', 'media_key', 'extra_key', 'deleted_at']).execute();
  const postOf = new Map(posts.map((post) => [post.id, post]));
  for (const [key, { id }] of done.posts) {
    const post = postOf.get(id);
    expect(post?.media_key, `post ${id}`).toBe(key);
    if (!done.deleted.has(id)) expect(post?.deleted_at, `post ${id} was never deleted`).toBeNull();
  }
  for (const id of done.deleted)
    expect(postOf.get(id)?.deleted_at ?? 'gone', `deleted post ${id}`).not.toBeNull();
  expect(new Set(posts.map((post) => post.media_key)).size, 'no photo is published twice').toBe(posts.length);

  const unmade = async () =>
    (
      await db.selectFrom('reels').select(['id', 'state', 'failure']).where('state', '<>', 'ready').execute()
    ).filter(({ id }) => done.reels.has(id));
  await expect.poll(unmade, { timeout: 180_000, interval: 500 }).toEqual([]);
  const reels = await db
    .selectFrom('reels')
    .select(['id', 'media_key', 'creator_id', 'deleted_at'])
    .execute();
  const known = new Set(reels.map(({ id }) => id));
  expect([...done.reels].filter((id) => !known.has(id))).toEqual([]);

  const { views } = await db
    .selectFrom('views')
    .select((eb) => eb.fn.countAll<number>().as('views'))
    .where('reel_id', 'in', seen)
    .executeTakeFirstOrThrow();
  expect(views, 'each viewer is paid for once').toBe(done.views);

  for (const [of, id] of done.withdrawals) {
    const [creatorId = '', month = ''] = of.split(' ');
    const rows = await db
      .selectFrom('withdrawals')
      .select('id')
      .where('creator_id', '=', creatorId)
      .where('month', '=', month)
      .execute();
    expect(rows, `withdrawal of ${of}`).toEqual([{ id }]);
  }
  const { differences } = await auditLedger(contextOn(db));
  expect(differences).toEqual([]);
  return { posts, reels };
}

/** The same, and the files on the disk match the rows. `without` are creators whose reels never had files. */
export async function expectStorageToAgree(
  db: Kysely<Tables>,
  dataDir: string,
  done: Acknowledged,
  { seen, without }: { seen: readonly string[]; without: readonly string[] },
): Promise<void> {
  const { posts, reels } = await expectRowsToAgree(db, done, seen);
  // Files without rows are still new, so the sweeper leaves them; the next sweep treats them as old.
  await expect
    .poll(async () => (await unfinishedJobs(db)).map(({ name }) => name), { timeout: 180_000, interval: 200 })
    .not.toContain(extraFilesJob.name);
  // Unpublished uploads are deleted after a day, and orphans a week later; then only files with rows are left.
  const storage = await openDiskStorage(dataDir);
  for (const days of [1.1, 9]) {
    const clock = () => new Date(Date.now() + days * 24 * 60 * 60 * 1000);
    await deleteExpiredUploads({ db, clock });
    await sweep({ db, storage, clock });
  }
  const shelves = await readdir(join(dataDir, 'media'));
  const stored = (
    await Promise.all(shelves.map((letters) => readdir(join(dataDir, 'media', letters))))
  ).flat();
  const living = [...posts, ...reels.filter(({ creator_id }) => !without.includes(creator_id))]
    .filter(({ deleted_at }) => !deleted_at)
    .flatMap((row) => mediaKeysOf({ extra_key: null, ...row }));
  expect(stored.sort()).toEqual(living.sort());
  expect(await readdir(join(dataDir, 'inbox'))).toEqual([]);
  expect(await readdir(join(dataDir, 'workspaces'))).toEqual([]);
}
