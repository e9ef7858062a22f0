import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics.ts';
import type { HealthCheck } from './health-check.ts';

/** How long a statement and a wait for a free connection may take, in milliseconds. */
const patience = { statement: 30_000, connection: 5_000 };

/** Who looks on. */
export interface PoolObservers {
  /** Tells when the database is silent. */
  health?: HealthCheck;
  /** Counts the connections. */
  metrics?: Metrics;
}

/**
 * Connections to the database at `url`. Once `health` says that it is silent nobody waits: whoever wants a connection, or an
 * answer on one, is told at once.
 */
export function openPool(url: string, connections: number, { health, metrics }: PoolObservers): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    statement_timeout: patience.statement,
    connectionTimeoutMillis: patience.connection,
    keepAlive: true,
    application_name: 'jhalak',
    types: { getTypeParser },
  });
  const open = new Set<pg.Client>();
  const waiting = new Set<(reason: unknown) => void>();
  // A connection that breaks is replaced at the next use, and whoever uses it hears of it by their own statement; unheard,
  // the event would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    open.add(client as unknown as pg.Client);
  });
  pool.on('remove', (client) => open.delete(client as unknown as pg.Client));
  health?.onChange((failure) => {
    if (!failure) return;
    for (const client of open) client.connection.stream.destroy();
    for (const reject of waiting) reject(failure);
    waiting.clear();
  });
  if (metrics) measurePool(pool, metrics);

  return {
    options: pool.options,
    end: () => pool.end(),
    connect: () =>
      new Promise<PostgresPoolClient>((resolve, reject) => {
        if (health?.failure) return reject(health.failure);
        waiting.add(reject);
        pool
          .connect()
          .then((client) => {
            // Whoever waited for it has been told by now that the database is silent.
            if (waiting.has(reject)) resolve(client);
            else client.release(true);
          }, reject)
          .finally(() => waiting.delete(reject));
      }),
  };
}

function measurePool(pool: pg.Pool, metrics: Metrics): void {
  const connections = new Gauge({
    name: 'jhalak_database_connections',
    help: 'Connections of this process: in use, idle, and statements that wait for one',
    labelNames: ['state'],
    registers: [metrics.registry],
  });
  metrics.sample('database connections', [connections], () => {
    connections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'waiting' }, pool.waitingCount);
  });
}

/** bigint as number: a count beyond 2^53 is an error and not a rounding. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === pg.types.builtins.INT8 && format !== 'binary') return asSafeInteger;
  return pg.types.getTypeParser(oid, format as 'text');
};

function asSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond what a number holds exactly`);
  return value;
}
