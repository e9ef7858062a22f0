import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import { StartupError } from '../startup-error.ts';
import { isLockedOut } from './conflicts.ts';
import { openPool, type PoolObservers } from './pool.ts';
import type { Tables } from './tables.ts';
import { inTransaction } from './transaction.ts';

/**
 * Opens the database at `url`. With a health check, queries fail at once while the database does not respond. Throws
 * StartupError if it cannot be reached; the message contains no password.
 */
export async function openDatabase(
  url: string,
  connections = 12,
  observers: PoolObservers = {},
): Promise<Kysely<Tables>> {
  const pool = openPool(url, connections, observers);
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new StartupError(`The database at ${withoutPassword(url)} cannot be reached: ${reasonOf(error)}.`);
  }
  return new Kysely<Tables>({ dialect: new Dialect({ pool }) });
}

/** Disables the library's migration lock, which belongs to a session: `migrate` takes a lock for its transaction instead. */
class Dialect extends PostgresDialect {
  override createAdapter(): PostgresAdapter {
    return new (class extends PostgresAdapter {
      override async acquireMigrationLock() {}
      override async releaseMigrationLock() {}
    })();
  }
}

/** The library's own lock number, so that other versions of Jhalak and this one wait for each other. */
const migrationLock = '3853314791062309107';

/** The commit before the first migration here: it reads what earlier versions stored, and exports from it. */
const beforeBaseline = 'd442f1b4';

/** Throws one sentence if a database or backup has migrations of a version before 0.3.0. */
export function refuseEarlier(what: 'database' | 'backup', { known, done }: Migrations): void {
  const [first = ''] = known;
  if (done.some((name) => name < first))
    throw new StartupError(
      `This ${what} is of a version before 0.3.0, which this version does not read: commit ${beforeBaseline} reads it, and exports from it.`,
    );
}

/**
 * Migrates the database to the newest version, or to migration `to`; several servers may start at once. If a newer version has
 * migrated it already, nothing changes: its tables work for this version too (docs/decisions/0013-several-processes.md). All of
 * it is one transaction that holds the lock, so that it also works through a transaction pooler (0022). Throws StartupError, and
 * changes nothing, if the database is of a version before 0.3.0, or if a table stays locked for three seconds, because a waiting
 * migration blocks all later statements on that table.
 */
export async function migrate(db: Kysely<Tables>, to?: string): Promise<void> {
  const { known, done } = await migrationsOf(db);
  refuseEarlier('database', { known, done });
  if (known.every((name) => done.includes(name)) && (to === undefined || done.length > known.length)) return;
  await inTransaction(db, async (trx) => {
    // Building an index on a large table may take very long.
    await sql`set local statement_timeout = 0`.execute(trx);
    await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)}::bigint)`.execute(trx);
    await sql`set local lock_timeout = '3s'`.execute(trx);
    const migrator = new Migrator({ db: trx, provider });
    const { error } = await (to === undefined ? migrator.migrateToLatest() : migrator.migrateTo(to));
    if (isLockedOut(error))
      throw new StartupError(
        'The tables cannot be brought up to date now: something else, such as a backup, has held one of them for three seconds. Start again later.',
      );
    if (error) throw error;
  });
}

const provider = new FileMigrationProvider({
  fs,
  path,
  migrationFolder: fileURLToPath(new URL('../../../migrations', import.meta.url)),
});

interface Migrations {
  known: readonly string[];
  done: readonly string[];
}

/** The migrations that this version contains, in order. */
export const knownMigrations = async () => Object.keys(await provider.getMigrations()).sort();

/** The same, and those already applied to the database. */
export async function migrationsOf(db: Kysely<Tables>): Promise<{ known: string[]; done: string[] }> {
  const known = await knownMigrations();
  const { rows: tables } = await sql<{ name: string | null }>`
    select to_regclass('kysely_migration')::text as name`.execute(db);
  if (!tables[0]?.name) return { known, done: [] };
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  return { known, done: rows.map(({ name }) => name) };
}

function withoutPassword(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
