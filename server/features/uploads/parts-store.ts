import { Readable } from 'node:stream';
import { DataStore, ERRORS, Upload } from '@tus/server';
import { reservationStep } from '#server/platform/disk-space.ts';
import type { Inbox } from '#server/platform/storage.ts';
import type { Resumable } from './resumable.ts';

/**
 * Chunks are written to the inbox as they arrive; the database has the row of the upload. The inbox decides how much has arrived, so that
 * acknowledged bytes survive a crash, and any process can receive the next chunk.
 */
export class PartsStore extends DataStore {
  readonly #inbox: Inbox;
  readonly #resumable: Resumable;

  constructor(inbox: Inbox, resumable: Resumable) {
    super();
    this.#inbox = inbox;
    this.#resumable = resumable;
    this.extensions = ['creation', 'creation-with-upload', 'creation-defer-length', 'termination'];
  }

  /** Its row already exists. */
  override async create(upload: Upload): Promise<Upload> {
    return upload;
  }

  override async write(stream: Readable, key: string, offset: number): Promise<number> {
    const row = await this.#resumable.find(key);
    const chunks = row?.deferred
      ? Readable.from(this.#countedAsTheyCome(stream, key, { passed: offset, counted: row.bytes, ...row }), {
          objectMode: false,
        })
      : stream;
    try {
      return await this.#inbox.append(key, offset, chunks);
    } finally {
      // The account may have been deleted while these bytes arrived.
      if (!(await this.#resumable.find(key))) await this.#inbox.discard(key);
    }
  }

  /** A file without an announced length is counted as unpublished in steps, so that a small file uses little of its owner's quota. */
  async *#countedAsTheyCome(
    chunks: AsyncIterable<Buffer>,
    key: string,
    { passed, counted, most }: { passed: number; counted: number; most: number },
  ): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      passed += chunk.length;
      if (passed > counted) {
        counted = Math.min(most, passed + reservationStep);
        await this.#resumable.growTo(key, counted);
      }
      yield chunk;
    }
  }

  override async getUpload(key: string): Promise<Upload> {
    const row = await this.#resumable.find(key);
    if (!row) throw ERRORS.FILE_NOT_FOUND;
    // The whole file had arrived, and has since been moved to other storage.
    const offset = row.answered ? row.bytes : await this.#inbox.arrived(key);
    const size = row.deferred ? {} : { size: row.bytes };
    return new Upload({ id: key, ...size, offset, metadata: { kind: row.kind } });
  }

  override declareUploadLength(key: string, bytes: number): Promise<void> {
    return this.#resumable.declare(key, bytes);
  }

  override remove(key: string): Promise<void> {
    return this.#resumable.cancel(key);
  }
}
