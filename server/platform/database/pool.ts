import type { PostgresPool, PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { Gauge } from 'prom-client';
import type { Metrics } from '../metrics.ts';
import type { HealthCheck } from './health-check.ts';

/** Longest time of a statement, and of the wait for a free connection, in milliseconds. */
const timeouts = { statement: 30_000, connection: 5_000 };

/** Health check and metrics. */
export interface PoolObservers {
  /** Reports when the database does not respond. */
  health?: HealthCheck;
  /** The pool reports its connections here. */
  metrics?: Metrics;
}

/**
 * Opens a connection pool. When `health` reports that the database does not respond, all open connections are closed, and
 * requests for a connection fail at once instead of waiting.
 */
export function openPool(url: string, connections: number, { health, metrics }: PoolObservers): PostgresPool {
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    max: connections,
    statement_timeout: timeouts.statement,
    connectionTimeoutMillis: timeouts.connection,
    keepAlive: true,
    application_name: 'jhalak',
    types: { getTypeParser },
  });
  const open = new Set<pg.Client>();
  const waiting = new Set<(reason: unknown) => void>();
  // The pool replaces broken connections, and a running statement fails by itself. Without a listener the event would end
  // the process.
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
            // The health check may have rejected this request in the meantime.
            if (waiting.has(reject)) resolve(client);
            else client.release(true);
          }, reject)
          .finally(() => waiting.delete(reject));
      }),
  };
}

/**
 * The same client with promises of our own. Through those of the driver (8.23) V8 keeps results that nobody uses any more until it collects all
 * garbage, and copies them in each short collection: for lists of 500 rows these took twice as long.
 */
class Client extends pg.Client {
  override query(...asked: unknown[]): never {
    const run = super.query.bind(this) as (...asked: unknown[]) => unknown;
    const [statement, values] = asked;
    // A cursor, or what brings its own callback.
    if (typeof statement !== 'string' || typeof asked.at(-1) === 'function') return run(...asked) as never;
    return new Promise((resolve, reject) => {
      run(statement, values, (error: unknown, result: unknown) => (error ? reject(error) : resolve(result)));
    }) as never;
  }
}

function measurePool(pool: pg.Pool, metrics: Metrics): void {
  const connections = new Gauge({
    name: 'jhalak_database_connections',
    help: 'Connections of this process: in use, idle, and statements that wait for a connection',
    labelNames: ['state'],
    registers: [metrics.registry],
  });
  metrics.sample('database connections', [connections], () => {
    connections.set({ state: 'in_use' }, pool.totalCount - pool.idleCount);
    connections.set({ state: 'idle' }, pool.idleCount);
    connections.set({ state: 'waiting' }, pool.waitingCount);
  });
}

/** Reads bigint as number, and throws above 2^53 instead of rounding. */
const getTypeParser: typeof pg.types.getTypeParser = (oid: number, format?: 'text' | 'binary') => {
  if (oid === pg.types.builtins.INT8 && format !== 'binary') return asSafeInteger;
  return pg.types.getTypeParser(oid, format as 'text');
};

function asSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is beyond what a number holds exactly`);
  return value;
}
