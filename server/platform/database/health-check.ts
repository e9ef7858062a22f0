import pg from 'pg';
import { DatabaseUnresponsive } from './availability.ts';

/** How often the database is asked for a sign of life, and after how many of these turns without an answer it is silent. */
const turn = 250;
const turnsAtMost = 4;

export interface HealthCheck {
  /** What is told to whoever asks something of a silent database; undefined while it answers. */
  readonly failure: DatabaseUnresponsive | undefined;
  /** Has `listener` told of every failure as it begins, and of its end (undefined). */
  onChange(listener: (failure: DatabaseUnresponsive | undefined) => void): void;
  stop(): void;
}

/**
 * Asks the database at `url` for a sign of life on a connection of its own, so that a statement may take its time while a
 * database that has stopped answering is known within a second or so. A broken connection alone is no failure: it counts
 * when the next one cannot be made.
 */
export function startHealthCheck(url: string): HealthCheck {
  const listeners: ((failure: DatabaseUnresponsive | undefined) => void)[] = [];
  let failure: DatabaseUnresponsive | undefined;
  let client: pg.Client | undefined;
  let asking = false;
  let missed = 0;
  let stopped = false;

  function conclude(next: DatabaseUnresponsive | undefined): void {
    // What a question comes to that was cut off by us says nothing of the database.
    if (stopped || (failure === undefined) === (next === undefined)) return;
    failure = next;
    for (const listener of listeners) listener(next);
  }
  function hangUp(): void {
    client?.connection.stream.destroy();
    client = undefined;
  }

  async function ask(): Promise<void> {
    if (!client) {
      const fresh = new pg.Client({
        connectionString: url,
        connectionTimeoutMillis: turn * turnsAtMost,
        application_name: 'jhalak health',
      });
      fresh.on('error', () => undefined);
      client = fresh;
      await fresh.connect();
    }
    await client.query('select 1');
  }

  async function takeTurn(): Promise<void> {
    const wasConnected = client !== undefined;
    try {
      await ask().catch(async (error: unknown) => {
        hangUp();
        if (stopped || !wasConnected || missed >= turnsAtMost) throw error;
        await ask();
      });
      conclude(undefined);
    } catch (error) {
      hangUp();
      conclude(new DatabaseUnresponsive(error));
    }
  }

  // Turns are counted and not time: a process that was held up itself reads what has arrived before it counts on.
  const timer = setInterval(async () => {
    if (!asking) {
      asking = true;
      missed = 0;
      await takeTurn();
      asking = false;
      return;
    }
    missed += 1;
    if (missed < turnsAtMost) return;
    hangUp();
    conclude(new DatabaseUnresponsive());
  }, turn);

  return {
    get failure() {
      return failure;
    },
    onChange: (listener) => listeners.push(listener),
    stop() {
      stopped = true;
      clearInterval(timer);
      hangUp();
    },
  };
}
