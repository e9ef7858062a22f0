import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import {
  knownMigrations,
  migrate,
  migrationsOf,
  openDatabase,
  refuseEarlier,
} from '#server/platform/database/database.ts';
import { databaseFolder, startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { makeFolder } from '#server/platform/files.ts';
import { type JobKind, resendUnfinishedJobs, type UnfinishedJob } from '#server/platform/jobs.ts';
import { forgetHolders } from '#server/platform/keyring/keyring.ts';
import { StartupError } from '#server/platform/startup-error.ts';
import { openStorage, type StorageSettings } from '#server/platform/storage/open.ts';
import { deleteAllSessions } from '../accounts/sessions.ts';
import { dropMails } from '../mail/outbox.ts';
import { dropPushes } from '../notifications/push/queue.ts';
import { lockPayouts } from '../withdrawals/payout-lock.ts';
import { isWhole, readList } from './files.ts';
import { type Manifest, places, readManifest } from './manifest.ts';
import { empty, isEmpty, restoreFiles } from './restored-files.ts';
import { connect, holdsNothing, readRows } from './rows.ts';

export interface Target {
  dataDir: string;
  /** Unset: an embedded PostgreSQL is created in `dataDir`. */
  databaseUrl: string | undefined;
  /** The storage for its files. */
  storage: StorageSettings;
  /** The kinds of jobs. */
  jobKinds: readonly JobKind<object>[];
  /**
   * Keeps sessions; by default all are deleted, since sessions that ended after the backup, for example of a lost phone, would be valid
   * again.
   */
  keepSessions?: boolean;
  /** The time of the restore. */
  now?: Date;
}

/**
 * Creates a site from a backup, where there is none. Everything is created in a temporary place in `dataDir` and moved at the end, so that
 * an interrupted restore leaves nothing with which a server would start. Throws one sentence, and leaves nothing, if the backup is
 * incomplete or of a version before 0.3.0, or there is a site already.
 */
export async function restoreBackup(
  folder: string,
  target: Target,
  say: (line: string) => void,
): Promise<Manifest> {
  const { dataDir, databaseUrl, storage: settings } = target;
  const manifest = await readManifest(folder);
  refuseEarlier('backup', { known: await knownMigrations(), done: manifest.migrations });
  await refuseTaken(dataDir);
  await verify(folder, manifest);
  const making = join(dataDir, 'restoring');
  await rm(making, { recursive: true, force: true });
  await makeFolder(making, 0o750);
  const storage = await openStorage(settings, making, (error) => say(error.message));
  let filling = false;
  try {
    if (databaseUrl) await refuseForeign(databaseUrl, manifest);
    if (!(await isEmpty(storage)))
      throw new StartupError('The bucket is not empty; a backup is restored into an empty one.');
    say(`Restoring ${manifest.files.count} files …`);
    filling = true;
    await restoreFiles(folder, await readList(folder), storage);
    say('Restoring the database …');
    if (databaseUrl) {
      await restoreRows(folder, manifest, databaseUrl, target);
    } else {
      const postgres = await startEmbeddedPostgres({
        directory: databaseFolder(making),
        say: () => undefined,
      });
      try {
        await restoreRows(folder, manifest, postgres.url, target);
      } finally {
        await postgres.stop();
      }
    }
    for (const name of ['media', 'inbox'])
      if (existsSync(join(making, name))) await rename(join(making, name), join(dataDir, name));
    if (!databaseUrl) await rename(databaseFolder(making), databaseFolder(dataDir));
    filling = false;
    return manifest;
  } finally {
    if (filling) await empty(storage);
    await storage.close();
    await rm(making, { recursive: true, force: true });
  }
}

/** Refuses a folder that contains anything of a site except its keys, which are in no backup. */
async function refuseTaken(dataDir: string): Promise<void> {
  const entries = existsSync(dataDir) ? await readdir(dataDir) : [];
  if (entries.some((name) => !['restoring', 'keys'].includes(name)))
    throw new StartupError(
      `The data folder ${dataDir} is not empty; a backup is restored into an empty one. Set DATA_DIR to another.`,
    );
}

async function verify(folder: string, { tables, jobs, files }: Manifest): Promise<void> {
  const expected = [
    ...tables.map(({ name, sha256 }) => [places.rows(name), sha256] as const),
    [places.jobs, jobs.sha256] as const,
    [places.files, files.sha256] as const,
  ];
  for (const [name, sha256] of expected)
    if (!(await isWhole(join(folder, name), sha256)))
      throw new StartupError(`The backup is damaged: ${name} is not what was written.`);
}

/** Refuses to restore into a database that is in use, or whose migrations differ from those of the backup. */
async function refuseForeign(url: string, manifest: Manifest): Promise<void> {
  const db = await openDatabase(url, 1);
  const client = await connect(url);
  try {
    const { done: seen } = await migrationsOf(db);
    const isOther = seen.length > 0 && seen.join() !== manifest.migrations.join();
    if (isOther || !(await holdsNothing(client)))
      throw new StartupError(
        'The database of DATABASE_URL is not empty; a backup is restored into an empty one.',
      );
  } finally {
    await client.end();
    await db.destroy();
  }
}

/** Migrates an empty database to the backup's version, fills it in one transaction, then migrates it to the current version. */
async function restoreRows(
  folder: string,
  manifest: Manifest,
  url: string,
  { jobKinds, keepSessions = false, now = new Date() }: Target,
): Promise<void> {
  const db = await openDatabase(url, 2);
  try {
    await migrateAs(db, manifest);
    const client = await connect(url);
    try {
      await client.query('begin');
      await readRows(client, manifest.tables, folder);
      await client.query('commit');
    } finally {
      await client.end();
    }
    await migrate(db);
    if (!keepSessions) await deleteAllSessions(db);
    await forgetHolders(db);
    // Pending mails and push messages of the backup were sent since, or are useless by now.
    await dropMails(db, now);
    await dropPushes(db);
    await lockPayouts(db, { snapshotAt: new Date(manifest.madeAt), restoredAt: now });
    const unfinished = JSON.parse(await readFile(join(folder, places.jobs), 'utf8')) as UnfinishedJob[];
    let trouble: Error | undefined;
    await resendUnfinishedJobs({ db, url }, jobKinds, unfinished, (error) => {
      trouble ??= error;
    });
    if (trouble) throw trouble;
  } finally {
    await db.destroy();
  }
}

async function migrateAs(db: Kysely<Tables>, { migrations }: Manifest): Promise<void> {
  const known = await knownMigrations();
  if (known.slice(0, migrations.length).join() !== migrations.join())
    throw new StartupError(
      'This backup was made by another version of Jhalak, whose database this one does not know; restore it with that version or a later one.',
    );
  await migrate(db, migrations.at(-1));
}
