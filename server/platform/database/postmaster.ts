import { execFileSync } from 'node:child_process';
import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isProcessAlive } from '../process-alive.ts';
import { StartupError } from '../startup-error.ts';

/** PostgreSQL's lock file in its data folder. */
interface Postmaster {
  pid: number;
  port: number;
  ready: boolean;
}

/** The PostgreSQL that runs on this folder; undefined if there is none. */
export async function readPostmaster(directory: string): Promise<Postmaster | undefined> {
  const text = await readFile(join(directory, 'postmaster.pid'), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const lines = text.split('\n');
  const pid = Number(lines[0]);
  return Number.isInteger(pid) && pid > 0
    ? { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' }
    : undefined;
}

/** The application name with which the owner of a database is connected to it. */
export const ownerName = (pid: number) => `jhalak owner ${pid}`;

/**
 * Prepares the folder for a start: waits for a PostgreSQL that is stopping, stops one without an owner, deletes a stale lock. Throws one
 * sentence if another Jhalak uses it.
 */
export async function freeFolder(directory: string, urlFile: string, dataDir: string): Promise<void> {
  let unused = 0;
  for (let waited = 0; waited < 15_000; waited += 100) {
    const running = await readPostmaster(directory);
    if (!running) return;
    if (!(await mayRunOn(running.pid, directory))) {
      await rm(join(directory, 'postmaster.pid'), { force: true });
      return;
    }
    const owner = await findOwner(urlFile);
    if (typeof owner === 'number' && isProcessAlive(owner)) throw inUse(dataDir, owner);
    // Its owner and its guardian were both killed.
    unused = owner === 'nobody' ? unused + 1 : 0;
    if (unused === 10 && isProcessAlive(running.pid)) process.kill(running.pid, 'SIGINT');
    await sleep(100);
  }
  throw new StartupError(
    `The database in ${dataDir} does not stop; please end its postgres process and start again.`,
  );
}

export function inUse(dataDir: string, pid: number): StartupError {
  return new StartupError(`The data folder ${dataDir} is in use by another Jhalak (process ${pid}).`);
}

/** Who is connected as owner; `unknown` while the database does not accept connections. */
async function findOwner(urlFile: string): Promise<number | 'nobody' | 'unknown'> {
  const url = await readFile(urlFile, 'utf8').catch(() => '');
  if (!url) return 'unknown';
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ application_name: string }>(
      `select application_name from pg_stat_activity where application_name like 'jhalak owner %'`,
    );
    const name = rows[0]?.application_name;
    return name ? Number(name.split(' ').at(-1)) : 'nobody';
  } catch {
    return 'unknown';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Whether this process may be the PostgreSQL on this folder; false for another program with the same process id. A PostgreSQL without its
 * lock file stops itself, so a doubt counts as yes.
 */
async function mayRunOn(pid: number, directory: string): Promise<boolean> {
  if (!isProcessAlive(pid)) return false;
  if (process.platform === 'linux') {
    // PostgreSQL's working directory is its data folder. A process that this user may not inspect is not it.
    const workingIn = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
    return workingIn === (await realpath(directory));
  }
  try {
    return execFileSync('ps', ['-p', String(pid), '-o', 'comm='], { encoding: 'utf8' }).includes('postgres');
  } catch {
    return isProcessAlive(pid);
  }
}
