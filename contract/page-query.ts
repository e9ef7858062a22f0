/** Query parameters that pages use, in the order in which they are written. Others are ignored. */
const parametersByPage: readonly (readonly [page: RegExp, parameters: readonly string[]])[] = [
  [/^\/$/, ['cursor']],
  [/^\/videoplayer$/i, ['reel']],
  [/^\/ShowPosts$/i, ['cursor']],
  [/^\/AllUsers$/i, ['q', 'cursor']],
  [/^\/search$/i, ['q', 'kind', 'cursor']],
  [/^\/tag\/[^/]+$/i, ['kind', 'cursor']],
  [/^\/user\/[^/]+$/i, ['tab', 'cursor']],
  [/^\/UserProfile$/i, ['tab']],
];
const readByAll = ['lang'];

/** The query parameters of the page at a path; the page's data requests have the same ones. */
export function parametersOf(path: string): readonly string[] {
  const page = path.replace(/(?:_root)?\.data$/, '').replace(/(?<=.)\/$/, '');
  return [...(parametersByPage.find(([pattern]) => pattern.test(page))?.[1] ?? []), ...readByAll];
}

/** The query of a page's address, reduced to its parameters, each once; empty, or beginning with `?`. */
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
