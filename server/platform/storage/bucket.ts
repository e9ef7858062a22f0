import { createWriteStream } from 'node:fs';
import { rm, stat, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type DiskSpace, unlimitedDiskSpace, within } from '../disk-space.ts';
import { makeFolder, sha256Of } from '../files.ts';
import { newKey } from '../ids.ts';
import { storageUnavailable } from '../refusal.ts';
import { StartupError } from '../startup-error.ts';
import type { LocalFile, Storage } from '../storage.ts';
import { entriesOf, workspacesIn, writeNew } from './local-files.ts';
import { chainOf, lengthOf, type Piece, pieceName, pieceOf } from './pieces.ts';
import { createS3Client, type S3Answer, type S3Settings } from './s3-client.ts';
import { inPieces } from './spool.ts';

/** One public file. */
export interface PublicFile {
  key: string;
  file: string;
}

export interface BucketStorage extends Storage {
  kind: 's3';
  /** Scheme and host that signed addresses lead to. */
  publicOrigin: string;
  /** The store's response for one public file, by the range and the conditions in `headers`. */
  read(
    method: 'GET' | 'HEAD',
    file: PublicFile,
    headers: Record<string, string>,
    signal: AbortSignal,
  ): Promise<S3Answer>;
  /** A URL at which anybody can read one public file for `seconds` from `at` on; browsers save it as `saveAs`. */
  signedAddress(
    file: PublicFile & { saveAs: string | undefined },
    at: Date,
    seconds: number,
  ): Promise<string>;
}

/** The headers of a stored file's response. */
const types: Record<string, string> = {
  '.mp4': 'video/mp4',
  '.webp': 'image/webp',
  '.avif': 'image/avif',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.vtt': 'text/vtt; charset=utf-8',
};
const immutable = 'public, max-age=31536000, immutable';

/**
 * Storage in a bucket of an S3-compatible store (docs/decisions/0014-storage.md): `media/<key>/<name>` is a public file,
 * `inbox/<key>/<from>-<to>` a range of a file's bytes. `folder` contains only files that are being processed.
 */
