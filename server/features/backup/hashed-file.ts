import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export interface Hashed {
  sha256: string;
  bytes: number;
}

/** Writes what `open` reads to a new file, to the disk for good, for its owner's eyes only; what fails leaves none. */
export async function writeHashed(
  path: string,
  open: () => Readable | Promise<Readable>,
  ...stages: Transform[]
): Promise<Hashed> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const { hash, told } = hashing();
  // Opened here and not before: a stream that fails while nobody listens ends the process.
  const source = await open();
  const target = createWriteStream(path, { flags: 'wx', flush: true, mode: 0o600 });
  try {
    await pipeline([source, ...stages, hash, target]);
  } catch (error) {
    if (!isCode(error, 'EEXIST')) await rm(path, { force: true });
    throw error;
  }
  return told();
}

export function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** What the bytes of a file are. */
export async function hashOf(path: string): Promise<Hashed> {
  const { hash, told } = hashing();
  await pipeline(createReadStream(path), hash.resume());
  return told();
}

function hashing() {
  const sha = createHash('sha256');
  let bytes = 0;
  const hash = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      sha.update(chunk);
      done(null, chunk);
    },
  });
  return { hash, told: (): Hashed => ({ sha256: sha.digest('hex'), bytes }) };
}
