import { useRouteLoaderData } from 'react-router';
import type { getConfig } from '#contract/config.ts';
import { rates } from '#contract/earning-rules.ts';
import type { Result } from '#contract/endpoint.ts';

/** Data of the site from the address and the configuration, loaded by the root. */
export interface Site {
  lang: string;
  /** The language in the address, if any. */
  askedLang: string | null;
  /** Scheme and host. */
  origin: string;
  /** Whether people can sign in with Google. */
  google: boolean;
  /** Whether the site sends mail. */
  mail: boolean;
  stores: { android: string; ios: string };
  follow: { instagram: string; youtube: string; x: string };
  /** The team on the About page. */
  team: Result<typeof getConfig>['team'];
  /** Measurement id of the analytics service; null if there is none. */
  measurementId: string | null;
  /** Maximum number of bytes of an upload in one request. */
  uploadPiece: number;
  /** Where people like, comment, follow and edit their profile: in the app, or here. */
  interactions: 'app' | 'web';
  /** Whether links to videos can be imported. */
  linkImport: boolean;
  /** Imports a day of one network without a login; 0 if a login is needed. */
  linksWithoutLogin: number;
  /** The time zone of the site's days and months. */
  timeZone: string;
  /** From `/api/config`. */
  rates: typeof rates;
  /** The rules of the current month, from `/api/config`. */
  monthRules: { verifiedOnly: boolean };
  /** Until then showings in older apps count by the time until the next one; null from then on. */
  olderAppsUntil: string | null;
}

// Used only if the root itself failed; the error page shows none of these values.
const defaults: Site = {
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
  interactions: 'app',
  linkImport: false,
  linksWithoutLogin: 0,
  timeZone: 'Asia/Kolkata',
  rates,
  monthRules: { verifiedOnly: false },
  olderAppsUntil: null,
};

export const useSite = () => (useRouteLoaderData('root') as Site | undefined) ?? defaults;
