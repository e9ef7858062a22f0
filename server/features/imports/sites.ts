import type { Extractor } from './extractor.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { findOnInstagram } from './instagram.ts';
import { findOnYouTube } from './youtube.ts';

/** Asks the sites themselves, through the guarded fetch and nothing else. */
export function createExtractor(fetch: GuardedFetch): Extractor {
  return (link, signal) => {
    const asking: GuardedFetch = (input, init, bounds) => fetch(input, { ...init, signal }, bounds);
    return link.site === 'youtube' ? findOnYouTube(asking, link.id) : findOnInstagram(asking, link);
  };
}
