import { createWriteStream } from 'node:fs';
import { type FileHandle, mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hashing, unlessGone } from '../files.ts';
import { newKey } from '../ids.ts';
import type { Workspaces } from '../storage.ts';

/** Writes a stream to a new file, to the disk for good; what breaks off leaves none. */
export async function writeNew(path: string, stream: Readable): Promise<{ bytes: number; sha256: Buffer }> {
  const { through, told } = hashing();
  try {
    await pipeline(stream, through, createWriteStream(path, { flags: 'wx', flush: true, mode: 0o640 }));
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
  return told();
}

/** Writes all of a chunk at a place of an open file; a disk may take less at once. */
export async function writeAll(file: FileHandle, chunk: Uint8Array, place: number): Promise<void> {
  for (let done = 0; done < chunk.length; )
    done += (await file.write(chunk, done, chunk.length - done, place + done)).bytesWritten;
}

/** Workspaces in `folder`, each a name of its own. */
export function workspacesIn(folder: string): Workspaces {
  return {
    async inWorkspace(make) {
      const path = join(folder, newKey());
      await mkdir(path);
      try {
        return await make(path);
      } finally {
        await rm(path, { recursive: true, force: true });
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

/** What is in a folder; what goes while it is looked at is left out. */
export async function entriesOf(folder: string): Promise<Entry[]> {
  const found: Entry[] = [];
  for (const name of (await unlessGone(readdir(folder))) ?? []) {
    const facts = await unlessGone(stat(join(folder, name)));
    if (facts) found.push({ name, isFolder: facts.isDirectory(), bytes: facts.size, changedAt: facts.mtime });
  }
  return found;
}
