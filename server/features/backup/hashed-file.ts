import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hashingStream, isCode, makeFolder } from '#server/platform/files.ts';

export interface Hashed {
  sha256: string;
  bytes: number;
}

/** Writes what `open` reads to a new file with fsync, readable by its owner only; after an error there is no file. */
export async function writeHashed(
  path: string,
  open: () => Readable | Promise<Readable>,
  ...stages: Transform[]
): Promise<Hashed> {
  await makeFolder(dirname(path), 0o700);
  const { through, digest } = hashingStream();
  // Opened here and not earlier: an error of a stream without a listener ends the process.
  const source = await open();
  const target = createWriteStream(path, { flags: 'wx', flush: true, mode: 0o600 });
  try {
    await pipeline([source, ...stages, through, target]);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) await rm(path, { force: true });
    throw error;
  }
  const { bytes, sha256 } = digest();
  return { bytes, sha256: sha256.toString('hex') };
}
