import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { inject } from 'vitest';
import { commandAs, type OsUser, postgresUser } from '#server/platform/database/postgres-user.ts';
import { addressOf, connectDatabases } from './cluster.ts';
import { runStatements } from './statements.ts';

/** A node of a cluster that belongs to one test. */
export interface BreakableNode {
  url: string;
  /** Kills all its processes at once, as a machine that loses its power. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Copies it while it runs. */
  backUp(): Promise<void>;
  /** Once it is killed: starts the copy in its place, with its log until the restore point of this name. */
  restore(point: string): Promise<void>;
}

const database = 'site';
/** In memory, where a node is made within a second. */
const parent = '/dev/shm';

/** Starts a coordinator and two workers, by the programs of the cluster at `TEST_CITUS_URL`, with a database without tables. */
export async function startBreakableCluster() {
  const programs = await programsOf(inject('nodes')[0] ?? '');
  const user = postgresUser('');
  const folder = await mkdtemp(join(parent, 'jhalak-cluster-'));
  if (user) await chown(folder, user.uid, user.gid);
  const nodes: BreakableNode[] = [];
  const add = async () => {
    const node = await makeNode({ programs, user, folder: join(folder, `n${nodes.length}`) });
    nodes.push(node);
    return node;
  };
  const [coordinator, worker] = [await add(), await add(), await add()];
  await connectDatabases(
    nodes.map(({ url }) => url),
    database,
  );
  return {
    coordinator,
    worker,
    /** Adds one more worker, without shards. */
    async addWorker(): Promise<BreakableNode> {
      const node = await add();
      const { hostname, port } = new URL(node.url);
      await runStatements(node.url, 'create extension citus');
      await runStatements(coordinator.url, `select citus_add_node('${hostname}', ${port})`);
      return node;
    },
    all: nodes as readonly BreakableNode[],
    async remove() {
      for (const node of nodes) await node.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function programsOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ setting: string }>(
    `select setting from pg_config where name = 'BINDIR'`,
  );
  await client.end();
  return rows[0]?.setting ?? '';
}

/** Where its programs are, who runs them, and where its data is. */
interface Place {
  programs: string;
  user: OsUser | undefined;
  folder: string;
}

async function makeNode({ programs, user, folder }: Place): Promise<BreakableNode> {
  const [data, copy, before] = [join(folder, 'data'), join(folder, 'copy'), join(folder, 'before')];
  const port = await freePort();
  await mkdir(folder);
  if (user) await chown(folder, user.uid, user.gid);
  const launch = (program: string, ...options: string[]) => {
    const [command = '', ...words] = commandAs(user, [join(programs, program), ...options]);
    return spawn(command, words, { stdio: 'ignore', cwd: '/' });
  };
  const run = async (program: string, ...options: string[]) => {
    const [code] = await once(launch(program, ...options), 'close');
    if (code !== 0) throw new Error(`${program} ended with ${code}`);
  };
  await run('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync');
  await appendFile(
    join(data, 'postgresql.conf'),
    `
shared_preload_libraries = 'citus'
output_plugin_libraries = 'citus, pgoutput'
port = ${port}
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
wal_level = logical
max_connections = 200
max_prepared_transactions = 200
max_worker_processes = 64
shared_buffers = 32MB
wal_keep_size = 4GB
restore_command = 'cp ${before}/pg_wal/%f %p'
citus.recover_2pc_interval = 2s
`,
  );
  const server = `postgres://postgres@127.0.0.1:${port}/postgres`;
  let running: ChildProcess;
  const node: BreakableNode = {
    url: addressOf(server, database),
    async kill() {
      const { pid: postmaster = 0 } = running;
      const all = [postmaster, ...(await childrenOf(postmaster))];
      const closed = running.exitCode === null && once(running, 'close');
      for (const pid of all) if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL');
      await closed;
      while (all.some((pid) => existsSync(`/proc/${pid}`))) await pause(5);
    },
    async start() {
      running = launch('postgres', '-D', data);
      while (!(await answers(server))) {
        if (running.exitCode !== null) throw new Error(`the node in ${data} does not start`);
        await pause(50);
      }
    },
    backUp: () => run('pg_basebackup', '-d', server, '-D', copy, '-c', 'fast'),
    async restore(point) {
      await rename(data, before);
      await rename(copy, data);
      await appendFile(
        join(data, 'postgresql.conf'),
        `recovery_target_name = '${point}'\nrecovery_target_action = promote\n`,
      );
      await writeFile(join(data, 'recovery.signal'), '');
      await node.start();
    },
  };
  await node.start();
  await runStatements(server, `create database ${database}`);
  return node;
}

/** The processes that a PostgreSQL has started. */
async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.trim().split(' ').filter(Boolean).map(Number);
}

/** Whether it can be written to: not while it recovers. */
async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ ready: boolean }>('select not pg_is_in_recovery() as ready');
    return rows[0]?.ready ?? false;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}
