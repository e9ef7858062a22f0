/** What pages read of the query of their address, in the order in which it is written; every other parameter is ignored. */
const readBy: readonly (readonly [page: RegExp, parameters: readonly string[]])[] = [
  [/^\/$/, ['cursor']],
  [/^\/videoplayer$/i, ['reel']],
  [/^\/ShowPosts$/i, ['cursor']],
  [/^\/AllUsers$/i, ['q', 'cursor']],
  [/^\/user\/[^/]+$/i, ['tab', 'cursor']],
  [/^\/UserProfile$/i, ['tab']],
];
const readByAll = ['lang'];

/** The parameters that the page at a path reads; its data, as React Router asks for it, depends on the same. */
export function parametersOf(path: string): readonly string[] {
  const page = path.replace(/(?:_root)?\.data$/, '').replace(/(?<=.)\/$/, '');
  return [...(readBy.find(([pattern]) => pattern.test(page))?.[1] ?? []), ...readByAll];
}

/** The query of a page's address with what the page reads alone, each once; empty, or with its question mark. */
export function pageQuery(path: string, query: string): string {
  if (!query) return '';
  const given = new URLSearchParams(query);
  const read = new URLSearchParams();
  for (const name of parametersOf(path)) {
    const value = given.get(name);
    if (value) read.set(name, value);
  }
  return read.size > 0 ? `?${read}` : '';
}
