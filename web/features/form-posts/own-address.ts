import { useSite } from '../chrome/use-site.ts';

/** The action address of a page's form for browsers without a script: the page itself, in its language. */
export function useOwnAddress(path: string): string {
  const { askedLang } = useSite();
  return askedLang ? `${path}?lang=${askedLang}` : path;
}
