import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from './database/tables.ts';
import { addCounts, deleteExpired } from './distributed-rate-limit.queries.ts';

/*
 * Rate limits that all processes count together (docs/decisions/0013-several-processes.md). A process may count up to an eighth of a limit
 * locally, and writes these counts to the database once a second. Above that, a request waits until a batch of counts is written, and gets
 * the exact total. So each process exceeds the limit by at most an eighth, and clients far below a limit cost no database query.
 */
const maxLocal = (max: number) => Math.floor(max / 8);
/** In milliseconds: how long counts stay local, and how long a batch collects counts that wait for the exact total. */
const syncAfter = 1000;
const batchFor = 5;
/** Longest wait for the database, in milliseconds; after that the local count decides. */
const timeout = 1000;
const maxEntries = 100_000;

export interface Count {
  /** Requests in the window, including this one. */
  current: number;
  /** Milliseconds until the window ends. */
  endsIn: number;
}

interface Entry {
  key: Buffer;
  window: number;
  /** A time of this process' monotonic clock. */
  endsAt: number;
  /** The total of all processes after the last write of this process, and before it. */
  confirmed: number;
  confirmedBefore: number;
  /** Local counts that are being written now. */
  inFlight: number;
  /** Local counts that are not written yet. */
  pending: number;
}

export interface DistributedRateLimit {
  add(name: string, window: number, max: number): Promise<Count>;
  close(): void;
}

export function openDistributedRateLimit(db: Kysely<Tables>, secret: Buffer): DistributedRateLimit {
  const entries = new Map<string, Entry>();
  const changed = new Set<Entry>();
  let waiting: ((isExact: boolean) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let due = Number.POSITIVE_INFINITY;
  let isWriting = false;
  let isFailing = false;
  let isClosed = false;

  function entryOf(name: string, window: number): Entry {
    const now = performance.now();
    const known = entries.get(name);
    if (known && known.endsAt > now) return known;
    if (known) {
      entries.delete(name);
      changed.delete(known);
    }
    for (const [oldest, { endsAt }] of entries) {
      if (entries.size < maxEntries && endsAt > now) break;
      entries.delete(oldest);
    }
    const key = keyOf(secret, name);
    const entry = {
      key,
      window,
      endsAt: now + window,
      confirmed: 0,
      confirmedBefore: 0,
      inFlight: 0,
      pending: 0,
    };
    entries.set(name, entry);
    return entry;
  }

  function writeIn(milliseconds: number): void {
    const at = performance.now() + milliseconds;
    if (isWriting || isClosed || at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(write, milliseconds);
    timer.unref();
  }

  async function write(): Promise<void> {
    isWriting = true;
    due = Number.POSITIVE_INFINITY;
    const [batch, callbacks] = [[...changed], waiting];
    changed.clear();
    waiting = [];
    for (const entry of batch) {
      entry.inFlight = entry.pending;
      entry.pending = 0;
    }
    try {
      const byKey = new Map(batch.map((entry) => [entry.key.toString('hex'), entry]));
      const added = batch.map(({ key, inFlight, window }) => ({ key, requests: inFlight, window }));
      for (const { key, requests, endsIn } of await addCounts(db, added)) {
        const entry = byKey.get(key.toString('hex'));
        if (!entry) continue;
        entry.confirmed = requests;
        entry.confirmedBefore = requests - entry.inFlight;
        entry.endsAt = performance.now() + endsIn;
        entry.inFlight = 0;
      }
      isFailing = false;
    } catch {
      // These counts are written next time. Requests that need the database report the failure themselves.
      isFailing = true;
      for (const entry of batch) {
        entry.pending += entry.inFlight;
        entry.inFlight = 0;
        changed.add(entry);
      }
    }
    isWriting = false;
    for (const callback of callbacks) callback(!isFailing);
    if (waiting.length > 0) writeIn(batchFor);
    else if (changed.size > 0) writeIn(syncAfter);
  }

  /** Resolves to true when all counts up to now are written, or to false after the timeout or a failure. */
  function written(): Promise<boolean> {
    return new Promise((resolve) => {
      const timeoutTimer = setTimeout(() => {
        isFailing = true;
        resolve(false);
      }, timeout);
      waiting.push((isExact) => {
        clearTimeout(timeoutTimer);
        resolve(isExact);
      });
      writeIn(batchFor);
    });
  }

  return {
    async add(name, window, max) {
      const entry = entryOf(name, window);
      const counted = (current: number): Count => ({
        current,
        endsIn: Math.max(0, Math.ceil(entry.endsAt - performance.now())),
      });
      const before = entry.confirmed + entry.inFlight + entry.pending;
      // Above the limit already: further requests need neither counting nor a query.
      if (before >= max) return counted(before + 1);
      entry.pending += 1;
      changed.add(entry);
      const position = entry.pending;
      if (isFailing || entry.inFlight + entry.pending <= maxLocal(max)) {
        writeIn(syncAfter);
        return counted(before + 1);
      }
      const isExact = await written();
      // Requests of one batch are counted in the order of their arrival.
      return counted(isExact ? entry.confirmedBefore + position : before + 1);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const callback of waiting.splice(0)) callback(false);
    },
  };
}

/** Names may contain addresses, which are not stored. */
const keyOf = (secret: Buffer, name: string) =>
  createHmac('sha256', secret).update(name).digest().subarray(0, 16);

/** The counters of all processes, and the secret that hashes their names. */
export interface Counters {
  db: Kysely<Tables>;
  secret: Buffer;
}

/** Counts in the database at once and returns the exact total, for long windows. A negative number takes requests back. */
export async function countNow(
  { db, secret }: Counters,
  name: string,
  { window, requests = 1 }: { window: number; requests?: number },
): Promise<Count> {
  const [counted] = await addCounts(db, [{ key: keyOf(secret, name), requests, window }]);
  if (!counted) throw new Error('a counter returned no row');
  return { current: counted.requests, endsIn: counted.endsIn };
}

/** Deletes windows that have ended. */
export function deleteExpiredCounts(db: Kysely<Tables>): Promise<void> {
  return deleteExpired(db);
}
