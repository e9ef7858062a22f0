import type { Measurement } from './harness.ts';
import { films } from './taste/films.ts';
import { large } from './taste/large.ts';
import { openSites } from './taste/own-sites.ts';
import { town } from './taste/town.ts';

/** The list For you: how good its order is, how fair it is, and how long it takes. */
export const taste: Measurement = {
  name: 'taste',
  async run({ ratings, reels, say }) {
    const sites = await openSites();
    try {
      const order = ratings ? await films(ratings, sites, say) : [];
      return [...order, ...(await town(sites, say)), ...(await large(reels, sites, say))];
    } finally {
      await sites.stop();
    }
  },
};
