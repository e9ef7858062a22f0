import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Kysely, sql } from 'kysely';
import { migrationsOf } from '#server/platform/database/database.ts';
import { listSpread } from '#server/platform/database/spread.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { inSnapshot } from '#server/platform/database/transaction.ts';
import { isCode, makeFolder } from '#server/platform/files.ts';
import { unfinishedJobs } from '#server/platform/jobs.ts';
import { StartupError } from '#server/platform/startup-error.ts';
import type { Storage } from '#server/platform/storage.ts';
import { listStoredFiles } from '../stored-files/stored-files.ts';
import {
  type Backup,
  type Copied,
  copyInbox,
  copyMedia,
  type Earlier,
  missingFrom,
  readList,
  writeList,
} from './files.ts';
import { writeHashed } from './hashed-file.ts';
import { type Manifest, places, readManifest, writeManifest } from './manifest.ts';
import { writeRows } from './rows.ts';

export interface Site {
  db: Kysely<Tables>;
  /** Connects to the same database. */
  url: string;
  storage: Storage;
}

const onCluster =
  'This site is spread over a cluster, whose nodes have no snapshot in common: take a base backup of each node, archive its log, and name a moment of all of them by citus_create_restore_point (docs/scaling.md). Or bring the tables back by “npm run admin -- undistribute” first.';

/** How often a snapshot is repeated because files were deleted while it was copied. */
const triesAtMost = 5;

/**
 * Writes a whole site into an empty folder while it runs: one snapshot of all rows, and every file that those rows
 * refer to (docs/decisions/0018-backup.md). `since` is an earlier backup, whose files are linked and not copied.
 */
export async function makeBackup(
  site: Site,
  folder: string,
  since: string | undefined,
  now: Date,
): Promise<Manifest> {
  // Nodes have no snapshot in common.
  if ((await listSpread(site.db)).length > 0) throw new StartupError(onCluster);
  await claim(folder);
  const earlier = since === undefined ? undefined : await openEarlier(since);
  const copied: Copied = new Map();
  const backup = { folder, copied, earlier };
  // Copies most files before the snapshot, so that few remain to be copied during it.
  await copyMedia(site.storage, backup);
  for (let tries = 1; ; tries += 1) {
    await copyInbox(site.storage, (await listStoredFiles(site.db)).inbox, backup);
    const made = await atOneMoment(site, backup, tries === triesAtMost);
    if (!made) continue;
    const list = await writeList(folder, copied);
    const bytes = [...copied.values()].reduce((sum, file) => sum + file.bytes, 0);
    const manifest: Manifest = {
      format: 1,
      madeAt: now.toISOString(),
      ...made,
      files: { count: copied.size, bytes, sha256: list.sha256 },
    };
    await writeManifest(folder, manifest);
    return manifest;
  }
}

/**
 * Reads everything in one snapshot. Undefined if a file was deleted before it could be copied: then another snapshot is
 * better, unless it is the `last` try.
 */
async function atOneMoment(
  { db, url, storage }: Site,
  backup: Backup,
  last: boolean,
): Promise<Pick<Manifest, 'migrations' | 'tables' | 'jobs' | 'missing'> | undefined> {
  return await inSnapshot(db, async (trx) => {
    const { rows } = await sql<{ snapshot: string }>`select pg_export_snapshot() as snapshot`.execute(trx);
    const referenced = await listStoredFiles(trx);
    await copyInbox(storage, referenced.inbox, backup);
    await copyMedia(storage, backup);
    const missing = missingFrom(backup.copied, referenced);
    if (missing.length > 0 && !last) return undefined;
    const unfinished = await unfinishedJobs(trx);
    const jobs = await writeHashed(join(backup.folder, places.jobs), () =>
      Readable.from([JSON.stringify(unfinished)]),
    );
    return {
      migrations: (await migrationsOf(trx)).done,
      tables: await writeRows(url, rows[0]?.snapshot ?? '', backup.folder),
      jobs: { count: unfinished.length, sha256: jobs.sha256 },
      missing,
    };
  });
}

/** Creates the folder, or accepts an empty one. */
async function claim(folder: string): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    if ((await readdir(folder)).length === 0) return;
  } catch (error) {
    if (isCode(error, 'EEXIST', 'ENOTDIR')) throw new StartupError(`${folder} is not a folder.`);
    if (isCode(error, 'EACCES', 'EROFS')) throw new StartupError(`This user may not write to ${folder}.`);
    if (isCode(error, 'ENOENT')) throw new StartupError(`The folder ${folder} cannot be made.`);
    throw error;
  }
  throw new StartupError(`The folder ${folder} is not empty; each backup gets a folder of its own.`);
}

async function openEarlier(folder: string): Promise<Earlier> {
  await readManifest(folder);
  return { folder, files: await readList(folder) };
}
