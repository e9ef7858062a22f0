/** Where the service worker puts files that another app shares with this one (web/public/service-worker.js). */
const shelf = 'jhalak-shared-1';

/** Takes the files that were shared with us and are of this kind; each is given out once. */
export async function takeShared(kind: 'video' | 'image'): Promise<File[]> {
  try {
    if (!(await caches.has(shelf))) return [];
    const cache = await caches.open(shelf);
    const files: File[] = [];
    for (const request of await cache.keys()) {
      if (!new URL(request.url).pathname.startsWith(`/share/${kind}/`)) continue;
      const answer = await cache.match(request);
      if (!answer) continue;
      const name = decodeURIComponent(new URL(request.url).searchParams.get('name') ?? '');
      files.push(new File([await answer.blob()], name, { type: answer.headers.get('content-type') ?? '' }));
      await cache.delete(request);
    }
    if ((await cache.keys()).length === 0) await caches.delete(shelf);
    return files;
  } catch {
    // Storage is forbidden: nothing can have been shared.
    return [];
  }
}
