import { mkdir, readdir, readFile, rename, rm, stat, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { undefinedIfMissing } from './files.ts';
import { newKey } from './ids.ts';
import { storageFull } from './transient-errors.ts';

/** What is reserved at a time for a file whose length nobody knows. */
export const reservationStep = 8 * 1024 * 1024;
/** So much of what was handed to the disk last may still be on its way there. */
const onTheWay = 1024 * 1024;
/** A process renews its entry this often, in milliseconds; an entry that is older than the second figure is a dead process'. */
const renewEvery = 10_000;
const deadAfter = 60_000;

/** Room on a disk for one file, or for one folder of files, that grows. */
export interface Reservation {
  /** Makes sure that there is room for so many bytes in all; throws `storage_full` where there is not. */
  cover(total: number): Promise<void>;
  /** So many bytes in all have been written: the disk's own figure counts them from here on. */
  wrote(total: number): void;
  /** Ends the reservation; what was written stays. */
  release(): void;
}

/** Who may write how much to a disk, so that the same free bytes are never given to two. */
export interface DiskSpace {
  /** Throws `storage_full` where so many bytes would not fit now; reserves nothing. */
  look(bytes: number): Promise<void>;
  open(): Reservation;
  close(): Promise<void>;
}

/** Room without a bound, for whoever has a disk to themselves. */
export const unlimitedDiskSpace: DiskSpace = {
  look: async () => undefined,
  open: () => ({ cover: async () => undefined, wrote: () => undefined, release: () => undefined }),
  close: async () => undefined,
};

interface Held {
  covered: number;
  written: number;
}

/**
 * Keeps `reserve` bytes free on the disk under `folder`. Every process that works in that folder writes what it has reserved
 * and not yet written into a file there, first, and only then looks at the files of the others and at the disk: of two that
 * ask at the same moment at least one sees the other, so that both together never get more than there is
 * (docs/decisions/0027-fair-media.md).
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

  /** One after the other, so that two askers of this process are not both refused for each other's sake. */
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
      await mkdir(ledger, { recursive: true, mode: 0o750 });
      // Whoever reads it finds the figure before or the figure after, and never half of one.
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
      if (Date.now() - facts.mtimeMs > deadAfter) await rm(path, { force: true });
      else if (!name.endsWith('.new')) sum += Number((await undefinedIfMissing(readFile(path, 'utf8'))) ?? 0);
    }
    return sum;
  }

  /** Refuses where `more` bytes do not fit beside all that is reserved. What is reserved is read before what is free. */
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
    look: (bytes) => inOrder(() => refuseBeyond(bytes)),
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
          mine.written = total - onTheWay;
        },
        release() {
          held.delete(mine);
          // Where it cannot be written now, the next renewal says it.
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

/** Lets a stream through as far as there is room for it; `announced` bytes are reserved before the first, if it is known. */
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
