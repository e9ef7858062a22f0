import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { dataFolder, openFolder } from '../setting-paths.ts';
import { StartupError } from '../startup-error.ts';
import { type Binaries, findBinaries } from './postgres-binaries.ts';
import { commandAs, postgresUser } from './postgres-user.ts';
import { freeFolder, ownerName, readPostmaster } from './postmaster.ts';

export interface EmbeddedPostgres {
  url: string;
  stop(): Promise<void>;
}

/** Its place within the data folder. */
export const databaseFolder = (dataDir: string) => join(dataDir, 'postgres');

const role = 'jhalak';
const passwordFile = 'jhalak.password';

/**
 * Starts an embedded PostgreSQL on `directory`, created at the first start. It listens on loopback only, on a free port, and stops with
 * this process, even if that is killed. While it runs, its URL is in `postgres.url` beside the directory. Throws StartupError with one
 * sentence if the folder cannot be used.
 */
export async function startEmbeddedPostgres({
  directory,
  say,
  settings = {},
}: {
  directory: string;
  say: (line: string) => void;
  settings?: Record<string, string>;
}): Promise<EmbeddedPostgres> {
  const dataDir = dirname(directory);
  const urlFile = join(dataDir, 'postgres.url');
  const binaries = await findBinaries();
  await openFolder(dataFolder(dataDir));
  await freeFolder(directory, urlFile, dataDir);
  if (!existsSync(join(directory, 'PG_VERSION'))) {
    say('Installing the database …');
    await install(binaries, directory);
  }
  say('Starting the database …');
  const password = (await readFile(join(directory, passwordFile), 'utf8')).trim();

  for (let tries = 1; ; tries += 1) {
    const port = await freePort();
    const guardian = launch(binaries, directory, port, settings);
    if (await isReady(guardian, directory, port)) {
      const address = (database: string) => `postgres://${role}:${password}@127.0.0.1:${port}/${database}`;
      await createDatabase(address('postgres'));
      const running = { guardian, owner: await own(address('postgres')), stopping: false };
      await writeFile(urlFile, address(role), { mode: 0o600 });
      const kept = keepUp(running, async () => {
        say('The database has ended; starting it again …');
        const stale = (await readPostmaster(directory))?.pid;
        running.guardian = launch(binaries, directory, port, settings);
        if (!(await isReady(running.guardian, directory, port, stale))) return false;
        running.owner = await own(address('postgres'));
        return true;
      });
      return {
        url: address(role),
        async stop() {
          running.stopping = true;
          await rm(urlFile, { force: true });
          await end(running);
          await kept;
        },
      };
    }
    const other = await readPostmaster(directory);
    // Another process started on the same folder in parallel and was first.
    if (other) await freeFolder(directory, urlFile, dataDir);
    if (tries === 3) {
      const log = await readFile(logFile(directory), 'utf8').catch(() => '');
      const reason = log.trim().split('\n').at(-1) ?? '';
      throw new StartupError(`The embedded database does not start: ${reason || 'no reason given'}`);
    }
  }
}

const logFile = (directory: string) => join(dirname(directory), 'postgres.log');

/** Creates the database in a temporary folder and moves it into place when complete, so that a crash leaves nothing incomplete. */
async function install(binaries: Binaries, directory: string): Promise<void> {
  const making = await mkdtemp(join(dirname(directory), 'installing-'));
  const data = join(making, 'data');
  const password = join(making, 'password');
  await mkdir(data, { mode: 0o700 });
  await writeFile(password, randomBytes(24).toString('base64url'), { mode: 0o600 });
  for (const program of [binaries.initdb, binaries.postgres])
    if (process.getuid?.() === 0) chmodSync(program, 0o755);
  const user = postgresUser(directory);
  if (user) for (const path of [data, password]) chownSync(path, user.uid, user.gid);
  try {
    await run(
      commandAs(user, [
        binaries.initdb,
        `--pgdata=${data}`,
        `--username=${role}`,
        '--auth=scram-sha-256',
        `--pwfile=${password}`,
        '--encoding=UTF8',
        '--locale=C',
        '--locale-provider=builtin',
        '--builtin-locale=C.UTF-8',
        '--no-instructions',
      ]),
    );
    await rename(password, join(data, passwordFile));
    await rename(data, directory);
  } catch (error) {
    // Another start was faster: its database is used.
    if (!existsSync(join(directory, 'PG_VERSION'))) throw error;
  } finally {
    await rm(making, { recursive: true, force: true });
  }
}

