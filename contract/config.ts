import { z } from 'zod';
import { category, categoryGroups } from './categories.ts';
import { crowd, endpoint, ok } from './endpoint.ts';

export const getConfig = endpoint({
  method: 'GET',
  path: '/api/config',
  summary: 'What a client must know before it sends anything: limits, categories, coin rates, store links',
  tag: 'Site',
  access: 'anyone',
  limit: { perNetwork: crowd },
  kept: true,
  response: ok({
    limits: z.object({
      video: z.object({
        maxBytes: z.int(),
        maxSeconds: z.int(),
        toleranceSeconds: z.number(),
        accept: z.array(z.string()),
      }),
      photo: z.object({ maxBytes: z.int(), maxPixels: z.int(), accept: z.array(z.string()) }),
      thumbnail: z.object({ width: z.int(), height: z.int(), atSecond: z.number(), maxBytes: z.int() }),
      captions: z.object({
        maxBytes: z.int(),
        cues: z.int(),
        characters: z.int(),
        languages: z.int(),
      }),
      categoriesPerReel: z.int(),
      caption: z.int(),
      description: z.int(),
      statusText: z.int(),
      credit: z.int(),
      comment: z.int(),
      link: z.int(),
      message: z.int(),
      storyHours: z.int(),
      activityBatch: z.int(),
      sessionDays: z.int(),
      sessionDaysInAll: z.int(),
      minimumAge: z.int(),
    }),
    categories: z.array(category.extend({ group: z.enum(categoryGroups) })),
    /** Ids of the categories that a video from a link is offered. */
    linkCategories: z.array(z.string()),
    /** How many bytes of an upload to send in one request: the proxies in front of this server take that much. */
    uploadPiece: z.int(),
    /** What one person may have uploaded and not published yet, files still arriving included. Bytes; it goes after a day. */
    unpublished: z.object({ files: z.int(), bytes: z.int() }),
    /** Whether this server fetches YouTube and Instagram links. */
    linkImport: z.boolean(),
    /** How many links a day one network may have fetched without a login; 0: a login is needed. */
    linksWithoutLogin: z.int(),
    rates: z.object({
      coinsPerReel: z.int(),
      coinsPerPost: z.int(),
      coinsPerStory: z.int(),
      viewsPerCoin: z.int(),
      likesPerCoin: z.int(),
      coinsPerActivity: z.int(),
      coinsPerRupee: z.int(),
      activityCoinsPerRupee: z.int(),
      minimumWithdrawalPaise: z.int(),
    }),
    stores: z.object({ android: z.string(), ios: z.string() }),
    /** The people on the About page: the founder first. */
    team: z.array(
      z.object({
        name: z.string(),
        links: z.array(z.object({ network: z.enum(['professional', 'posts', 'photos']), url: z.string() })),
      }),
    ),
    /** Where visits are counted; null where they are not. */
    measurementId: z.string().nullable(),
    follow: z.object({ instagram: z.string(), youtube: z.string(), x: z.string() }),
    /** Ways to sign in beside the password. */
    signIn: z.object({ google: z.boolean() }),
    /** Whether this site sends mail: without it a forgotten password is not reset by a link. */
    mail: z.boolean(),
    timeZone: z.string(),
  }),
});
