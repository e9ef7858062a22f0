import { useSite } from '../chrome/use-site.ts';

/** Where the form of a page is sent without a script: to the page, in the language it is read in. */
export function useOwnAddress(path: string): string {
  const { askedLang } = useSite();
  return askedLang ? `${path}?lang=${askedLang}` : path;
}
