import { useRouteLoaderData } from 'react-router';
import type { getConfig } from '#contract/config.ts';
import type { Result } from '#contract/endpoint.ts';
import { type RateTable, ratesOf } from '#contract/rates.ts';

/** What the root knows of the site, from its address and its configuration. */
export interface Site {
  lang: string;
  /** The language that the address itself asks for. */
  askedLang: string | null;
  /** Scheme and host. */
  origin: string;
  /** Whether people can sign in with Google. */
  google: boolean;
  /** Whether the site sends mail. */
  mail: boolean;
  stores: { android: string; ios: string };
  follow: { instagram: string; youtube: string; x: string };
  /** The people on the About page. */
  team: Result<typeof getConfig>['team'];
  /** Where visits are counted; null where they are not. */
  measurementId: string | null;
  /** How many bytes of an upload go in one request. */
  uploadPiece: number;
  /** Whether links to videos can be fetched here. */
  linkImport: boolean;
  /** How many of them a day one network may have without a login; 0: none. */
  linksWithoutLogin: number;
  /** Whose days and months the site counts. */
  timeZone: string;
  /** What is earned now: the rates of the running month, as `/api/config` tells them. */
  rates: RateTable;
}

// Only where the root itself failed, and its error page shows none of them.
const unknown: Site = {
  lang: 'en',
  askedLang: null,
  origin: '',
  google: false,
  mail: false,
  stores: { android: '', ios: '' },
  follow: { instagram: '', youtube: '', x: '' },
  team: [],
  measurementId: null,
  uploadPiece: 1024 * 1024,
  linkImport: false,
  linksWithoutLogin: 0,
  timeZone: 'Asia/Kolkata',
  rates: ratesOf(new Date().toISOString().slice(0, 7)),
};

export const useSite = () => (useRouteLoaderData('root') as Site | undefined) ?? unknown;
