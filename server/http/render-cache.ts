/** A response that is the same for everybody, before compression. */
export interface RenderedResponse {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** When a cache entry expires, as a time of `performance.now()`; 0 after it was evicted. */
export interface Freshness {
  readonly until: number;
}

export interface CacheEntry {
  readonly response: Promise<RenderedResponse>;
  readonly freshness: Freshness;
}

interface MutableEntry extends CacheEntry {
  freshness: { until: number };
  evicted: boolean;
}

/**
 * Caches pages and lists for a moment, so that many concurrent requests for the same one render it once. Adding an entry
 * evicts expired entries, and the oldest ones above `maxEntries`. Errors are not cached.
 */
export function createRenderCache(milliseconds: number, maxEntries: number) {
  const entries = new Map<string, MutableEntry>();

  /** The map is in order of insertion, so the oldest entries come first. */
  function evictOld(): void {
    const now = performance.now();
    for (const [key, entry] of entries) {
      if (entry.freshness.until > now && entries.size <= maxEntries) break;
      entries.delete(key);
    }
  }

  return {
    /** Whether there is an entry that has not expired. */
    has: (key: string) => (entries.get(key)?.freshness.until ?? 0) > performance.now(),
    /** Returns the cached entry, or renders and stores a new one. */
    async get(key: string, render: () => Promise<RenderedResponse>): Promise<CacheEntry> {
      const known = entries.get(key);
      if (known && known.freshness.until > performance.now()) {
        await known.response;
        return known;
      }
      const entry: MutableEntry = {
        response: render(),
        freshness: { until: Number.POSITIVE_INFINITY },
        evicted: false,
      };
      entries.delete(key);
      entries.set(key, entry);
      evictOld();
      try {
        const { status } = await entry.response;
        entry.freshness.until = status === 200 && !entry.evicted ? performance.now() + milliseconds : 0;
        return entry;
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      }
    },
    /** Evicts all entries. A response that is being rendered at this moment is not cached either. */
    evictAll(): void {
      for (const entry of entries.values()) {
        entry.freshness.until = 0;
        entry.evicted = true;
      }
      entries.clear();
    },
  };
}

export type RenderCache = ReturnType<typeof createRenderCache>;
