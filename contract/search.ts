import { z } from 'zod';
import { categories, category } from './categories.ts';
import { crowd, endpoint, ok } from './endpoint.ts';
import { nextCursor, page, text } from './fields.ts';
import { person } from './people.ts';
import { post } from './posts.ts';
import { reel } from './reels.ts';

/** What has a list of its own among the results. */
export const searchedKinds = ['reel', 'post', 'person', 'tag'] as const;
export type SearchedKind = (typeof searchedKinds)[number];

/** The maximum number of results of each kind when all kinds are searched. */
export const firstResults: Record<SearchedKind, number> = { reel: 12, post: 6, person: 6, tag: 8 };

/** A list of results ends after this number. */
export const foundAtMost = 500;

/** Works of a tag are counted up to this number. */
export const countedWorks = 10;

export const tag = z.object({
  /** As in the address of its page, without `#`. */
  tag: z.string(),
  /** As most of its public works write it. */
  label: z.string(),
  /** Its public works, at most 10. */
  works: z.int(),
});
export type Tag = z.infer<typeof tag>;

const list = <Item extends z.ZodType>(item: Item) => z.object({ data: z.array(item), nextCursor });

export const search = endpoint({
  method: 'GET',
  path: '/api/search',
  summary:
    'Reels, posts, people, tags and categories by any word, also misspelt and in another script; with `kind` one list in pages. One or two letters find people, tags and categories only',
  tag: 'Search',
  access: 'known',
  cached: true,
  limit: { perPerson: 240, perNetwork: crowd },
  query: page.extend({ q: text(80).trim().default(''), kind: z.enum(searchedKinds).optional() }),
  response: ok({
    reels: list(reel),
    posts: list(post),
    people: list(person),
    tags: list(tag),
    categories: z.array(category).max(categories.length),
    /** What the search was probably meant to be, if nothing has its words. */
    suggestion: z.string().nullable(),
  }),
  errors: ['bad_cursor'],
});

export const getTag = endpoint({
  method: 'GET',
  path: '/api/tag/:tag',
  summary: 'A tag with its public reels and posts, newest first; with `kind` one list in pages',
  tag: 'Search',
  access: 'known',
  cached: true,
  limit: { perPerson: 240, perNetwork: crowd },
  params: z.object({ tag: text(60) }),
  query: page.extend({ kind: z.enum(['reel', 'post']).optional() }),
  response: ok({ data: tag, reels: list(reel), posts: list(post) }),
  errors: ['not_found', 'bad_cursor'],
});

/** The minimum number of different people for a tag or category to trend on a day, so that one account alone cannot make a trend. */
export const trendFrom = 3;

const trend = { people: z.int() };

export const getTrending = endpoint({
  method: 'GET',
  path: '/api/trending',
  summary:
    'Tags and categories of public reels and posts of the last 24 hours by the number of people who published with them: each person counts once, and three are needed',
  tag: 'Search',
  access: 'known',
  cached: true,
  limit: { perPerson: 240, perNetwork: crowd },
  response: ok({
    tags: z.array(tag.extend(trend)),
    categories: z.array(category.extend(trend)),
  }),
});
