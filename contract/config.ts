import { z } from 'zod';
import { category, categoryGroups } from './categories.ts';
import { crowd, endpoint, ok } from './endpoint.ts';
import { time } from './fields.ts';

export const getConfig = endpoint({
  method: 'GET',
  path: '/api/config',
  summary: 'Values that clients need: limits, categories, coin rates, when a view was watched, store links',
  tag: 'Site',
  access: 'anyone',
  limit: { perNetwork: crowd },
  cached: true,
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
    /** Ids of the categories offered for a video from a link. */
    linkCategories: z.array(z.string()),
    /** Maximum number of bytes of an upload in one request, because of proxies in front of the server. */
    uploadPiece: z.int(),
    /**
     * Limits of a person's uploads that are not published, including incomplete ones. They are deleted after a day.
     */
    unpublished: z.object({ files: z.int(), bytes: z.int() }),
    /** Where people like, comment, follow and edit their profile: in the app, or on the site. The calls are the same. */
    interactions: z.enum(['app', 'web']),
    /** Whether this server imports YouTube and Instagram links. */
    linkImport: z.boolean(),
    /** Imports a day of one network without a login; 0 if a login is needed. */
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
    /** When a showing (`increaseView`) becomes a watched view, from contract/earning-rules.ts. */
    watching: z.object({
      /** Seconds that a reel must play in a showing, from the arrival of its lease on. */
      seconds: z.number(),
      /** A shorter reel must play this share of its duration. */
      share: z.number(),
      /** A watched view must be reported within so many minutes of its showing. */
      leaseMinutes: z.int(),
      /** Watched views of one viewer that count in a day. */
      viewsADay: z.int(),
      /** Showings of one viewer in a minute; more are refused (429). */
      showingsAMinute: z.int(),
      /**
       * Until then a logged-in person's showing in an app that reports nothing counts as watched by the time until their own
       * next one; null from then on.
       */
      olderAppsUntil: time.nullable(),
    }),
    /** The rules of the current month. */
    monthRules: z.object({
      /** Whether only accounts with a verified address are established. */
      verifiedOnly: z.boolean(),
    }),
    /** How many publications of a creator pay in a month. */
    paidPublications: z.object({ reels: z.int(), posts: z.int(), stories: z.int() }),
    stores: z.object({ android: z.string(), ios: z.string() }),
    /** The team on the About page, founder first. */
    team: z.array(
      z.object({
        name: z.string(),
        links: z.array(z.object({ network: z.enum(['professional', 'posts', 'photos']), url: z.string() })),
      }),
    ),
    /** Measurement id of the analytics service; null if there is none. */
    measurementId: z.string().nullable(),
    follow: z.object({ instagram: z.string(), youtube: z.string(), x: z.string() }),
    /** Ways to sign in other than the password. */
    signIn: z.object({ google: z.boolean() }),
    /** Whether this site sends mail: without it a forgotten password is not reset by a link. */
    mail: z.boolean(),
    timeZone: z.string(),
  }),
});
