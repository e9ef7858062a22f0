export interface Page {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

interface Entry {
  page: Promise<Page>;
  freshUntil: number;
}

/**
 * Keeps rendered pages for a moment, so that a page many people open at once is rendered once. At most `entriesAtMost`
 * of them, the oldest go first; a page that failed is not kept.
 */
export function createPageCache(milliseconds: number, entriesAtMost: number) {
  const entries = new Map<string, Entry>();
  return {
    async get(key: string, render: () => Promise<Page>): Promise<Page> {
      const known = entries.get(key);
      if (known && known.freshUntil > performance.now()) return known.page;
      const entry = { page: render(), freshUntil: Number.POSITIVE_INFINITY };
      entries.delete(key);
      entries.set(key, entry);
      for (const oldest of entries.keys()) {
        if (entries.size <= entriesAtMost) break;
        entries.delete(oldest);
      }
      try {
        const page = await entry.page;
        entry.freshUntil = page.status === 200 ? performance.now() + milliseconds : 0;
        return page;
      } catch (error) {
        entries.delete(key);
        throw error;
      }
    },
  };
}