async function run([command = '', ...options]: string[]): Promise<void> {
  const child = spawn(command, options, { stdio: ['ignore', 'ignore', 'pipe'], env: postgresEnvironment() });
  let complaint = '';
  child.stderr.on('data', (chunk) => {
    complaint += chunk;
  });
  const [code] = await once(child, 'close');
  if (code !== 0)
    throw new StartupError(
      `The embedded database cannot be installed: ${complaint.trim().split('\n').at(-1)}`,
    );
}

/**
 * PostgreSQL behind a guardian: a shell that holds the other end of a pipe to this process. When the pipe closes, because this process
 * stops or is killed, the guardian shuts PostgreSQL down cleanly. It runs in its own session, so that Ctrl-C reaches only this process,
 * which stops everything in the right order.
 */
function launch(
  binaries: Binaries,
  directory: string,
  port: number,
  settings: Record<string, string>,
): ChildProcess {
  const options = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '60',
    shared_buffers: `${sharedMegabytes()}MB`,
    // Reads after a start what the cache had before, in the background.
    shared_preload_libraries: 'pg_prewarm',
    log_min_messages: 'warning',
    ...settings,
  };
  const server = commandAs(postgresUser(directory), [
    binaries.postgres,
    '-D',
    directory,
    '-p',
    String(port),
    ...Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ]);
  const script =
    'exec 3<&0; "$@" & server=$!; (cat <&3 >/dev/null; kill -INT $server) & watch=$!; wait $server; kill $watch 2>/dev/null';
  const log = openSync(logFile(directory), 'w', 0o600);
  return spawn('sh', ['-c', script, 'jhalak-postgres', ...server], {
    detached: true,
    stdio: ['pipe', log, log],
    env: postgresEnvironment(),
  });
}

/** An eighth of the memory that this process may use, up to 2 GB: what a site of a million reels reads again and again. Only pages that were read take it. */
function sharedMegabytes(): number {
  // Without a limit of the container it is zero, or more than there is.
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.round(Math.min(Math.max(memory / 8 / 2 ** 20, 64), 2048));
}

function postgresEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' };
}

/**
 * Waits until our PostgreSQL on this port accepts connections; false if it ended instead. A lock file (`stale`) of a killed one is ignored.
 */
async function isReady(
  guardian: ChildProcess,
  directory: string,
  port: number,
  stale?: number,
): Promise<boolean> {
  let ended = false;
  guardian.once('exit', () => {
    ended = true;
  });
  for (;;) {
    const running = await readPostmaster(directory);
    if (ended) return false;
    if (running?.ready && running.port === port && running.pid !== stale) return true;
    await sleep(20);
  }
}

async function createDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [role]);
    if (rowCount === 0) await client.query(`create database ${role}`);
  } finally {
    await client.end();
  }
}

/** What is running: the guardian of PostgreSQL, and the connection that shows other processes that it has an owner. */
interface Running {
  guardian: ChildProcess;
  owner: pg.Client;
  stopping: boolean;
}

async function own(url: string): Promise<pg.Client> {
  const owner = new pg.Client({ connectionString: url, application_name: ownerName(process.pid) });
  owner.on('error', () => undefined);
  await owner.connect();
  return owner;
}

/**
 * Restarts PostgreSQL at the same address whenever it ends while it is still needed: killed, or without memory or disk space. It recovers
 * acknowledged data from its log.
 */
async function keepUp(running: Running, startAgain: () => Promise<boolean>): Promise<void> {
  for (let failures = 0; ; ) {
    const { guardian } = running;
    if (guardian.exitCode === null && guardian.signalCode === null) await once(guardian, 'exit');
    if (running.stopping) return;
    guardian.stdin?.destroy();
    await sleep(Math.min(100 * 2 ** failures, 5000));
    if (running.stopping) return;
    failures = (await startAgain().catch(() => false)) ? 0 : failures + 1;
  }
}

async function end({ guardian, owner }: Running): Promise<void> {
  await owner.end().catch(() => undefined);
  if (guardian.exitCode !== null || guardian.signalCode !== null) return;
  const ended = once(guardian, 'exit');
  guardian.stdin?.end();
  await ended;
}

/** A port on which nothing listens now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  server.close();
  await once(server, 'close');
  return port;
}
