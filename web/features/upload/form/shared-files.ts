import { cacheNames } from '#web/storage-keys.ts';

/** Removes the shared files of this kind from the cache and returns them. */
export async function takeSharedFiles(kind: 'video' | 'image'): Promise<File[]> {
  try {
    if (!(await caches.has(cacheNames.shared))) return [];
    const cache = await caches.open(cacheNames.shared);
    const files: File[] = [];
    for (const request of await cache.keys()) {
      if (!new URL(request.url).pathname.startsWith(`/share/${kind}/`)) continue;
      const response = await cache.match(request);
      if (!response) continue;
      const name = decodeURIComponent(new URL(request.url).searchParams.get('name') ?? '');
      files.push(
        new File([await response.blob()], name, { type: response.headers.get('content-type') ?? '' }),
      );
      await cache.delete(request);
    }
    if ((await cache.keys()).length === 0) await caches.delete(cacheNames.shared);
    return files;
  } catch {
    // Storage is forbidden, so no file can have been shared.
    return [];
  }
}
