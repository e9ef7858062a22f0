import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import { runStatements } from '#testing/servers/statements.ts';

/** The databases of one PostgreSQL. */
export interface Databases {
  url(name: string): string;
  /** Creates an empty one, or empties it. */
  empty(name: string): Promise<string>;
}

/** After a crash the filling starts again, so no data has to survive one. */
const settings = { fsync: 'off', autovacuum: 'off', max_wal_size: '2GB', maintenance_work_mem: '256MB' };

/**
 * Opens the databases of `bench/.filled-NAME`, with the settings of a site. They are filled first, unless the last run filled them for the same
 * `wanted` and the same migrations.
 */
export async function openKept(
  name: string,
  wanted: string,
  fill: (databases: Databases) => Promise<void>,
): Promise<Databases & { stop(): Promise<void> }> {
  const folder = fileURLToPath(new URL(`.filled-${name}`, import.meta.url));
  const stamp = join(folder, 'stamp');
  const start = (more: Record<string, string> = {}) =>
    startEmbeddedPostgres({ directory: join(folder, 'postgres'), say: () => undefined, settings: more });
  const made = `${wanted} ${fingerprint()}`;
  if (!existsSync(stamp) || (await readFile(stamp, 'utf8')) !== made) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const postgres = await start(settings);
    try {
      await fill(databasesOf(postgres.url));
    } finally {
      await postgres.stop();
    }
    await writeFile(stamp, made);
  }
  const postgres = await start();
  return { ...databasesOf(postgres.url), stop: () => postgres.stop() };
}

function databasesOf(server: string): Databases {
  const url = (name: string) => {
    const address = new URL(server);
    address.pathname = `/${name}`;
    return address.href;
  };
  return {
    url,
    async empty(name) {
      await runStatements(url('postgres'), `drop database if exists ${name}`, `create database ${name}`);
      const db = await openDatabase(url(name), 1);
      await migrate(db);
      await db.destroy();
      return url(name);
    },
  };
}

/** Of the migrations: one may have been changed in its place. */
function fingerprint(): string {
  const cwd = fileURLToPath(new URL('../migrations', import.meta.url));
  const sources = globSync('*.ts', { cwd })
    .sort()
    .map((name) => readFileSync(join(cwd, name), 'utf8'));
  return createHash('sha256').update(sources.join()).digest('hex');
}
