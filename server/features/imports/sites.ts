import type { Extractor } from './extractor.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { findOnInstagram } from './instagram.ts';
import { findOnYouTube } from './youtube.ts';

/** Finds videos on the real sites, through the guarded fetch only. */
export function createExtractor(fetch: GuardedFetch): Extractor {
  return (link, signal) => {
    const asking: GuardedFetch = (input, init, limits) => fetch(input, { ...init, signal }, limits);
    return link.site === 'youtube' ? findOnYouTube(asking, link.id) : findOnInstagram(asking, link);
  };
}
