import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Kysely, sql } from 'kysely';
import { migrate, openDatabase } from '#server/platform/database/database.ts';
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/** A PostgreSQL with empty sites, which is thrown away afterwards. */
export async function openSites() {
  const folder = await mkdtemp(join(tmpdir(), 'jhalak-taste-'));
  const postgres = await startEmbeddedPostgres({
    directory: join(folder, 'postgres'),
    say: () => undefined,
    settings: { fsync: 'off', synchronous_commit: 'off', max_wal_size: '1GB' },
  });
  const main = await openDatabase(postgres.url, 1);
  return {
    async site<T>(name: string, use: (db: Kysely<Tables>, url: string) => Promise<T>): Promise<T> {
      await sql`create database ${sql.id(name)}`.execute(main);
      const url = new URL(postgres.url);
      url.pathname = `/${name}`;
      const db = await openDatabase(url.href, 2);
      try {
        await migrate(db);
        return await use(db, url.href);
      } finally {
        await db.destroy();
        await sql`drop database ${sql.id(name)}`.execute(main);
      }
    },
    async stop() {
      await main.destroy();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
export type Sites = Awaited<ReturnType<typeof openSites>>;