export async function openBucketStorage(
  settings: S3Settings,
  folder: string,
  warn: (error: Error) => void,
  room: DiskSpace = unlimitedDiskSpace,
): Promise<BucketStorage> {
  const local = join(folder, 'workspaces');
  await makeFolder(local, 0o750);
  const s3 = createS3Client(settings);
  await check(settings, s3.probe, warn);

  /** Uploads a range of a file's bytes into the bucket. */
  const putPiece = (key: string, piece: Piece, file: { path: string; bytes: number; sha256: Buffer }) =>
    s3.put(`inbox/${key}/${pieceName(piece)}`, file);

  async function putPublic(name: string, { path, bytes }: { path: string; bytes: number }): Promise<void> {
    const headers = { 'content-type': typeOf(name), 'cache-control': immutable };
    await s3.put(name, { path, bytes, sha256: await sha256Of(path) }, headers);
  }

  async function piecesOf(key: string): Promise<Piece[]> {
    const pieces: Piece[] = [];
    for await (const { key: name } of s3.list(`inbox/${key}/`)) {
      const piece = pieceOf(name.slice(`inbox/${key}/`.length));
      if (piece) pieces.push(piece);
    }
    return pieces;
  }

  /** Appends a range of bytes to a local file of `length` bytes; bytes that it already has are skipped. */
  async function bring(key: string, piece: Piece, path: string, length: number): Promise<void> {
    const isThere = await s3.take(`inbox/${key}/${pieceName(piece)}`, async (body) => {
      await pipeline(
        body,
        skipping(length - piece.from),
        createWriteStream(path, { flags: 'r+', start: length }),
      );
      const { size } = await stat(path);
      if (size !== piece.to) throw new Error(`${key} ${pieceName(piece)} ends at ${size}`);
    });
    if (!isThere) throw storageUnavailable(new Error(`${key} ${pieceName(piece)} is not there any more`));
  }

  /** Removes objects; all are tried, even if one fails. */
  async function removeAll(prefix: string, isMeant: (name: string) => boolean = () => true): Promise<void> {
    const names: string[] = [];
    for await (const { key } of s3.list(prefix)) if (isMeant(key.slice(prefix.length))) names.push(key);
    await all(names.map((name) => s3.delete(name)));
  }

  async function storeWhole(
    key: string,
    file: { path: string; bytes: number; sha256: Buffer },
  ): Promise<void> {
    const whole = { from: 0, to: file.bytes };
    await putPiece(key, whole, file);
    await removeAll(`inbox/${key}/`, (name) => name !== pieceName(whole));
  }

  return {
    kind: 's3',
    publicOrigin: s3.publicOrigin,
    ...workspacesIn(local, room),
    async receive(stream, announced) {
      const key = newKey();
      const path = join(local, key);
      const written = await writeNew(path, stream, room, announced);
      return {
        key,
        path,
        ...written,
        store: () => putPiece(key, { from: 0, to: written.bytes }, { path, ...written }),
        release: () => rm(path, { force: true }),
      };
    },
    async append(key, offset, stream) {
      const tail = chainOf(await piecesOf(key)).at(-1);
      const reservation = room.open();
      try {
        return await inPieces(join(local, newKey()), { offset, tail }, within(reservation)(stream), {
          bring: (piece, path) => bring(key, piece, path, 0),
          put: (piece, file) => putPiece(key, piece, file),
          drop: (piece) => s3.delete(`inbox/${key}/${pieceName(piece)}`),
        });
      } finally {
        reservation.release();
      }
    },
    async arrived(key) {
      return lengthOf(chainOf(await piecesOf(key)));
    },
    async fetch(key): Promise<LocalFile | undefined> {
      const pieces = await piecesOf(key);
      const chain = chainOf(pieces);
      const bytes = lengthOf(chain);
      if (bytes === 0) return undefined;
      const path = join(local, newKey());
      const release = () => rm(path, { force: true });
      const reservation = room.open();
      try {
        await reservation.cover(bytes);
        await writeFile(path, '', { flag: 'wx', mode: 0o640 });
        let length = 0;
        for (const piece of chain) {
          await bring(key, piece, path, length);
          length = piece.to;
          reservation.wrote(length);
        }
      } catch (error) {
        await release();
        throw error;
      } finally {
        reservation.release();
      }
      return {
        key,
        path,
        bytes,
        async store() {
          if (pieces.length > 1) await storeWhole(key, { path, bytes, sha256: await sha256Of(path) });
        },
        release,
      };
    },
    discard: (key) => removeAll(`inbox/${key}/`),
    async publish(key, made) {
      const files = await entriesOf(made);
      const there = new Set<string>();
      for await (const { key: name } of s3.list(`media/${key}/`)) there.add(name);
      if (files.every(({ name }) => there.has(`media/${key}/${name}`))) return;
      await all(
        files.map(({ name, bytes }) => putPublic(`media/${key}/${name}`, { path: join(made, name), bytes })),
      );
    },
    async add(key, name, path) {
      const { size } = await stat(path);
      await putPublic(`media/${key}/${name}`, { path, bytes: size });
    },
    async find(key, name) {
      const { status, headers, body } = await s3.read('HEAD', `media/${key}/${name}`);
      body.resume();
      if (status !== 200) return undefined;
      const open = () => Readable.from(bytesOf(key, name), { objectMode: false });
      const bytes = Number(headers['content-length']);
      return { name, bytes, changedAt: new Date(String(headers['last-modified'])), open };
    },
    remove: (key) => removeAll(`media/${key}/`),
    list: (prefix = '') => s3.list(prefix),
    read: (method, { key, file }, headers, signal) =>
      s3.read(method, `media/${key}/${file}`, headers, signal),
    signedAddress: ({ key, file, saveAs }, at, seconds) =>
      s3.signedAddress(
        `media/${key}/${file}`,
        at,
        seconds,
        saveAs ? { 'response-content-disposition': `attachment;filename="${saveAs}"` } : {},
      ),
    close: () => s3.close(),
  };

  async function* bytesOf(key: string, name: string): AsyncGenerator<Buffer> {
    const { status, body } = await s3.read('GET', `media/${key}/${name}`);
    if (status !== 200) throw new Error(`media/${key}/${name} is not there any more`);
    yield* body;
  }
}

/** A store that refuses us will also do so later; one that does not respond may recover. */
async function check(
  { endpoint, bucket }: S3Settings,
  probe: () => Promise<number>,
  warn: (error: Error) => void,
): Promise<void> {
  try {
    const status = await probe();
    if (status !== 200)
      throw new StartupError(
        `The bucket ${bucket} at ${endpoint} cannot be used: the store answered ${status}.`,
      );
  } catch (error) {
    if (error instanceof StartupError) throw error;
    warn(error as Error);
  }
}

/** Waits for all of them, so that no operation is still running when an error is thrown. */
async function all(doing: Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(doing)).find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
}

function skipping(count: number) {
  return async function* (chunks: AsyncIterable<Buffer>) {
    let left = count;
    for await (const chunk of chunks) {
      if (left < chunk.length) yield chunk.subarray(left);
      left = Math.max(0, left - chunk.length);
    }
  };
}

function typeOf(name: string): string {
  const type = types[extname(name)];
  if (!type) throw new TypeError(`nothing is known of files like ${name}`);
  return type;
}
