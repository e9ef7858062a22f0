import { z } from 'zod';
import { crowd, endpoint, ok } from './endpoint.ts';

/** The five headings of the category picker (specification §2). */
export const categoryGroups = ['boys', 'girls', 'common', 'trips', 'reels'] as const;
export type CategoryGroup = (typeof categoryGroups)[number];

interface CategorySeed {
  id: string;
  name: string;
  group: CategoryGroup;
}

/** The 42 categories. The id is also the name of the picture. */
export const categories = (
  [
    ['cricket', 'Cricket', 'boys'],
    ['gym', 'Gym & Fitness', 'boys'],
    ['bikes', 'Bikes', 'boys'],
    ['cars', 'Cars', 'boys'],
    ['gaming', 'Gaming', 'boys'],
    ['mens-style', "Men's Style", 'boys'],
    ['football', 'Football', 'boys'],
    ['kabaddi', 'Kabaddi', 'boys'],
    ['makeup', 'Makeup', 'girls'],
    ['mehndi', 'Mehndi', 'girls'],
    ['womens-style', "Women's Style", 'girls'],
    ['hair', 'Hair', 'girls'],
    ['jewellery', 'Jewellery', 'girls'],
    ['rangoli', 'Rangoli', 'girls'],
    ['skincare', 'Skin Care', 'girls'],
    ['nails', 'Nail Art', 'girls'],
    ['comedy', 'Comedy', 'common'],
    ['dance', 'Dance', 'common'],
    ['music', 'Music', 'common'],
    ['singing', 'Singing', 'common'],
    ['food', 'Food', 'common'],
    ['family', 'Family', 'common'],
    ['pets', 'Pets', 'common'],
    ['festivals', 'Festivals', 'common'],
    ['devotional', 'Devotional', 'common'],
    ['news', 'News', 'common'],
    ['motivation', 'Motivation', 'common'],
    ['art', 'Art & Craft', 'common'],
    ['travel', 'Travel', 'trips'],
    ['mountains', 'Mountains', 'trips'],
    ['street-food', 'Street Food', 'trips'],
    ['science', 'Science', 'trips'],
    ['study', 'Study Tips', 'trips'],
    ['technology', 'Technology', 'trips'],
    ['photography', 'Photography', 'trips'],
    ['nature', 'Nature', 'trips'],
    ['trending', 'Trending', 'reels'],
    ['challenges', 'Challenges', 'reels'],
    ['lip-sync', 'Lip Sync', 'reels'],
    ['transitions', 'Transitions', 'reels'],
    ['slow-motion', 'Slow Motion', 'reels'],
    ['time-lapse', 'Time-lapse', 'reels'],
  ] as const satisfies readonly (readonly [string, string, CategoryGroup])[]
).map(([id, name, group]): CategorySeed => ({ id, name, group }));

/** The five categories offered for a video from a link (specification §9). */
export const linkCategories = ['comedy', 'dance', 'music', 'food', 'trending'] as const;

export const category = z.object({
  id: z.string(),
  name: z.string(),
  /** Address of a picture drawn by the project. */
  image: z.string(),
});
export type Category = z.infer<typeof category>;

const byId = new Map(categories.map(({ id, name }) => [id, { id, name, image: `/categories/${id}.svg` }]));

/** The category with this id, if it is one of the 42. */
export function categoryOf(id: string): Category | undefined {
  return byId.get(id);
}

export const getCategoryCounts = endpoint({
  method: 'GET',
  path: '/api/count/getCategoryCounts',
  summary: 'The number of public reels in each of the 42 categories',
  tag: 'Categories',
  access: 'anyone',
  limit: { perNetwork: crowd },
  cached: true,
  response: ok({
    data: z.array(category.extend({ group: z.enum(categoryGroups), count: z.int().min(0) })),
  }),
});
