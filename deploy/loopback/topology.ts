import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type EmbeddedPostgres,
  freePort,
  startEmbeddedPostgres,
} from '#server/platform/database/embedded.ts';
import { readPostmaster } from '#server/platform/database/postmaster.ts';
import { startProgram } from '#testing/servers/program.ts';
import { startS3Process } from '#testing/servers/s3/process.ts';
import { startNginx } from './nginx.ts';
import { findPackages } from './packages.ts';
import { pointPgbouncer, query, startPgbouncer } from './pgbouncer.ts';
import { copyAsReplica, primarySettings, startReplica } from './replica.ts';

interface Running {
  pid?: number | undefined;
  stop(): Promise<unknown>;
  kill(): Promise<void>;
}

/** A program of the topology: it runs until it is stopped or killed, and can be started again with the same address. */
export interface Part {
  name: string;
  pid: number | undefined;
  start(): Promise<void>;
  stop(): Promise<unknown>;
  kill(): Promise<void>;
}

export interface Topology {
  /** The public address: nginx. */
  origin: string;
  /** The database through pgbouncer, as the programs use it; the primary; and the replica. */
  urls: { pooled: string; primary: string; replica: string };
  webs: [Part, Part];
  /** The address of each web server itself. */
  webOrigins: [string, string];
  workers: [Part, Part];
  pgbouncer: Part;
  nginx: Part;
  s3: Part;
  primary: Part;
  replica: Part;
  /** Promotes the replica after the primary was stopped, as an operator would; the programs are not notified. */
  promote(): Promise<void>;
  /** The settings for a further program of this topology. */
  settings: Record<string, string>;
  stop(): Promise<void>;
}

async function startPart(name: string, run: () => Promise<Running>, parts: Part[]): Promise<Part> {
  let running = await run();
  const part: Part = {
    name,
    get pid() {
      return running.pid;
    },
    async start() {
      running = await run();
    },
    stop: () => running.stop(),
    kill: () => running.kill(),
  };
  parts.push(part);
  return part;
}

/** Waits for all of them, so that those that did start can be stopped if another failed. */
async function allOf<T extends Promise<Part>[] | []>(starting: T) {
  await Promise.allSettled(starting);
  return await Promise.all(starting);
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

/** The same URL with another port. */
function at(url: string, port: number): string {
  const other = new URL(url);
  other.port = String(port);
  return other.href;
}

/**
 * Starts on loopback what `deploy/` describes for many machines: a PostgreSQL primary and a replica, pgbouncer, an
 * S3 server, two `web`, two `worker`, and nginx with its cache; all in `folder`. `settings` are for the programs. Throws
 * StartupError with one sentence if a package is missing; whatever had been started is stopped.
 */
export async function startTopology(
  folder: string,
  settings: Record<string, string> = {},
): Promise<Topology> {
  const packages = findPackages();
  const parts: Part[] = [];
  /** In reverse order, so that no program loses one that it depends on. */
  const stop = async () => {
    for (const part of parts.splice(0).reverse()) await part.stop();
  };
  try {
    return await startAll(folder, settings, packages, parts, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startAll(
  folder: string,
  settings: Record<string, string>,
  packages: ReturnType<typeof findPackages>,
  parts: Part[],
  stop: () => Promise<void>,
): Promise<Topology> {
  const place = (name: string) => join(folder, name);
  await mkdir(folder, { recursive: true });
  const ports = { pgbouncer: await freePort(), nginx: await freePort(), s3: await freePort() };
  const webPorts = [await freePort(), await freePort()] as const;

  const urls = { pooled: '', primary: '', replica: '' };
  const from = place('primary/postgres');
  const startPrimary = async () => {
    const database = await startEmbeddedPostgres({
      directory: from,
      say: () => undefined,
      settings: primarySettings,
    });
    urls.primary = database.url;
    return await databasePart(from, database);
  };
  const primary = await startPart('PostgreSQL', startPrimary, parts);
  await copyAsReplica(urls.primary, from, place('replica/postgres'));
  const follow = async () => {
    const database = await startReplica(place('replica/postgres'));
    urls.replica = database.url;
    return await databasePart(place('replica/postgres'), database);
  };
  const replica = await startPart('replica', follow, parts);
  urls.pooled = at(urls.primary, ports.pgbouncer);
  const pool = () => startPgbouncer(packages.pgbouncer, urls.primary, ports.pgbouncer, place('pgbouncer'));
  const pgbouncer = await startPart('pgbouncer', pool, parts);

  let s3Settings: Record<string, string> = {};
  const store = async () => {
    const process = await startS3Process(place('store'), ports.s3);
    s3Settings = process.settings;
    return { pid: process.pid, stop: process.kill, kill: process.kill };
  };
  const s3 = await startPart('S3 server', store, parts);

  const programSettings = {
    DATABASE_URL: urls.pooled,
    ...s3Settings,
    TRUST_PROXY: 'on',
    ORIGIN: `http://127.0.0.1:${ports.nginx}`,
    DRAIN_SECONDS: '5',
    KEYS_DIR: place('keys'),
    ...settings,
  };
  const program = (name: string, ROLE: string, PORT = 0) =>
    startPart(
      name,
      async () => {
        const own = { ROLE, PORT: String(PORT), DATA_DIR: place(name), METRICS_PORT: '0' };
        const { child, stop, kill } = await startProgram({ ...programSettings, ...own });
        return { pid: child.pid, stop, kill };
      },
      parts,
    );
  // All at once, as when machines are switched on: one of them migrates the database.
  const [web1, web2, worker1, worker2] = await allOf([
    program('web-1', 'web', webPorts[0]),
    program('web-2', 'web', webPorts[1]),
    program('worker-1', 'worker'),
    program('worker-2', 'worker'),
  ]);
  const proxy = () => startNginx(packages.nginx, [...webPorts], ports.nginx, place('nginx'));
  const nginx = await startPart('nginx', proxy, parts);
  return {
    origin: `http://127.0.0.1:${ports.nginx}`,
    urls,
    webs: [web1, web2],
    webOrigins: [`http://127.0.0.1:${webPorts[0]}`, `http://127.0.0.1:${webPorts[1]}`],
    workers: [worker1, worker2],
    pgbouncer,
    nginx,
    s3,
    primary,
    replica,
    async promote() {
      await query(urls.replica, 'select pg_promote()');
      await pointPgbouncer(place('pgbouncer'), ports.pgbouncer, urls.replica);
    },
    settings: programSettings,
    stop,
  };
}
