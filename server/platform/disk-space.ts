import { readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder, undefinedIfMissing } from './files.ts';
import { newKey } from './ids.ts';
import { storageFull } from './transient-errors.ts';

/** Bytes that are reserved at a time for a file of unknown length. */
export const reservationStep = 8 * 1024 * 1024;
/** Recently written bytes may still be in buffers and missing in the disk's figure. */
const unflushed = 1024 * 1024;
/** Interval in which a process renews its entry, and the age from which an entry belongs to a dead process; in milliseconds. */
const renewEvery = 10_000;
const expiresAfter = 60_000;

/** Reserved disk space for one growing file or folder. */
export interface Reservation {
  /** Reserves space for this many bytes in total; throws `storage_full` if the disk has less. */
  cover(total: number): Promise<void>;
  /** Reports the bytes written in total, which the disk's own figure contains from now on. */
  wrote(total: number): void;
  /** Ends the reservation; written files stay. */
  release(): void;
}

/** Reservations of disk space, so that two writers never get the same free bytes. */
export interface DiskSpace {
  /** Throws `storage_full` if this many bytes would not fit now; reserves nothing. */
  check(bytes: number): Promise<void>;
  open(): Reservation;
  close(): Promise<void>;
}

/** Disk space without limits, for programs that have a disk for themselves. */
export const unlimitedDiskSpace: DiskSpace = {
  check: async () => undefined,
  open: () => ({ cover: async () => undefined, wrote: () => undefined, release: () => undefined }),
  close: async () => undefined,
};

interface Held {
  covered: number;
  written: number;
}

/**
 * Keeps `reserve` bytes free on the disk under `folder`. Each process first writes the size of its own reservations into a file
 * there, and only then reads the files of other processes and the free space. So of two processes that reserve at the same
 * moment at least one sees the other, and together they never get more than there is (docs/decisions/0027-fair-media.md).
 */
export function openDiskSpace(
  folder: string,
  reserve: number,
  freeBytes: () => Promise<number> = () => freeUnder(folder),
): DiskSpace {
  const ledger = join(folder, 'reservations');
  const entry = join(ledger, newKey());
  const held = new Set<Held>();
  let last: Promise<unknown> = Promise.resolve();
  let isKnown = false;
  let isClosed = false;

  const unwritten = () =>
    [...held].reduce((sum, { covered, written }) => sum + Math.max(0, covered - Math.max(0, written)), 0);

  /** Runs reservations sequentially, so that two parallel ones in this process do not refuse each other. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work);
    last = next.catch(() => undefined);
    return next;
  }

  async function announce(bytes: number): Promise<void> {
    if (bytes === 0 && !isKnown) return;
    isKnown = bytes > 0;
    if (bytes === 0) await rm(entry, { force: true });
    else {
      await makeFolder(ledger, 0o750);
      // The rename is atomic, so that other processes never read half a number.
      await writeFile(`${entry}.new`, String(bytes), { mode: 0o640 });
      await rename(`${entry}.new`, entry);
    }
  }

  async function ofOthers(): Promise<number> {
    let sum = 0;
    for (const name of (await undefinedIfMissing(readdir(ledger))) ?? []) {
      const path = join(ledger, name);
      const facts = path === entry ? undefined : await undefinedIfMissing(stat(path));
      if (!facts) continue;
      if (Date.now() - facts.mtimeMs > expiresAfter) await rm(path, { force: true });
      else if (!name.endsWith('.new')) sum += Number((await undefinedIfMissing(readFile(path, 'utf8'))) ?? 0);
    }
    return sum;
  }

  /** Throws if `more` bytes do not fit beside all reservations. Reservations are read before the free space. */
  async function refuseBeyond(more: number): Promise<void> {
    const reserved = unwritten() + more;
    const others = await ofOthers();
    if ((await freeBytes()) - reserved - others < reserve) throw storageFull();
  }

  const renewing = setInterval(() => {
    if (isKnown) inOrder(() => announce(unwritten())).catch(() => undefined);
  }, renewEvery);
  renewing.unref();

  return {
    check: (bytes) => inOrder(() => refuseBeyond(bytes)),
    open() {
      const mine: Held = { covered: 0, written: 0 };
      held.add(mine);
      return {
        cover: (total) =>
          inOrder(async () => {
            const more = total - mine.covered;
            if (more <= 0 || !held.has(mine)) return;
            try {
              await announce(unwritten() + more);
              await refuseBeyond(more);
            } catch (error) {
              await announce(unwritten()).catch(() => undefined);
              throw error;
            }
            mine.covered = total;
          }),
        wrote(total) {
          mine.written = total - unflushed;
        },
        release() {
          held.delete(mine);
          // If the entry cannot be written now, the next renewal corrects it.
          if (!isClosed) inOrder(() => announce(unwritten())).catch(() => undefined);
        },
      };
    },
    async close() {
      isClosed = true;
      clearInterval(renewing);
      await inOrder(() => announce(0));
    },
  };
}

async function freeUnder(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** Passes a stream on while there is disk space for it; `announced` bytes are reserved before the first one. */
export function within(reservation: Reservation, announced = 0) {
  return async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let covered = announced || reservationStep;
    await reservation.cover(covered);
    let passed = 0;
    for await (const chunk of chunks) {
      if (passed + chunk.length > covered) {
        covered = passed + Math.max(chunk.length, reservationStep);
        await reservation.cover(covered);
      }
      yield chunk;
      passed += chunk.length;
      reservation.wrote(passed);
    }
  };
}
