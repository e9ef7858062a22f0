import { useRouteLoaderData } from 'react-router';

/** What the root knows of the site, from its address and its configuration. */
export interface Site {
  lang: string;
  /** The language that the address itself asks for. */
  askedLang: string | null;
  /** Scheme and host. */
  origin: string;
  stores: { android: string; ios: string };
  follow: { instagram: string; youtube: string; x: string };
}

// Only where the root itself failed, and its error page shows none of them.
const unknown: Site = {
  lang: 'en',
  askedLang: null,
  origin: '',
  stores: { android: '', ios: '' },
  follow: { instagram: '', youtube: '', x: '' },
};

export const useSite = () => (useRouteLoaderData('root') as Site | undefined) ?? unknown;
