import { pageQuery } from '#contract/page-query.ts';
import type { Route } from '../platform/route.ts';

/** Returns the part of a URL that its response may depend on. */
export type CacheKey = (url: string) => string | undefined;

/**
 * The key is the path and the query parameters that the endpoint or page reads, sorted: unknown parameters must not create
 * more cache entries. Undefined if a parameter of a call is given twice, since such a call is refused.
 */
export function cacheKeyOf(routes: readonly Route[]): CacheKey {
  const calls = new Map<string, string[]>(
    routes
      .filter(({ endpoint }) => endpoint.kept)
      .map(({ endpoint }) => [endpoint.path, Object.keys(endpoint.query?.shape ?? {}).sort()]),
  );
  return (url) => {
    const [path, query] = splitUrl(url);
    if (!query) return path;
    const names = calls.get(path);
    if (!names) return `${path}${pageQuery(path, query)}`;
    const given = new URLSearchParams(query);
    const read = names.flatMap((name) => given.getAll(name).map((value): [string, string] => [name, value]));
    if (new Set(read.map(([name]) => name)).size < read.length) return undefined;
    return read.length > 0 ? `${path}?${new URLSearchParams(read)}` : path;
  };
}

/** Whether the query is in canonical form: `limit=024` means 24 too, but each spelling would take a cache entry. */
export function isCanonical(url: string, parsed: Readonly<Record<string, unknown>>): boolean {
  const [, query] = splitUrl(url);
  const given = new URLSearchParams(query);
  return Object.entries(parsed).every(
    ([name, value]) => (given.get(name) ?? String(value)) === String(value),
  );
}

function splitUrl(url: string): [path: string, query: string] {
  const at = url.indexOf('?');
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)];
}
