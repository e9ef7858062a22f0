import { cacheNames } from '#web/storage-keys.ts';
import { fingerprintOf } from '../transfer/upload-urls.ts';

/** A compressed video, and the SHA-256 in hex of the original file. */
export interface CompressedVideo {
  file: File;
  original: string;
}

/** The server also keeps the arrived part of an upload for a day. */
const maxAge = 24 * 60 * 60 * 1000;
const madeAtHeader = 'x-made-at';
const originalHeader = 'x-original';

/** Used while the page is open, also if the browser forbids storage. */
const inMemory = new WeakMap<File, CompressedVideo>();

const urlOf = (file: File) => `/smaller/${encodeURIComponent(fingerprintOf('reel', file))}`;

/**
 * The compressed video made of this file before. Compressing again would give other bytes, and an interrupted upload could
 * not be resumed with them.
 */
export async function findCompressed(file: File): Promise<CompressedVideo | undefined> {
  const known = inMemory.get(file);
  if (known) return known;
  try {
    const cache = await caches.open(cacheNames.compressed);
    await removeExpired(cache);
    const response = await cache.match(urlOf(file));
    const original = response?.headers.get(originalHeader);
    if (!response || !original) return undefined;
    const blob = await response.blob();
    const about = { type: blob.type, lastModified: Number(response.headers.get(madeAtHeader)) };
    return { file: new File([blob], 'smaller.mp4', about), original };
  } catch {
    // Storage is forbidden, so the video is compressed again.
    return undefined;
  }
}

export async function cacheCompressed(file: File, compressed: CompressedVideo): Promise<void> {
  inMemory.set(file, compressed);
  const headers = {
    'content-type': compressed.file.type,
    [madeAtHeader]: String(compressed.file.lastModified),
    [originalHeader]: compressed.original,
  };
  try {
    const cache = await caches.open(cacheNames.compressed);
    await cache.put(urlOf(file), new Response(compressed.file, { headers }));
  } catch {
    // Storage is full or forbidden, so the video is compressed again after a reload.
  }
}

export function removeCompressed(file: File): void {
  inMemory.delete(file);
  // Where storage is forbidden there is nothing to remove.
  void Promise.resolve()
    .then(() => caches.open(cacheNames.compressed))
    .then((cache) => cache.delete(urlOf(file)))
    .catch(() => undefined);
}

async function removeExpired(cache: Cache): Promise<void> {
  for (const request of await cache.keys()) {
    const made = Number((await cache.match(request))?.headers.get(madeAtHeader));
    if (Date.now() - made > maxAge) await cache.delete(request);
  }
}
