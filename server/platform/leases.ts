import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { v7 } from 'uuid';
import type { Tables } from './database/tables.ts';
import * as queries from './leases.queries.ts';

/** Interval of heartbeats, and of attempts to acquire a held lease, in milliseconds. */
const renewEvery = 1000;
const retryEvery = 100;

interface Waiting {
  /** Stops the wait when it is aborted. */
  signal?: AbortSignal;
  /** Longest wait in milliseconds. */
  timeout?: number;
  /** Called once when another process waits for the lease, or when the lease is lost: the holder should finish soon. */
  wanted?: () => void;
}

/**
 * Locks that work across processes. A lease is a row that its holder renews by heartbeats; it expires fifteen seconds after
 * the last one. Holding a lease uses no database connection.
 */
export interface Leases {
  /** Waits for the lease `name`; returns a function that releases it, or undefined if it did not become free in time. */
  take(name: string, waiting?: Waiting): Promise<(() => Promise<void>) | undefined>;
}

export function openLeases(db: Kysely<Tables>): Leases {
  return {
    async take(name, { signal, timeout = 30_000, wanted } = {}) {
      const holder = v7();
      const until = performance.now() + timeout;
      while (!(await queries.take(db, name, holder))) {
        if (signal?.aborted || performance.now() > until) return undefined;
        await queries.want(db, name);
        await sleep(retryEvery);
      }
      let isHeld = true;
      let isNotified = false;
      const renewing = setInterval(async () => {
        // If the database fails, the next heartbeat may still be in time.
        const isWanted = await queries.renew(db, name, holder).catch(() => false);
        if (!isHeld || isWanted === false) return;
        if (isWanted === undefined) clearInterval(renewing);
        // The lease stays with the holder until its work has ended.
        if (!isNotified) wanted?.();
        isNotified = true;
      }, renewEvery);
      renewing.unref();
      return async () => {
        isHeld = false;
        clearInterval(renewing);
        await queries.release(db, name, holder);
      };
    },
  };
}

/** For the start of a single process: all existing leases belong to a process that was killed. */
export function releaseAll(db: Kysely<Tables>): Promise<void> {
  return queries.deleteAll(db);
}

/** Deletes leases of processes that were killed. */
export function deleteExpiredLeases(db: Kysely<Tables>): Promise<void> {
  return queries.deleteEnded(db);
}
