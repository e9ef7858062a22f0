import type { RenderedResponse } from './render-cache.ts';

/** Oldest copy of a page that may be served while the page is unavailable, in milliseconds. */
const maxAge = 5 * 60_000;

export interface StaleIfError {
  /** Renders the page; if that fails with 503, returns the last good copy instead. */
  orStale(key: string, render: () => Promise<RenderedResponse>): Promise<RenderedResponse>;
  /** Drops all copies, because some content must no longer be shown to anybody. */
  evictAll(): void;
}

/** Keeps the last good copy of at most `maxPages` pages, to serve it while the page is unavailable. */
export function createStaleIfError(maxPages: number): StaleIfError {
  const good = new Map<string, { page: RenderedResponse; at: number }>();
  let evictions = 0;

  return {
    async orStale(key, render) {
      const before = evictions;
      const page = await render();
      if (page.status !== 503) good.delete(key);
      // A page that was rendered before the eviction may still show the removed content.
      if (page.status === 200 && before === evictions) {
        good.set(key, { page, at: performance.now() });
        const [oldest] = good.keys();
        if (good.size > maxPages && oldest !== undefined) good.delete(oldest);
      }
      const last = page.status === 503 ? good.get(key) : undefined;
      return last && performance.now() - last.at < maxAge ? last.page : page;
    },
    evictAll() {
      good.clear();
      evictions += 1;
    },
  };
}
