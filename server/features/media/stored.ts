import type { StoredObject } from '#server/platform/storage.ts';

/** What lies under one key of the inbox or of the media store. */
export interface StoredKey {
  key: string;
  /** Sizes in bytes by name; a file of the inbox has the empty name. */
  files: Map<string, number>;
  /** Of its newest file. */
  changedAt: Date;
}

/** Nothing younger is anybody's stray: its row may be about to be written. An upload under way keeps its file young. */
const grace = 60 * 60 * 1000;
const atOnce = 500;

/** Before this moment a file without a row has been left behind. */
export const strayBefore = (now: Date) => new Date(now.getTime() - grace);

/** Gathers files, `inbox/<key>…` or `media/<key>/<name>`, by their keys; those of one key come one after the other. */
export async function* keysOf(files: AsyncIterable<StoredObject>): AsyncGenerator<StoredKey> {
  let last: StoredKey | undefined;
  for await (const { key: path, size, modifiedAt } of files) {
    const [place, key = '', ...rest] = path.split('/');
    const name = place === 'inbox' ? '' : rest.join('/');
    if (last?.key !== key) {
      if (last) yield last;
      last = { key, files: new Map(), changedAt: modifiedAt };
    }
    // What came in pieces lies in pieces.
    last.files.set(name, (last.files.get(name) ?? 0) + size);
    if (modifiedAt > last.changedAt) last.changedAt = modifiedAt;
  }
  if (last) yield last;
}

/** Hands on what is listed in lots, so that the database is asked a few questions and memory holds little. */
export async function* inLots<T>(items: AsyncIterable<T>): AsyncGenerator<T[]> {
  let lot: T[] = [];
  for await (const item of items) {
    lot.push(item);
    if (lot.length < atOnce) continue;
    yield lot;
    lot = [];
  }
  if (lot.length > 0) yield lot;
}

/** Of what is stored, that which was left behind: no row of those `living` finds refers to it, and it is not young. */
export async function* straysIn(
  files: AsyncIterable<StoredObject>,
  now: Date,
  living: (keys: string[]) => Promise<Set<string>>,
): AsyncGenerator<StoredKey> {
  for await (const lot of inLots(keysOf(files))) {
    const old = lot.filter(({ changedAt }) => changedAt < strayBefore(now));
    if (old.length === 0) continue;
    const known = await living(old.map(({ key }) => key));
    yield* old.filter(({ key }) => !known.has(key));
  }
}
