import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type DiskSpace, within } from '../disk-space.ts';
import { hashingStream, undefinedIfMissing } from '../files.ts';
import { newKey } from '../ids.ts';
import type { Workspaces } from '../storage.ts';

/** Bytes reserved in advance for a workspace; an encoder writes less between two checks. */
const headroom = 16 * 1024 * 1024;
const checkEvery = 500;

/** Writes a stream durably to a new file; an interrupted stream leaves no file. */
export async function writeNew(
  path: string,
  stream: Readable,
  room: DiskSpace,
  announced?: number,
): Promise<{ bytes: number; sha256: Buffer }> {
  const { through, digest } = hashingStream();
  const reservation = room.open();
  try {
    const file = createWriteStream(path, { flags: 'wx', flush: true, mode: 0o640 });
    await pipeline(stream, within(reservation, announced), through, file);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    reservation.release();
  }
  return digest();
}

/** Writes a whole chunk at a position of an open file; a single write may write less. */
export async function writeAll(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let written = 0; written < chunk.length; )
    written += (await file.write(chunk, written, chunk.length - written, position + written)).bytesWritten;
}

/** Workspaces as subfolders of `folder`. */
export function workspacesIn(folder: string, room: DiskSpace): Workspaces {
  return {
    async inWorkspace(make, bytes = headroom) {
      const path = join(folder, newKey());
      const reservation = room.open();
      const full = new AbortController();
      let isLooking = false;
      async function look() {
        if (isLooking) return;
        isLooking = true;
        try {
          const there = (await entriesOf(path)).reduce((sum, file) => sum + file.bytes, 0);
          reservation.wrote(there);
          await reservation.cover(Math.max(bytes, there + headroom));
        } catch (error) {
          full.abort(error);
        }
        isLooking = false;
      }
      let looking: NodeJS.Timeout | undefined;
      try {
        await reservation.cover(bytes);
        await mkdir(path);
        looking = setInterval(look, checkEvery);
        return await make(path, full.signal);
      } catch (error) {
        throw full.signal.aborted ? full.signal.reason : error;
      } finally {
        clearInterval(looking);
        await rm(path, { recursive: true, force: true });
        reservation.release();
      }
    },
    async sweepWorkspaces(before) {
      for (const { name, changedAt } of await entriesOf(folder)) {
        if (changedAt < before) await rm(join(folder, name), { recursive: true, force: true });
      }
    },
  };
}

interface Entry {
  name: string;
  isFolder: boolean;
  bytes: number;
  changedAt: Date;
}

/** The entries of a folder, without those that are deleted in the meantime. */
export async function entriesOf(folder: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const name of (await undefinedIfMissing(readdir(folder))) ?? []) {
    const facts = await undefinedIfMissing(stat(join(folder, name)));
    if (facts)
      entries.push({ name, isFolder: facts.isDirectory(), bytes: facts.size, changedAt: facts.mtime });
  }
  return entries;
}
