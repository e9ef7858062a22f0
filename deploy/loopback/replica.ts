import { execFileSync } from 'node:child_process';
import { appendFile, cp, mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#server/platform/database/embedded.ts';

/** Settings of a primary with a replica; it stores enough WAL for a replica that was offline for a while. */
export const primarySettings = { wal_level: 'replica', wal_keep_size: '256MB', max_connections: '100' };

/** Not copied: files of the running server only, and the WAL, which the replica fetches. */
const leftOut = new Set(['postmaster.pid', 'postmaster.opts', 'pg_wal', 'pg_stat_tmp', 'pg_replslot']);

/** Makes a folder for a replica of the database at `url`, whose files are in `from`: a base backup of the running database. */
export async function copyAsReplica(url: string, from: string, to: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Backup start and stop must be in the same session.
    await client.query(`select pg_backup_start('replica', fast => true)`);
    await cp(from, to, { recursive: true, filter: (path) => !leftOut.has(basename(path)) });
    for (const folder of ['pg_wal', 'pg_replslot', 'pg_stat_tmp'])
      await mkdir(join(to, folder), { recursive: true });
    const { rows } = await client.query(
      'select labelfile, spcmapfile from pg_backup_stop(wait_for_archive => false)',
    );
    await writeFile(join(to, 'backup_label'), rows[0].labelfile);
    await writeFile(join(to, 'standby.signal'), '');
    // In a file, since everybody on the machine can read command lines.
    const { hostname, port, username, password } = new URL(url);
    const primary = `host=${hostname} port=${port} user=${username} password=${password} application_name=replica`;
    await appendFile(join(to, 'postgresql.auto.conf'), `primary_conninfo = '${primary}'\n`);
  } catch (error) {
    await rm(to, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end();
  }
  const { uid, gid } = await stat(from);
  if (process.getuid?.() === 0) execFileSync('chown', ['-R', `${uid}:${gid}`, to]);
  execFileSync('chmod', ['-R', 'go-rwx', to]);
}

/** Starts a replica. It answers queries, and becomes the primary on `select pg_promote()`. */
export function startReplica(directory: string) {
  return startEmbeddedPostgres({ directory, say: () => undefined, settings: primarySettings });
}
