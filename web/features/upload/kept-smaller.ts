import { fingerprintOf } from './unfinished.ts';

/** A video that was made smaller, and the SHA-256 in hex of what it was made of. */
export interface Smaller {
  file: File;
  original: string;
}

/** The service worker leaves it alone. */
const shelf = 'jhalak-smaller-1';
/** As long as the server keeps what has arrived of it. */
const keptFor = 24 * 60 * 60 * 1000;
const madeAt = 'x-made-at';
const originalOf = 'x-original';

/** While the page lives, also where nothing can be kept. */
const here = new WeakMap<File, Smaller>();

const placeOf = (file: File) => `/smaller/${encodeURIComponent(fingerprintOf('reel', file))}`;

/** What was made of this file before, so that what has arrived of it is gone on with: the same bytes are not made twice. */
export async function findSmaller(file: File): Promise<Smaller | undefined> {
  const known = here.get(file);
  if (known) return known;
  try {
    const cache = await caches.open(shelf);
    await sweep(cache);
    const response = await cache.match(placeOf(file));
    const original = response?.headers.get(originalOf);
    if (!response || !original) return undefined;
    const blob = await response.blob();
    const about = { type: blob.type, lastModified: Number(response.headers.get(madeAt)) };
    return { file: new File([blob], 'smaller.mp4', about), original };
  } catch {
    // Storage is forbidden: it is made again.
    return undefined;
  }
}

export async function keepSmaller(file: File, smaller: Smaller): Promise<void> {
  here.set(file, smaller);
  const headers = {
    'content-type': smaller.file.type,
    [madeAt]: String(smaller.file.lastModified),
    [originalOf]: smaller.original,
  };
  try {
    const cache = await caches.open(shelf);
    await cache.put(placeOf(file), new Response(smaller.file, { headers }));
  } catch {
    // Storage is full or forbidden: after a reload it is made again.
  }
}

export function forgetSmaller(file: File): void {
  here.delete(file);
  // Where storage is forbidden there is nothing to forget.
  void Promise.resolve()
    .then(() => caches.open(shelf))
    .then((cache) => cache.delete(placeOf(file)))
    .catch(() => undefined);
}

async function sweep(cache: Cache): Promise<void> {
  for (const request of await cache.keys()) {
    const made = Number((await cache.match(request))?.headers.get(madeAt));
    if (Date.now() - made > keptFor) await cache.delete(request);
  }
}
