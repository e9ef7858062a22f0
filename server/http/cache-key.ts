import { pageQuery } from '#contract/page-query.ts';
import type { Route } from '../platform/route.ts';

/** Of an address what its answer may depend on. */
export type CacheKey = (url: string) => string | undefined;

/**
 * The path, and of the query what is read there, in one order: what nobody reads makes no answer of its own. Undefined
 * where a call is asked the same thing twice, which it refuses.
 */
export function cacheKeyOf(routes: readonly Route[]): CacheKey {
  const calls = new Map<string, string[]>(
    routes
      .filter(({ endpoint }) => endpoint.kept)
      .map(({ endpoint }) => [endpoint.path, Object.keys(endpoint.query?.shape ?? {}).sort()]),
  );
  return (url) => {
    const [path, query] = inParts(url);
    if (!query) return path;
    const names = calls.get(path);
    if (!names) return `${path}${pageQuery(path, query)}`;
    const given = new URLSearchParams(query);
    const read = names.flatMap((name) => given.getAll(name).map((value): [string, string] => [name, value]));
    if (new Set(read.map(([name]) => name)).size < read.length) return undefined;
    return read.length > 0 ? `${path}?${new URLSearchParams(read)}` : path;
  };
}

/** Whether the query says what it means as plainly as it can: `limit=024` is one of many ways to say 24. */
export function isPlain(url: string, meant: Readonly<Record<string, unknown>>): boolean {
  const [, query] = inParts(url);
  const given = new URLSearchParams(query);
  return Object.entries(meant).every(([name, value]) => (given.get(name) ?? String(value)) === String(value));
}

function inParts(url: string): [path: string, query: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}
