import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** The metadata of an object. */
interface Head {
  etag: string;
  type: string;
  cacheControl: string | undefined;
}

export interface StoredObject extends Head {
  key: string;
  size: number;
  modifiedAt: Date;
  read(from: number, to: number): Readable;
}

/**
 * The objects of one bucket, each one file of `folder`: a line of metadata, and the bytes. A file is complete or missing,
 * also after a kill.
 */
export async function openObjects(folder: string) {
  const arriving = join(folder, 'arriving');
  const there = join(folder, 'objects');
  for (const place of [arriving, there]) await mkdir(place, { recursive: true });
  const pathOf = (key: string) => join(there, encodeURIComponent(key));

  async function find(key: string): Promise<StoredObject | undefined> {
    const path = pathOf(key);
    const file = await open(path).catch(() => undefined);
    if (!file) return undefined;
    try {
      const { size: whole, mtime: modifiedAt } = await file.stat();
      const { buffer, bytesRead } = await file.read(Buffer.alloc(1000), 0, 1000, 0);
      const line = buffer.subarray(0, bytesRead).indexOf('\n');
      const head = JSON.parse(buffer.toString('utf8', 0, line)) as Head;
      const begin = line + 1;
      const read = (from: number, to: number) =>
        createReadStream(path, { start: begin + from, end: begin + to - 1 });
      return { ...head, key, size: whole - begin, modifiedAt, read };
    } finally {
      await file.close();
    }
  }

  return {
    find,
    /** Stores an object if its size and, if given, `sha256` match. */
    async put(
      key: string,
      head: Omit<Head, 'etag'>,
      bytes: Readable,
      size: number,
      sha256: string,
    ): Promise<string | undefined> {
      const path = join(arriving, randomUUID());
      const etag = `"${randomUUID().replaceAll('-', '')}"`;
      const hash = createHash('sha256');
      let came = 0;
      const measure = new Transform({
        transform(chunk: Buffer, _encoding, done) {
          came += chunk.length;
          hash.update(chunk);
          done(null, chunk);
        },
      });
      try {
        const file = createWriteStream(path);
        file.write(`${JSON.stringify({ ...head, etag })}\n`);
        await pipeline(bytes, measure, file);
        if (came !== size || (sha256 !== 'UNSIGNED-PAYLOAD' && sha256 !== hash.digest('hex')))
          return undefined;
        await rename(path, pathOf(key));
        return etag;
      } finally {
        await rm(path, { force: true });
      }
    },
    remove: (key: string) => rm(pathOf(key), { force: true }),
    /** Keys in byte order. */
    async keys(prefix: string): Promise<string[]> {
      const keys = (await readdir(there)).map((name) => decodeURIComponent(name));
      return keys
        .filter((key) => key.startsWith(prefix))
        .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    },
  };
}
