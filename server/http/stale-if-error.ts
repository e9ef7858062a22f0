import type { Answer } from './answer-cache.ts';

/** A page that is unavailable for the moment is shown as it was, if that is not longer ago; in milliseconds. */
const longestAgo = 5 * 60_000;

/** Keeps the last good of at most `pagesAtMost` pages: each stands in while it is unavailable (503). */
export function createStaleIfError(pagesAtMost: number) {
  const good = new Map<string, { page: Answer; at: number }>();

  return async (key: string, render: () => Promise<Answer>): Promise<Answer> => {
    const page = await render();
    if (page.status === 200) {
      good.delete(key);
      good.set(key, { page, at: performance.now() });
      const [oldest] = good.keys();
      if (good.size > pagesAtMost && oldest !== undefined) good.delete(oldest);
    }
    const last = page.status === 503 ? good.get(key) : undefined;
    return last && performance.now() - last.at < longestAgo ? last.page : page;
  };
}
