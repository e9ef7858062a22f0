import type { Answer } from './render-cache.ts';

/** A page that is unavailable for the moment is shown as it was, if that is not longer ago; in milliseconds. */
const longestAgo = 5 * 60_000;

export interface StaleIfError {
  /** The page, or while it is unavailable (503) the last good one. */
  orStale(key: string, render: () => Promise<Answer>): Promise<Answer>;
  /** Forgets all of them: something in them is to be shown to nobody any more. */
  forget(): void;
}

/** Keeps the last good of at most `pagesAtMost` pages: each stands in while it is unavailable. */
export function createStaleIfError(pagesAtMost: number): StaleIfError {
  const good = new Map<string, { page: Answer; at: number }>();
  let forgotten = 0;

  return {
    async orStale(key, render) {
      const before = forgotten;
      const page = await render();
      if (page.status !== 503) good.delete(key);
      // What was read before it was forgotten is not remembered after it.
      if (page.status === 200 && before === forgotten) {
        good.set(key, { page, at: performance.now() });
        const [oldest] = good.keys();
        if (good.size > pagesAtMost && oldest !== undefined) good.delete(oldest);
      }
      const last = page.status === 503 ? good.get(key) : undefined;
      return last && performance.now() - last.at < longestAgo ? last.page : page;
    },
    forget() {
      good.clear();
      forgotten += 1;
    },
  };
}
