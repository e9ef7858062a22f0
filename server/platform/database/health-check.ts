import pg from 'pg';
import { DatabaseUnresponsive } from './availability.ts';

/**
 * Interval of the checks in milliseconds, and the number of intervals without a response after which the database counts as unresponsive.
 * While the program starts it waits longer: no requests wait yet, and a migration whose connection is closed starts from the beginning.
 */
const interval = 250;
const maxMissedAtStart = 120;
const maxMissedLater = 4;

export interface HealthCheck {
  /** The error for all queries while the database does not respond; undefined while it does. */
  readonly failure: DatabaseUnresponsive | undefined;
  /** Calls `listener` when a failure begins, and with undefined when it ends. */
  onChange(listener: (failure: DatabaseUnresponsive | undefined) => void): void;
  /** Ends the start: requests wait for the database from now on, so it counts as unresponsive after a second, not after thirty. */
  endStart(): void;
  stop(): void;
}

/**
 * Checks the database at `url` on its own connection, so that slow statements are allowed while an unresponsive database is
 * detected within about a second (once `endStart` was called). A broken connection alone is no failure: it counts only if no new one can be made.
 */
export function startHealthCheck(url: string): HealthCheck {
  const listeners: ((failure: DatabaseUnresponsive | undefined) => void)[] = [];
  let failure: DatabaseUnresponsive | undefined;
  let client: pg.Client | undefined;
  let asking = false;
  let missed = 0;
  let maxMissed = maxMissedAtStart;
  let stopped = false;

  function conclude(next: DatabaseUnresponsive | undefined): void {
    // After stop() a failed check does not mean that the database failed, since its connection was closed.
    if (stopped || (failure === undefined) === (next === undefined)) return;
    failure = next;
    for (const listener of listeners) listener(next);
  }
  function disconnect(): void {
    client?.connection.stream.destroy();
    client = undefined;
  }

  async function ping(): Promise<void> {
    if (!client) {
      const fresh = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: interval * maxMissed,
        application_name: 'jhalak health',
      });
      fresh.on('error', () => undefined);
      client = fresh;
      await fresh.connect();
    }
    await client.query('select 1');
  }

  async function check(): Promise<void> {
    const wasConnected = client !== undefined;
    try {
      await ping().catch(async (error: unknown) => {
        disconnect();
        if (stopped || !wasConnected || missed >= maxMissed) throw error;
        await ping();
      });
      conclude(undefined);
    } catch (error) {
      disconnect();
      conclude(new DatabaseUnresponsive(error));
    }
  }

  // Intervals are counted instead of time: a process that was blocked itself first reads responses that have arrived.
  const timer = setInterval(async () => {
    if (!asking) {
      asking = true;
      missed = 0;
      await check();
      asking = false;
      return;
    }
    missed += 1;
    if (missed < maxMissed) return;
    disconnect();
    conclude(new DatabaseUnresponsive());
  }, interval);

  return {
    get failure() {
      return failure;
    },
    onChange: (listener) => listeners.push(listener),
    endStart() {
      maxMissed = maxMissedLater;
    },
    stop() {
      stopped = true;
      clearInterval(timer);
      disconnect();
    },
  };
}
