import { chownSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { commandAs, postgresUser } from '#server/platform/database/postgres-user.ts';
import { type Guarded, startGuarded } from './guarded.ts';
import { filled } from './template.ts';

/** Starts pgbouncer at `port` in front of the database at `url`, with the settings of `deploy/pgbouncer`. */
export async function startPgbouncer(
  program: string,
  url: string,
  port: number,
  folder: string,
): Promise<Guarded> {
  await mkdir(folder, { recursive: true });
  const settings = await writeSettings(folder, port, url);
  const { username, password } = new URL(url);
  const quoted = (part: string) => `"${decodeURIComponent(part).replaceAll('"', '""')}"`;
  const users = join(folder, 'userlist.txt');
  await writeFile(users, `${quoted(username)} ${quoted(password)}\n`, { mode: 0o600 });
  // It refuses to run as root.
  const user = postgresUser(folder);
  if (user) for (const path of [folder, users, settings]) chownSync(path, user.uid, user.gid);
  const command = commandAs(user, [program, settings]);
  const isReady = () => answers(pooledAt(url, port));
  return await startGuarded('pgbouncer', command, join(folder, 'pgbouncer.log'), isReady);
}

/** Switches the pgbouncer at `port` to the database at `url`; its clients stay connected. */
export async function pointPgbouncer(folder: string, port: number, url: string): Promise<void> {
  await writeSettings(folder, port, url);
  await query(through(url, port, 'pgbouncer'), 'reload');
}

async function writeSettings(folder: string, port: number, url: string): Promise<string> {
  const { hostname, port: behind, pathname } = new URL(url);
  const settings = join(folder, 'pgbouncer.ini');
  const values = {
    POSTGRES_HOST: hostname,
    POSTGRES_PORT: behind,
    POSTGRES_DB: decodeURIComponent(pathname.slice(1)),
    LISTEN_ADDR: '127.0.0.1',
    LISTEN_PORT: port,
    AUTH_FILE: join(folder, 'userlist.txt'),
  };
  await writeFile(settings, await filled('pgbouncer/pgbouncer.ini.template', values));
  return settings;
}

/** The address of the database at `url` through the pgbouncer at `port`. */
export const pooledAt = (url: string, port: number) => through(url, port, 'jhalak');

function through(url: string, port: number, database: string): string {
  const other = new URL(url);
  other.port = String(port);
  other.pathname = `/${database}`;
  return other.href;
}

/** Runs one query on a new connection. */
export async function query(url: string, statement: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query(statement)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const answers = (url: string) =>
  query(url, 'select 1').then(
    () => true,
    () => false,
  );
