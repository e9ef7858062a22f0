import type { Measurement } from './harness.ts';
import { films } from './taste/films.ts';
import { large } from './taste/large.ts';
import { openSites } from './taste/own-sites.ts';
import { town } from './taste/town.ts';

/** How good the order of For you is. */
export const taste: Measurement = {
  name: 'taste',
  async run({ ratings, say }) {
    if (!ratings) return [];
    const sites = await openSites();
    try {
      return await films(ratings, sites, say);
    } finally {
      await sites.stop();
    }
  },
};

/** How fair it is. */
export const tasteTown: Measurement = {
  name: 'taste-town',
  async run({ say }) {
    const sites = await openSites();
    try {
      return await town(sites, say);
    } finally {
      await sites.stop();
    }
  },
};

/** How long its lists take, and Following. */
export const tasteLists: Measurement = {
  name: 'taste-lists',
  run: ({ reels, say }) => large(reels, say),
};
