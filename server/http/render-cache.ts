/** An answer that is the same for everybody, before it is compressed. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/** Until when an answer may be given, in milliseconds of `performance.now()`; 0 once something has changed. */
export interface Freshness {
  readonly until: number;
}

export interface Kept {
  readonly answer: Promise<Answer>;
  readonly freshness: Freshness;
}

interface Entry extends Kept {
  freshness: { until: number };
  outdated: boolean;
}

/**
 * Keeps answers for a moment, so that what many people ask for at once is made once. Whatever is no longer fresh goes when
 * something new is kept; of those that are fresh at most `entriesAtMost` stay. An answer that failed is not kept.
 */
export function createRenderCache(milliseconds: number, entriesAtMost: number) {
  const entries = new Map<string, Entry>();

  /** In the map the oldest stand first. */
  function letGo(): void {
    const now = performance.now();
    for (const [key, entry] of entries) {
      if (entry.freshness.until > now && entries.size <= entriesAtMost) break;
      entries.delete(key);
    }
  }

  return {
    /** Whether there is an answer that need not be made anew. */
    has: (key: string) => (entries.get(key)?.freshness.until ?? 0) > performance.now(),
    /** The answer as it is kept, or made anew; what it holds may be given on until then. */
    async get(key: string, make: () => Promise<Answer>): Promise<Kept> {
      const known = entries.get(key);
      if (known && known.freshness.until > performance.now()) {
        await known.answer;
        return known;
      }
      const entry: Entry = {
        answer: make(),
        freshness: { until: Number.POSITIVE_INFINITY },
        outdated: false,
      };
      entries.delete(key);
      entries.set(key, entry);
      letGo();
      try {
        const { status } = await entry.answer;
        entry.freshness.until = status === 200 && !entry.outdated ? performance.now() + milliseconds : 0;
        return entry;
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key);
        throw error;
      }
    },
    /** What is asked for from now on is made anew, also what is being made at this moment. */
    evictAll(): void {
      for (const entry of entries.values()) {
        entry.freshness.until = 0;
        entry.outdated = true;
      }
      entries.clear();
    },
  };
}

export type RenderCache = ReturnType<typeof createRenderCache>;
