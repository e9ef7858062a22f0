import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newKey } from './ids.ts';

export interface ReceivedFile {
  /** Unguessable; also the name of the file in the inbox. */
  key: string;
  /** On the local disk. */
  path: string;
  bytes: number;
  sha256: Buffer;
}

/** Something on the disk that may have outlived its row. */
export interface StoredName {
  key: string;
  changedAt: Date;
}

/**
 * Two places: the inbox holds bytes as they came, private and short-lived; media holds what we made of them,
 * one immutable folder an unguessable key, public.
 */
export interface Storage {
  receive(stream: Readable): Promise<ReceivedFile>;
  inboxPath(key: string): string;
  discard(key: string): Promise<void>;
  listInbox(): Promise<StoredName[]>;
  /** Runs `make` with a private folder to make files in; what it leaves there is removed. */
  inWorkspace<T>(make: (folder: string) => Promise<T>): Promise<T>;
  /** Removes workspaces that a killed process left. */
  sweepWorkspaces(before: Date): Promise<void>;
  /** Makes the files of a local folder public under `key`, all at once; a second time it changes nothing. */
  publish(key: string, folder: string): Promise<void>;
  remove(key: string): Promise<void>;
  listMedia(): AsyncIterable<StoredName>;
}

export interface DiskStorage extends Storage {
  mediaFolder: string;
}

/** Storage on a local disk, below `folder`. Fails where that folder cannot be written. */
export async function openDiskStorage(folder: string): Promise<DiskStorage> {
  const inbox = join(folder, 'inbox');
  const workspaces = join(folder, 'workspaces');
  const media = join(folder, 'media');
  for (const place of [inbox, workspaces, media]) await mkdir(place, { recursive: true, mode: 0o750 });
  // Two letters first, so that no folder grows without bound.
  const shelf = (key: string) => join(media, key.slice(0, 2));

  return {
    mediaFolder: media,
    inboxPath: (key) => join(inbox, key),
    async receive(stream) {
      const key = newKey();
      const path = join(inbox, key);
      const hash = createHash('sha256');
      let bytes = 0;
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          bytes += chunk.length;
          hash.update(chunk);
          done(null, chunk);
        },
      });
      try {
        await pipeline(stream, measure, createWriteStream(path, { flags: 'wx', flush: true, mode: 0o640 }));
      } catch (error) {
        await rm(path, { force: true });
        throw error;
      }
      return { key, path, bytes, sha256: hash.digest() };
    },
    discard: (key) => rm(join(inbox, key), { force: true }),
    listInbox: () => list(inbox),
    async inWorkspace(make) {
      const path = join(workspaces, newKey());
      await mkdir(path);
      try {
        return await make(path);
      } finally {
        await rm(path, { recursive: true, force: true });
      }
    },
    async sweepWorkspaces(before) {
      for (const { key, changedAt } of await list(workspaces)) {
        if (changedAt < before) await rm(join(workspaces, key), { recursive: true, force: true });
      }
    },
    async publish(key, made) {
      const target = join(shelf(key), key);
      await mkdir(shelf(key), { recursive: true, mode: 0o750 });
      try {
        await rename(made, target);
      } catch (error) {
        // Made before, by a try that was cut off after this step: files of one key are always of one source.
        if (!isCode(error, 'ENOTEMPTY') && !isCode(error, 'EEXIST')) throw error;
        await rm(made, { recursive: true, force: true });
      }
    },
    remove: (key) => rm(join(shelf(key), key), { recursive: true, force: true }),
    async *listMedia() {
      for (const letters of await readdir(media)) yield* await list(join(media, letters));
    },
  };
}

async function list(folder: string): Promise<StoredName[]> {
  const found: StoredName[] = [];
  for (const key of await readdir(folder)) {
    try {
      found.push({ key, changedAt: (await stat(join(folder, key))).mtime });
    } catch (error) {
      if (!isCode(error, 'ENOENT')) throw error;
    }
  }
  return found;
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
