import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import { fillDatabase, statements } from './filling.ts';

/*
 * Two sites in one PostgreSQL, filled by SQL and reused by the next run; one is a hundred times as large as the other. Older rows have
 * smaller ids, as in a real site.
 */
export const sizes = {
  small: { reels: 10_000, people: 1_000 },
  large: { reels: 1_000_000, people: 100_000 },
} as const;
export type Size = keyof typeof sizes;

/** The password of all people there. */
export const password = 'a long password';

/** Settings for filling: after a crash the filling starts again, so no data has to survive one. */
const unsafeSettings = {
  fsync: 'off',
  full_page_writes: 'off',
  autovacuum: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '2GB',
  shared_buffers: '1GB',
  maintenance_work_mem: '256MB',
  work_mem: '128MB',
};

const folder = fileURLToPath(new URL('.filled', import.meta.url));

export interface Filled {
  /** URL of the database of that size. */
  url(size: Size): string;
  /** A copy of the small database that may be changed; `drop` it when done. */
  copy(): Promise<{ url: string; drop(): Promise<void> }>;
  stop(): Promise<void>;
}

/** Starts the PostgreSQL with the filled sites, and fills them first if necessary. */
export async function openFilled(say: (line: string) => void): Promise<Filled> {
  const stamp = join(folder, 'filled.sha256');
  const wanted = fingerprint();
  const done = existsSync(stamp) && (await readFile(stamp, 'utf8')) === wanted;
  if (!done) await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const directory = join(folder, 'postgres');
  if (!done) {
    say('Filling two sites, of 10,000 and 1,000,000 reels; the next run finds them …');
    const postgres = await startEmbeddedPostgres({ directory, say, settings: unsafeSettings });
    try {
      for (const size of ['small', 'large'] as const) await fill(postgres.url, size);
    } finally {
      await postgres.stop();
    }
    await writeFile(stamp, wanted);
  }
  const postgres = await startEmbeddedPostgres({ directory, say: () => undefined });
  const url = (name: string) => databaseAt(postgres.url, name);
  try {
    for (const size of ['small', 'large'] as const) await migrateAt(url(size));
  } catch {
    // A new migration has a lower number than some that ran here, so these sites are out of date.
    await postgres.stop();
    await rm(stamp);
    return await openFilled(say);
  }
  let copies = 0;
  return {
    url,
    async copy() {
      copies += 1;
      const name = `copy_${process.pid}_${copies}`;
      await administer(postgres.url, `create database ${name} template small`);
      return { url: url(name), drop: () => administer(postgres.url, `drop database ${name} with (force)`) };
    },
    stop: () => postgres.stop(),
  };
}

/** Fingerprint of all inputs of the filled sites. Newer migrations run on the existing sites. */
const fingerprint = () => createHash('sha256').update(statements(sizes.large, '').join()).digest('hex');

function databaseAt(url: string, name: string): string {
  const address = new URL(url);
  address.pathname = `/${name}`;
  return address.href;
}

async function administer(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseAt(url, 'postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function migrateAt(url: string): Promise<void> {
  const db = await openDatabase(url, 1);
  await migrate(db);
  await db.destroy();
}

async function fill(url: string, size: Size): Promise<void> {
  await administer(url, `create database ${size}`);
  await migrateAt(databaseAt(url, size));
  await fillDatabase(databaseAt(url, size), sizes[size], await hash(password));
}
