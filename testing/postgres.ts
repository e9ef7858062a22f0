import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { inject } from 'vitest';
import type { TestProject } from 'vitest/node';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts';

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string;
  }
}

const template = 'jhalak';

/** Starts one PostgreSQL for the whole run and migrates the database that every test's own is copied from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-postgres-'));
  const postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    say: () => undefined,
    settings: { fsync: 'off', synchronous_commit: 'off', max_connections: '200' },
  });
  const db = await openDatabase(postgres.url);
  await migrate(db);
  await db.destroy();
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

/** A migrated database of its own, empty, or a copy of another; `drop` it when done. */
export async function freshDatabase(from = template): Promise<{ url: string; drop: () => Promise<void> }> {
  const name = `test_${randomBytes(8).toString('hex')}`;
  await administer(`create database ${name} template ${from}`);
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => administer(`drop database ${name} with (force)`) };
}

async function administer(statement: string): Promise<void> {
  const url = new URL(inject('postgresUrl'));
  url.pathname = '/postgres';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    // One at a time: two copies of one template at once are refused.
    await client.query('select pg_advisory_lock(1)');
    await client.query(statement);
  } finally {
    await client.end();
  }
}
