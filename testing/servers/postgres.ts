import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdtemp, readFile, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { jobKinds } from '#server/boot/run-jobs.ts';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import { readPostmaster } from '#server/platform/database/postmaster.ts';
import { openJobs } from '#server/platform/jobs.ts';
import { isProcessAlive } from '#server/platform/process-alive.ts';
import { addressOf, connectDatabases, nodesOf, spreadAll } from './cluster.ts';
import { runStatements } from './statements.ts';
import { checkWorks } from './works-check.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
    /** Addresses of all nodes of a cluster, or of the one PostgreSQL. */
    nodes: string[];
    /** A folder for the whole run. */
    runFolder: string;
  }
}

const template = 'jhalak_tests';

/**
 * Makes the template of all test databases: tables and queues. It is in a PostgreSQL that is started for the whole run, or in that of
 * `TEST_DATABASE_URL`, which may be another version; the address names a superuser.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-run-'));
  const { TEST_CITUS_URL: cluster, TEST_DATABASE_URL: elsewhere = cluster } = process.env;
  const server = elsewhere ? { url: elsewhere, stop: async () => undefined } : await startPostgres();
  const url = new URL(server.url);
  url.pathname = `/${template}`;
  const nodes = cluster ? await nodesOf(cluster) : [server.url];
  for (const node of nodes)
    await runStatements(
      node,
      `drop database if exists ${template} with (force)`,
      `create database ${template}`,
    );
  if (cluster) await connectDatabases(nodes, template);
  const db = await openDatabase(url.href);
  await migrate(db);
  await checkWorks(db);
  await db.destroy();
  const fail = (error: Error) => {
    throw error;
  };
  await (await openJobs(url.href, jobKinds, fail)).stop();
  if (cluster) await spreadAll(url.href);
  project.provide('postgresUrl', url.href);
  project.provide('nodes', nodes);
  project.provide('runFolder', folder);
  return async () => {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** A PostgreSQL without what makes its data survive a crash. */
async function startPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const databases = await mkdtemp(join(await placeOfDatabases(), prefix));
  const postgres = await startEmbeddedPostgres({
    directory: join(databases, 'postgres'),
    say: () => undefined,
    settings: {
      max_connections: '200',
      // Nothing of a run outlives it.
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      wal_level: 'minimal',
      max_wal_senders: '0',
      // Databases of some seconds are not worth tidying, nor their queries compiling.
      autovacuum: 'off',
      jit: 'off',
      // A run opens some ten thousand connections.
      scram_iterations: '1',
    },
  });
  // The password was stored before with the usual number.
  const { password } = new URL(postgres.url);
  await runStatements(postgres.url, `alter role current_user password '${password}'`);
  return {
    url: postgres.url,
    async stop() {
      await postgres.stop();
      await rm(databases, { recursive: true, force: true });
    },
  };
}

const prefix = 'jhalak-postgres-';
const inMemory = '/dev/shm';
const gigabyte = 2 ** 30;

/**
 * A file system in memory where there is room, otherwise the usual one. A new database has some 700 files; creating
 * them on a disk takes more time than most tests do. A run uses about one gigabyte.
 */
async function placeOfDatabases(): Promise<string> {
  const space = await statfs(inMemory).catch(() => undefined);
  if (!space) return tmpdir();
  await removeAbandoned(inMemory);
  const room = Math.min(space.bavail * space.bsize, process.availableMemory());
  return room >= 4 * gigabyte ? inMemory : tmpdir();
}

/** Removes the databases of killed runs of this user from a folder. */
export async function removeAbandoned(folder: string, user = process.getuid?.()): Promise<void> {
  const hour = 3_600_000;
  for await (const path of glob(join(folder, `${prefix}*`))) {
    // Another run may be removing it, too.
    const found = await stat(path).catch(() => undefined);
    // A new one may belong to a run that is just starting.
    if (!found || found.uid !== user || Date.now() - found.mtimeMs < hour) continue;
    const running = await readPostmaster(join(path, 'postgres'));
    if (running && isProcessAlive(running.pid)) continue;
    await rm(path, { recursive: true, force: true });
  }
}

export interface TestDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

/** A new migrated database, empty, or a copy of another without connections; `drop` it when done. */
export async function freshDatabase(from = template): Promise<TestDatabase> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  administrators ??= inject('nodes').map(connect);
  const nodes = administrators;
  await onEach(nodes, async (client) => {
    // Two concurrent copies of one template fail.
    await client.query('select pg_advisory_lock(1)');
    try {
      if (nodes.length > 1) await shut(client, from);
      // Without a log of each of its blocks, which takes twice the time.
      await client.query(`create database ${name} template ${from} strategy file_copy`);
    } finally {
      await client.query('select pg_advisory_unlock(1)');
    }
  });
  return {
    name,
    url: addressOf(inject('postgresUrl'), name),
    async drop() {
      if (nodes.length > 1) await onEach(nodes, (client) => shut(client, name));
      await onEach(nodes, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

/** Ends what Citus runs in a database for itself, and lets it not begin again. */
async function shut(client: pg.Client, name: string): Promise<void> {
  await client.query(`alter database ${name} with allow_connections false`);
  await client.query('select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1', [
    name,
  ]);
}

/** Make and drop the databases of this process on each node, and end with it. */
let administrators: Promise<pg.Client>[] | undefined;

async function onEach(
  clients: readonly Promise<pg.Client>[],
  run: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  await Promise.all(clients.map(async (client) => run(await client)));
}

async function connect(node: string): Promise<pg.Client> {
  const socket = new Socket();
  const client = new pg.Client({ connectionString: addressOf(node, 'postgres'), stream: () => socket });
  client.on('error', () => undefined);
  await client.connect();
  socket.unref();
  return client;
}

/** A pool whose connections may still be ending when its database is dropped, which is no failure of a test. */
export function poolOf({ url }: Pick<TestDatabase, 'url'>, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  pool.on('connect', (client) => client.on('error', () => undefined));
  pool.on('error', () => undefined);
  return pool;
}

/**
 * A result that the first caller of a run makes; the test files of all workers share it. `make` returns a value that
 * JSON can represent, and gets a folder that exists until the run ends.
 */
export async function oncePerRun<T>(name: string, make: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(inject('runFolder'), name);
  const made = `${folder}.json`;
  const client = await connect(inject('postgresUrl'));
  try {
    await client.query('select pg_advisory_lock(2)');
    if (!existsSync(made)) await writeFile(made, JSON.stringify(await make(folder)));
  } finally {
    await client.end();
  }
  return JSON.parse(await readFile(made, 'utf8')) as T;
}
