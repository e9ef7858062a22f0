import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Storage } from '#server/platform/storage.ts';

/** Copies a file of the media store to a local path. */
export async function fetchFile(storage: Storage, key: string, name: string, path: string): Promise<void> {
  const file = await storage.find(key, name);
  if (!file) throw new Error(`${key} has no ${name}`);
  await pipeline(file.open(), createWriteStream(path));
}
