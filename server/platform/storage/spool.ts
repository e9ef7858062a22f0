import { createHash, type Hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { writeAll } from './local-files.ts';
import type { Piece } from './pieces.ts';

/** A piece is uploaded when it has this length, the same as the chunks that the site sends. */
const longest = 16 * 1024 * 1024;
/** A last piece shorter than this is merged into the next, so that many short chunks still make few objects. */
const shortest = 1024 * 1024;

interface Store {
  /** Downloads a piece into an empty local file. */
  bring(piece: Piece, path: string): Promise<void>;
  put(piece: Piece, file: { path: string; bytes: number; sha256: Buffer }): Promise<void>;
  drop(piece: Piece): Promise<void>;
}

/**
 * Appends a stream to a file in the store, from `offset` on, in pieces. They are collected in the local file at `path`, to save memory.
 * Returns the end of the file. If the stream is interrupted, the bytes before that are stored first.
 */
export async function inPieces(
  path: string,
  { offset, tail }: { offset: number; tail: Piece | undefined },
  stream: AsyncIterable<Buffer>,
  store: Store,
): Promise<number> {
  const file = await open(path, 'wx+', 0o640);
  try {
    const spool = new Spool(file, path, offset, store);
    if (tail && tail.to === offset && tail.to - tail.from < shortest) await spool.takeUp(tail);
    try {
      for await (const chunk of stream) await spool.add(chunk);
    } finally {
      await spool.put();
    }
    return spool.end;
  } finally {
    await file.close();
    await rm(path, { force: true });
  }
}

class Spool {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #store: Store;
  #from: number;
  #added = 0;
  #length = 0;
  #hash: Hash = createHash('sha256');
  #replaced: Piece | undefined;
  /** An upload failed, so no further piece may follow. */
  #isLost = false;

  constructor(file: FileHandle, path: string, from: number, store: Store) {
    this.#file = file;
    this.#path = path;
    this.#from = from;
    this.#store = store;
  }

  get end(): number {
    return this.#from + this.#length;
  }

  async takeUp(tail: Piece): Promise<void> {
    await this.#store.bring(tail, this.#path);
    for await (const chunk of createReadStream(this.#path)) this.#hash.update(chunk);
    this.#from = tail.from;
    this.#length = tail.to - tail.from;
    this.#replaced = tail;
  }

  async add(chunk: Buffer): Promise<void> {
    await writeAll(this.#file, chunk, this.#length);
    this.#hash.update(chunk);
    this.#length += chunk.length;
    this.#added += chunk.length;
    if (this.#length >= longest) await this.put();
  }

  /** Uploads the collected bytes, if any, and begins the next piece. */
  async put(): Promise<void> {
    if (this.#added === 0 || this.#isLost) return;
    this.#isLost = true;
    const sha256 = this.#hash.digest();
    await this.#store.put(
      { from: this.#from, to: this.end },
      { path: this.#path, bytes: this.#length, sha256 },
    );
    if (this.#replaced) await this.#store.drop(this.#replaced);
    this.#isLost = false;
    this.#from = this.end;
    this.#replaced = undefined;
    this.#length = 0;
    this.#added = 0;
    this.#hash = createHash('sha256');
    await this.#file.truncate(0);
  }
}
