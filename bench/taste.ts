import type { Measurement } from './harness.ts';
import { films } from './taste/films.ts';
import { openSites } from './taste/own-sites.ts';

/** The list For you: how good its order is, how fair it is, and how long it takes. */
export const taste: Measurement = {
  name: 'taste',
  async run({ ratings, say }) {
    const sites = await openSites();
    try {
      return ratings ? await films(ratings, sites, say) : [];
    } finally {
      await sites.stop();
    }
  },
};
