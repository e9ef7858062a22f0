import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from './database/tables.ts';
import { addCounts, deleteExpired } from './distributed-rate-limit.queries.ts';

/*
 * Requests of one address to one call, counted by all processes together (docs/decisions/0013-several-processes.md).
 * A process may run ahead of the others by an eighth of a limit: these are told to the database once a second. Who comes
 * after waits until what was gathered is written, and gets the exact count. So with P processes at most limit + P/8 of
 * it are let through in a window, and a caller who stays well below a limit costs no round trip.
 */
const aheadAtMost = (max: number) => Math.floor(max / 8);
const syncAfter = 1000;
const gatherFor = 5;
/** Nobody waits longer than this for a database that is in trouble, in milliseconds: what this process knows decides. */
const patience = 1000;
const entriesAtMost = 100_000;

export interface Count {
  /** Requests in the window, this one included. */
  current: number;
  /** Milliseconds until it ends. */
  endsIn: number;
}

interface Entry {
  key: Buffer;
  window: number;
  /** By this process' clock that never goes back. */
  endsAt: number;
  /** What all processes have told, as of the last time this one asked. */
  known: number;
  /** The same, without what this process told then. */
  knownBefore: number;
  /** Told, and not yet answered; not yet told. */
  telling: number;
  untold: number;
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
  let isInTrouble = false;
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
      if (entries.size < entriesAtMost && endsAt > now) break;
      entries.delete(oldest);
    }
    const key = createHmac('sha256', secret).update(name).digest().subarray(0, 16);
    const entry = { key, window, endsAt: now + window, known: 0, knownBefore: 0, telling: 0, untold: 0 };
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
    const [batch, heard] = [[...changed], waiting];
    changed.clear();
    waiting = [];
    for (const entry of batch) {
      entry.telling = entry.untold;
      entry.untold = 0;
    }
    try {
      const byKey = new Map(batch.map((entry) => [entry.key.toString('hex'), entry]));
      const added = batch.map(({ key, telling, window }) => ({ key, requests: telling, window }));
      for (const { key, requests, endsIn } of await addCounts(db, added)) {
        const entry = byKey.get(key.toString('hex'));
        if (!entry) continue;
        entry.known = requests;
        entry.knownBefore = requests - entry.telling;
        entry.endsAt = performance.now() + endsIn;
        entry.telling = 0;
      }
      isInTrouble = false;
    } catch {
      // What could not be told is told next time; whoever the database is needed for hears of its trouble.
      isInTrouble = true;
      for (const entry of batch) {
        entry.untold += entry.telling;
        entry.telling = 0;
        changed.add(entry);
      }
    }
    isWriting = false;
    for (const hear of heard) hear(!isInTrouble);
    if (waiting.length > 0) writeIn(gatherFor);
    else if (changed.size > 0) writeIn(syncAfter);
  }

  /** Resolves when what has been counted by now is written: true; or false where that did not happen in time. */
  function written(): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        isInTrouble = true;
        resolve(false);
      }, patience);
      waiting.push((isExact) => {
        clearTimeout(late);
        resolve(isExact);
      });
      writeIn(gatherFor);
    });
  }

  return {
    async add(name, window, max) {
      const entry = entryOf(name, window);
      const counted = (current: number): Count => ({
        current,
        endsIn: Math.max(0, Math.ceil(entry.endsAt - performance.now())),
      });
      const before = entry.known + entry.telling + entry.untold;
      // Refused already: that is known to all, and who goes on asking costs nothing.
      if (before >= max) return counted(before + 1);
      entry.untold += 1;
      changed.add(entry);
      const place = entry.untold;
      if (isInTrouble || entry.telling + entry.untold <= aheadAtMost(max)) {
        writeIn(syncAfter);
        return counted(before + 1);
      }
      const isExact = await written();
      // Those that were told together stand in the order in which they came.
      return counted(isExact ? entry.knownBefore + place : before + 1);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
      for (const hear of waiting.splice(0)) hear(false);
    },
  };
}

/** Forgets windows that are over. */
export function deleteExpiredCounts(db: Kysely<Tables>): Promise<void> {
  return deleteExpired(db);
}
