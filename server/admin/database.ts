import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import type { Config } from '../config.ts';
import { migrate, openDatabase } from '../platform/database/database.ts';
import { databaseFolder, startEmbeddedPostgres } from '../platform/database/embedded.ts';
import type { Tables } from '../platform/database/tables.ts';
import { StartupError } from '../platform/startup-error.ts';

export interface OpenDatabase {
  db: Kysely<Tables>;
  url: string;
  close(): Promise<void>;
}

/** As many as a command uses at once: `distribute` needs a third. */
const connections = 3;

/**
 * The database of the server: that of DATABASE_URL; else the embedded one of DATA_DIR, which is shared with the running server, or is
 * started here and stopped afterwards if no server runs.
 */
export async function openServersDatabase(
  config: Config,
  say: (line: string) => void,
): Promise<OpenDatabase> {
  if (config.databaseUrl)
    return await opened(config.databaseUrl, await openDatabase(config.databaseUrl, connections));
  const directory = databaseFolder(config.dataDir);
  if (!existsSync(join(directory, 'PG_VERSION'))) {
    throw new StartupError(
      `There is no database in ${config.dataDir} yet: start Jhalak once, or set DATA_DIR or DATABASE_URL.`,
    );
  }
  const running = await runningDatabase(config.dataDir);
  if (running) return await opened(running.url, running.db);
  const postgres = await startEmbeddedPostgres({ directory, say });
  try {
    return await opened(postgres.url, await openDatabase(postgres.url, connections), () => postgres.stop());
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

/** The running server's database, by its stored URL; undefined if none responds there. */
async function runningDatabase(dataDir: string): Promise<{ url: string; db: Kysely<Tables> } | undefined> {
  const url = (await readFile(join(dataDir, 'postgres.url'), 'utf8').catch(() => undefined))?.trim();
  if (!url) return undefined;
  try {
    return { url, db: await openDatabase(url, connections) };
  } catch (error) {
    // The URL of a killed server, whose database no longer runs.
    if (error instanceof StartupError) return undefined;
    throw error;
  }
}

async function opened(
  url: string,
  db: Kysely<Tables>,
  stop: () => Promise<void> = async () => undefined,
): Promise<OpenDatabase> {
  const close = async () => {
    await db.destroy();
    await stop();
  };
  try {
    await migrate(db);
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return { db, url, close };
}
