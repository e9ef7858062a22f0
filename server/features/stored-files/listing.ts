import type { StoredObject } from '#server/platform/storage.ts';

/** The files under one key of the inbox or of the media store. */
export interface StoredKey {
  key: string;
  /** Sizes in bytes by name; a file of the inbox has the empty name. */
  files: Map<string, number>;
  /** Modification time of its newest file. */
  changedAt: Date;
}

/** A younger file is no orphan: its row may be about to be written. An upload in progress keeps its file young. */
const grace = 60 * 60 * 1000;
const atOnce = 500;

/** A file without a row that has not changed since this moment is an orphan. */
export const orphanBefore = (now: Date) => new Date(now.getTime() - grace);

/** Groups files, `inbox/<key>…` or `media/<key>/<name>`, by their keys; those of one key must be adjacent. */
export async function* groupByKey(files: AsyncIterable<StoredObject>): AsyncGenerator<StoredKey> {
  let last: StoredKey | undefined;
  for await (const { key: path, size, modifiedAt } of files) {
    const [area, key = '', ...rest] = path.split('/');
    const name = area === 'inbox' ? '' : rest.join('/');
    if (last?.key !== key) {
      if (last) yield last;
      last = { key, files: new Map(), changedAt: modifiedAt };
    }
    // An upload in pieces is stored in pieces.
    last.files.set(name, (last.files.get(name) ?? 0) + size);
    if (modifiedAt > last.changedAt) last.changedAt = modifiedAt;
  }
  if (last) yield last;
}

/** Groups a listing into batches, so that few queries and little memory are needed. */
export async function* inBatches<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
