import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '#server/platform/database/embedded.ts';
import { startProgram } from '#testing/servers/program.ts';
import { startS3Process } from '#testing/servers/s3/process.ts';
import { startNginx } from './nginx.ts';
import { findPackages } from './packages.ts';
import { allOf, type Part, type StartPart, startTogether } from './parts.ts';
import { pointPgbouncer, pooledAt, startPgbouncer } from './pgbouncer.ts';

/** All that `deploy/` has in front of a database. */
export interface Front {
  /** The public address: nginx. */
  origin: string;
  /** The database through pgbouncer, as the programs use it. */
  pooled: string;
  webs: [Part, Part];
  /** The address of each web server itself. */
  webOrigins: [string, string];
  workers: [Part, Part];
  pgbouncer: Part;
  nginx: Part;
  s3: Part;
  /** Switches pgbouncer to another database; the programs are not notified. */
  pointAt(databaseUrl: string): Promise<void>;
  /** The settings for a further program beside these. */
  settings: Record<string, string>;
}

/** Where its files are, its database, and settings for the programs. The address of the database has a password, which pgbouncer asks for. */
export interface FrontOptions {
  folder: string;
  databaseUrl: string;
  settings?: Record<string, string>;
}

/**
 * Starts on loopback what `deploy/` has in front of a database: pgbouncer, an S3 server, two `web`, two `worker`, and nginx with its
 * cache. Throws StartupError with one sentence if a package is missing; whatever had been started is stopped.
 */
export const startFront = (options: FrontOptions) => startTogether((start) => frontOf(start, options));

export async function frontOf(
  start: StartPart,
  { folder, databaseUrl, settings }: FrontOptions,
): Promise<Front> {
  const packages = findPackages();
  const place = (name: string) => join(folder, name);
  await mkdir(folder, { recursive: true });
  const ports = { pgbouncer: await freePort(), nginx: await freePort(), s3: await freePort() };
  const webPorts = [await freePort(), await freePort()] as const;

  let behind = databaseUrl;
  const pool = () => startPgbouncer(packages.pgbouncer, behind, ports.pgbouncer, place('pgbouncer'));
  const pgbouncer = await start('pgbouncer', pool);

  let s3Settings: Record<string, string> = {};
  const s3 = await start('S3 server', async () => {
    const process = await startS3Process(place('store'), ports.s3);
    s3Settings = process.settings;
    return { pid: process.pid, stop: process.kill, kill: process.kill };
  });

  const origin = `http://127.0.0.1:${ports.nginx}`;
  const pooled = pooledAt(databaseUrl, ports.pgbouncer);
  const programSettings = {
    DATABASE_URL: pooled,
    ...s3Settings,
    TRUST_PROXY: 'on',
    ORIGIN: origin,
    DRAIN_SECONDS: '5',
    KEYS_DIR: place('keys'),
    ...settings,
  };
  const program = (name: string, ROLE: string, PORT = 0) =>
    start(name, async () => {
      const own = { ROLE, PORT: String(PORT), DATA_DIR: place(name), METRICS_PORT: '0' };
      const { child, stop, kill } = await startProgram({ ...programSettings, ...own });
      return { pid: child.pid, stop, kill };
    });
  // All at once, as when machines are switched on: one of them migrates the database.
  const [web1, web2, worker1, worker2] = await allOf([
    program('web-1', 'web', webPorts[0]),
    program('web-2', 'web', webPorts[1]),
    program('worker-1', 'worker'),
    program('worker-2', 'worker'),
  ]);
  const proxy = () => startNginx(packages.nginx, [...webPorts], ports.nginx, place('nginx'));
  const nginx = await start('nginx', proxy);
  return {
    origin,
    pooled,
    webs: [web1, web2],
    webOrigins: [`http://127.0.0.1:${webPorts[0]}`, `http://127.0.0.1:${webPorts[1]}`],
    workers: [worker1, worker2],
    pgbouncer,
    nginx,
    s3,
    async pointAt(databaseUrl) {
      behind = databaseUrl;
      await pointPgbouncer(place('pgbouncer'), ports.pgbouncer, behind);
    },
    settings: programSettings,
  };
}
