import { z } from 'zod';
import { category } from './categories.ts';
import { crowd, endpoint, ok } from './endpoint.ts';
import { id, nextCursor, page, text, time } from './fields.ts';
import { reel } from './reels.ts';

/**
 * The lists For you and Following, and what is known about somebody's taste (decisions §3, docs/decisions/0096-for-you.md).
 * Newest is `getAllReels`.
 */

/** Numbers of the ranked list and of what is sent to make it. */
export const tasteLimits = {
  /** Reels of a ranked list; Newest goes on after the last one. */
  ranked: 120,
  /** Reels of one page: of any length they stay under 400 KB. */
  page: 20,
  /** The newest reels that were watched in a visit. */
  visit: 50,
  /** The newest reels that a device has seen: 66 a day for 30 days. */
  seen: 2000,
  mutedPeople: 200,
  mutedReels: 200,
  mutedWords: 50,
  mutedWord: 60,
  /** Watched reels that are kept for each person; the oldest goes first. */
  watched: 1000,
} as const;

/** Days for which a watched reel is known (decisions §3), and for which a reel that was seen is not ranked again. */
export const tasteDays = { kept: 180, seen: 30 } as const;

/** Why a reel is in a ranked list: each is true of the person or the visit that asked. */
export const rankReason = z.discriminatedUnion('code', [
  /** You watched this one to the end; many who watched it watched that shortly after or before. */
  z.object({ code: z.literal('watched'), reelId: id, caption: z.string(), username: z.string() }),
  /** You watched reels of this category to the end. */
  z.object({ code: z.literal('category'), category: z.string() }),
  z.object({ code: z.literal('followed'), username: z.string() }),
  /** It was published within a day, and was shown fewer than 100 times. */
  z.object({ code: z.literal('new') }),
  /** Among the most watched of the last seven days. */
  z.object({ code: z.literal('popular') }),
  /** Nothing else is known: it is simply the newest. */
  z.object({ code: z.literal('newest') }),
]);
export type RankReason = z.infer<typeof rankReason>;

/** A watched reel: `toEnd` if nine tenths of it were played. */
const watchedReel = z.object({ _id: id, toEnd: z.boolean() });
export type WatchedReel = z.infer<typeof watchedReel>;

/** What a device asks to leave out of ranked lists. The server does not keep it. */
const muted = z.object({
  /** "Not interested": also fewer of the same categories and person. */
  reels: z.array(id).max(tasteLimits.mutedReels).default([]),
  people: z.array(id).max(tasteLimits.mutedPeople).default([]),
  /** Words of captions, whatever their case. */
  words: z.array(text(tasteLimits.mutedWord).min(1)).max(tasteLimits.mutedWords).default([]),
});

export const rankReels = endpoint({
  method: 'POST',
  path: '/api/feed/forYou',
  summary:
    'A list of reels ranked for the taste of the signed-in person who switched that on, otherwise for this visit alone, which the body tells and nobody keeps; each says why it is here',
  tag: 'Feed',
  access: 'known',
  limit: { perPerson: 60, perNetwork: crowd },
  body: z.object({
    /** Newest first. Not used if the person has switched their taste on. */
    visit: z.array(watchedReel).max(tasteLimits.visit).default([]),
    /** Seen on this device in the last 30 days. */
    seen: z.array(id).max(tasteLimits.seen).default([]),
    muted: muted.prefault({}),
  }),
  response: ok({
    /** The whole list in its order. A client keeps it for the visit, so that pages do not repeat while others publish. */
    ranked: z.array(z.object({ _id: id, why: rankReason })).max(tasteLimits.ranked),
    /** The reels of the first page. */
    data: z.array(reel),
  }),
});

export const getReelsById = endpoint({
  method: 'POST',
  path: '/api/feed/reels',
  summary: 'The public ones of these reels, in this order: a page of a ranked list',
  tag: 'Feed',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  body: z.object({ ids: z.array(id).min(1).max(tasteLimits.page) }),
  response: ok({ data: z.array(reel) }),
});

export const getFollowedReels = endpoint({
  method: 'GET',
  path: '/api/feed/following',
  summary: 'Reels of the people that you follow, newest first, and of nobody else',
  tag: 'Feed',
  access: 'person',
  limit: { perPerson: 240 },
  query: page,
  response: ok({ data: z.array(reel), nextCursor }),
  errors: ['bad_cursor'],
});

export const getTaste = endpoint({
  method: 'GET',
  path: '/api/taste',
  summary: 'What is known about your taste: whether it is switched on, your categories, and what you watched',
  tag: 'Feed',
  access: 'person',
  limit: { perPerson: 120 },
  response: ok({
    /** When it was switched on; null if it is off, and then nothing is kept. */
    since: time.nullable(),
    /** Categories of what was watched to the end, the most first; `share` of all, from 0 to 1. */
    categories: z.array(z.object({ category, share: z.number() })),
    /** The newest 100 that are public, with the reel's first words. */
    watched: z.array(
      z.object({
        _id: id,
        caption: z.string(),
        username: z.string(),
        tileurl: z.string(),
        toEnd: z.boolean(),
        watchedAt: time,
      }),
    ),
    /** The number of all that are kept. */
    count: z.int(),
  }),
});

export const switchTaste = endpoint({
  method: 'PUT',
  path: '/api/taste',
  summary: 'Switch your taste on, which only people of 18 or older may, or off, which forgets it at once',
  tag: 'Feed',
  access: 'person',
  limit: { perPerson: 30 },
  /** `adult`: "I am 18 or older"; needed to switch it on. */
  body: z.object({ on: z.boolean(), adult: z.boolean().default(false) }),
  response: ok({}),
});

export const forgetWatched = endpoint({
  method: 'DELETE',
  path: '/api/taste/watched',
  summary: 'Forget what you watched: one reel, or all',
  tag: 'Feed',
  access: 'person',
  limit: { perPerson: 120 },
  query: z.object({ reel: id.optional().describe('Only this one') }),
  response: ok({}),
});

export const saveWatched = endpoint({
  method: 'POST',
  path: '/api/taste/watched',
  summary: 'Add reels that you watched to your taste; nothing is kept while it is off. Decides no payout',
  tag: 'Feed',
  access: 'person',
  limit: { perPerson: 60 },
  body: z.object({ watched: z.array(watchedReel).min(1).max(tasteLimits.visit) }),
  /** Whether it is switched on. */
  response: ok({ kept: z.boolean() }),
});
