/** The language in the visitor's cookie; empty if there is none. */
export const languageIn = (cookie = ''): string => /(?:^|;\s*)lang=([\w-]+)/.exec(cookie)?.[1] ?? '';
