import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/platform/database/embedded.ts';
import { readPostmaster } from '#server/platform/database/postmaster.ts';
import { type Front, frontOf } from './front.ts';
import { findPackages } from './packages.ts';
import { type Part, type Running, startTogether } from './parts.ts';
import { query } from './pgbouncer.ts';
import { copyAsReplica, primarySettings, startReplica } from './replica.ts';

export interface Topology extends Omit<Front, 'pointAt'> {
  urls: { primary: string; replica: string };
  primary: Part;
  replica: Part;
  /** Promotes the replica after the primary was stopped, as an operator would; the programs are not notified. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

/** A killed database restarts by itself, like a service. */
async function databasePart(directory: string, { stop }: EmbeddedPostgres): Promise<Running> {
  const pidOf = async () => (await readPostmaster(directory))?.pid;
  return {
    pid: await pidOf(),
    stop,
    async kill() {
      const pid = await pidOf();
      if (pid) process.kill(pid, 'SIGKILL');
    },
  };
}

/**
 * Starts on loopback what `deploy/` describes for many machines: a PostgreSQL primary and a replica, and all that is in front of
 * them; all in `folder`. `settings` are for the programs. Throws StartupError with one sentence if a package is missing.
 */
export async function startTopology(
  folder: string,
  settings: Record<string, string> = {},
): Promise<Topology> {
  // Before the databases, which take some seconds.
  findPackages();
  return await startTogether(async (start) => {
    const urls = { primary: '', replica: '' };
    const from = join(folder, 'primary/postgres');
    const primary = await start('PostgreSQL', async () => {
      const database = await startEmbeddedPostgres({
        directory: from,
        say: () => undefined,
        settings: primarySettings,
      });
      urls.primary = database.url;
      return await databasePart(from, database);
    });
    const to = join(folder, 'replica/postgres');
    await copyAsReplica(urls.primary, from, to);
    const replica = await start('replica', async () => {
      const database = await startReplica(to);
      urls.replica = database.url;
      return await databasePart(to, database);
    });
    const { pointAt, ...front } = await frontOf(start, { folder, databaseUrl: urls.primary, settings });
    return {
      ...front,
      urls,
      primary,
      replica,
      async promote() {
        await query(urls.replica, 'select pg_promote()');
        await pointAt(urls.replica);
      },
    };
  });
}
