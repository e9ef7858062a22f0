import { promises as fs } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Kysely, PostgresDialect } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import pg from 'pg';
import { StartupError } from '../startup-error.ts';
import type { Tables } from './tables.ts';

/** How long a statement and a wait for a free connection may take, in milliseconds. */
const patience = { statement: 30_000, connection: 5_000 };

/** Opens the database at `url`. Throws StartupError when it cannot be reached; the sentence names no password. */
export async function openDatabase(url: string, connections = 12): Promise<Kysely<Tables>> {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    statement_timeout: patience.statement,
    connectionTimeoutMillis: patience.connection,
    application_name: 'jhalak',
    types: { getTypeParser },
  });
  // A connection that breaks while idle is replaced at the next use; unheard, the event would end the process.
  pool.on('error', () => undefined);
  try {
    (await pool.connect()).release();
  } catch (error) {
    await pool.end();
    throw new StartupError(`The database at ${withoutPassword(url)} cannot be reached: ${reasonOf(error)}.`);
  }
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });
}

/** Brings the tables up to date; several servers may start at once. */
export async function migrate(db: Kysely<Tables>): Promise<void> {
  const migrationFolder = fileURLToPath(new URL('../../../migrations', import.meta.url));
  const migrator = new Migrator({ db, provider: new FileMigrationProvider({ fs, path, migrationFolder }) });
  const { error } = await migrator.migrateToLatest();
  if (error) throw error;
}

/** bigint as number: a count beyond 2^53 is an error and not a rounding. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === pg.types.builtins.INT8 && format !== 'binary') return asSafeInteger;
  return pg.types.getTypeParser(oid, format as 'text');
};

function asSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond what a number holds exactly`);
  return value;
}

function withoutPassword(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  return error instanceof Error ? error.message.replace(/\.$/, '') : String(error);
}
