import { setTimeout as sleep } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import { v7 } from 'uuid';
import type { Tables } from './database/tables.ts';
import * as queries from './leases.queries.ts';

/** Signs of life, and looks whether it is free now, in milliseconds. */
const renewEvery = 1000;
const lookEvery = 100;

interface Waiting {
  /** Gives up waiting. */
  signal?: AbortSignal;
  /** Longest to wait, in milliseconds. */
  patience?: number;
  /** Called once when somebody else waits for it, or when it has been lost: whoever holds it should end. */
  wanted?: () => void;
}

/**
 * What one at a time may do, in whichever process: a row that its holder keeps alive, and that is free again fifteen
 * seconds after the holder's last sign of life. No connection is held meanwhile.
 */
export interface Leases {
  /** Waits until nobody else holds `name`; returns what lets go of it, or undefined where it did not become free in time. */
  take(name: string, waiting?: Waiting): Promise<(() => Promise<void>) | undefined>;
}

export function openLeases(db: Kysely<Tables>): Leases {
  return {
    async take(name, { signal, patience = 30_000, wanted } = {}) {
      const holder = v7();
      const until = performance.now() + patience;
      while (!(await queries.take(db, name, holder))) {
        if (signal?.aborted || performance.now() > until) return undefined;
        await queries.want(db, name);
        await sleep(lookEvery);
      }
      let isHeld = true;
      let isTold = false;
      const renewing = setInterval(async () => {
        // A database in trouble says nothing of who waits; the next sign of life may reach it in time.
        const isWanted = await queries.renew(db, name, holder).catch(() => false);
        if (!isHeld || isWanted === false) return;
        if (isWanted === undefined) clearInterval(renewing);
        // Whoever is wanted holds it until the work has ended.
        if (!isTold) wanted?.();
        isTold = true;
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

/** At the start of the only process there is: whatever is held, a killed one held. */
export function releaseAll(db: Kysely<Tables>): Promise<void> {
  return queries.deleteAll(db);
}

/** Forgets what a killed process held. */
export function deleteExpiredLeases(db: Kysely<Tables>): Promise<void> {
  return queries.deleteEnded(db);
}
