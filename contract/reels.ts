import { z } from 'zod';
import { category } from './categories.ts';
import { copy } from './copies.ts';
import { crowd, endpoint, ok } from './endpoint.ts';
import { failure } from './failure.ts';
import { card, id, nextCursor, page, text, time } from './fields.ts';
import { limits } from './limits.ts';
import { watchRules } from './rates.ts';

export const comment = z.object({
  _id: id,
  userId: id,
  username: z.string(),
  profilePic: z.string(),
  text: z.string(),
  createdAt: time,
});
export type Comment = z.infer<typeof comment>;

/** The state of a reel between its upload and its publication. Only its owner sees the first and the last one. */
export const reelState = z.enum(['processing', 'ready', 'failed']);

export const reel = z.object({
  _id: id,
  userId: id,
  username: z.string(),
  userProfilePic: z.string(),
  caption: z.string(),
  /** Whom the uploader credits; spelled as the owner spells it. */
  creadit: z.string(),
  /** The public page it was fetched from by its link; empty where it was not. */
  source: z.string(),
  /** Empty until the reel is ready. */
  videourl: z.string(),
  videoKey: z.string(),
  /** The uploader's own 300×533 picture, or ours where there is none. */
  thumbnillurl: z.string(),
  /** Our pictures of a good frame: as wide as the video, and 360 px wide for a grid. Empty until the reel is ready. */
  posterurl: z.string(),
  tileurl: z.string(),
  /** The poster as JPEG; reels from before there was one get it later. */
  card: card.optional(),
  /** A picture of a few dozen bytes, as a data URL: on screen before anything else is fetched. */
  placeholder: z.string(),
  /** Of the video as shown, in pixels; 0 until ready. */
  width: z.int(),
  height: z.int(),
  /** Seconds; 0 until ready. */
  duration: z.number(),
  /** The same video for slower networks, smallest first; the last is `videourl`. None of reels from before there were any. */
  renditions: z.array(
    z.object({
      width: z.int(),
      height: z.int(),
      /** Bits a second, on average. */
      bitrate: z.int(),
      url: z.string(),
    }),
  ),
  /** Words to read, by language: WebVTT that we wrote. The addresses are empty until the reel is ready. */
  captionTracks: z.array(z.object({ language: z.string(), url: z.string() })),
  category: z.array(category),
  views: z.int(),
  /** Ids of the newest 20 people, of a reel alone 100; `likeCount` is exact. */
  likes: z.array(id),
  likeCount: z.int(),
  /** The newest 3, of a reel alone 100; /api/reel/comments/{id} lists all. */
  comments: z.array(comment),
  commentCount: z.int(),
  shareviews: z.int(),
  state: reelState,
  /** How far processing is, in percent, for its owner; absent as long as it is unknown. */
  progress: z.int().min(0).max(99).optional(),
  /** Why processing failed, for its owner. */
  failure: z.string().nullable(),
  /** What `failure` says, as a failed call has it, so that a client can say it in another language. */
  failureReason: failure.pick({ code: true, params: true }).optional(),
  /** Whether it is a copy of an earlier work, changed or not; it earns nothing (decisions §4). */
  duplicate: z.boolean(),
  /** Why operators took it down, for its owner; null if it was not taken down. */
  takenDown: z.string().nullable(),
  createdAt: time,
});
export type Reel = z.infer<typeof reel>;

export const getAllReels = endpoint({
  method: 'GET',
  path: '/api/reel/getallReels',
  summary: 'All public reels, newest first',
  tag: 'Reels',
  access: 'anyone',
  limit: { perNetwork: crowd },
  cached: true,
  query: page,
  response: ok({ data: z.array(reel), nextCursor }),
  errors: ['bad_cursor'],
});

export const getReel = endpoint({
  method: 'GET',
  path: '/api/reel/getReel/:id',
  summary: 'One reel; its owner also sees it while it is processing or failed',
  tag: 'Reels',
  access: 'known',
  limit: { perPerson: 600, perNetwork: crowd },
  params: z.object({ id }),
  /** `copy`: for its owner, what it was taken for, if it earns nothing or waits for a person. */
  response: ok({ data: reel, copy: copy.nullable() }),
  errors: ['not_found'],
});

export const getFriendReels = endpoint({
  method: 'GET',
  path: '/api/reel/getFrienddata/:userId',
  summary: "One person's reels, newest first; its owner also sees those in processing and failed",
  tag: 'Reels',
  access: 'known',
  limit: { perPerson: 600, perNetwork: crowd },
  params: z.object({ userId: id }),
  query: page,
  response: ok({ data: z.array(reel), nextCursor }),
  errors: ['not_found', 'bad_cursor'],
});

export const uploadResult = ok({ fileUrl: z.string(), fileName: z.string() });

export const uploadReelFile = endpoint({
  method: 'POST',
  path: '/api/s3Reel/uploadReels',
  summary: 'Send a video, or a thumbnail for one, as the multipart part `file`',
  tag: 'Reels',
  access: 'person',
  limit: { perPerson: 60 },
  file: { maxBytes: limits.video.maxBytes, waits: true },
  response: uploadResult.extend({
    kind: z.enum(['video', 'image']),
    /** The same file was published before: publishing it again earns nothing (decisions §4). */
    duplicate: z.boolean(),
  }),
  errors: [
    'file_missing',
    'too_much_unpublished',
    'file_empty',
    'file_not_video',
    'video_kind_refused',
    'file_unreadable',
    'file_incomplete',
    'file_too_large',
    'video_too_long',
    'upload_interrupted',
  ],
});

export const addReel = endpoint({
  method: 'POST',
  path: '/api/reel/add',
  summary: 'Publish an uploaded video; sent twice it is the same reel',
  tag: 'Reels',
  access: 'person',
  limit: { perPerson: 60 },
  body: z.object({
    userId: id.optional(),
    username: z.string().max(100).optional(),
    caption: text(limits.caption).default(''),
    creadit: text(limits.credit).default(''),
    videourl: z.string().max(500).optional(),
    videoKey: text(200, 'Please select a video first').min(1, { error: 'Please select a video first' }),
    thumbnillurl: text(500).default(''),
    /** The `sourceUrl` that /api/link/download-video answered; nothing else is taken. */
    sourceUrl: text(500).optional(),
    /** The person confirms that a video fetched by its link is theirs to publish. */
    isMine: z.boolean().optional(),
    category: z
      .array(z.union([z.string().max(60), z.object({ id: z.string().max(60) })]))
      .max(limits.categoriesPerReel, { error: `Choose at most ${limits.categoriesPerReel} categories.` })
      .default([]),
  }),
  response: ok({ data: reel }),
  errors: [
    'not_yours',
    'upload_unknown',
    'upload_used',
    'unknown_category',
    'source_unknown',
    'not_confirmed',
  ],
});

export const deleteReel = endpoint({
  method: 'DELETE',
  path: '/api/reel/deleteReel/:id',
  summary: 'Delete one of your reels and its files; sent twice it is still deleted',
  tag: 'Reels',
  access: 'person',
  limit: { perPerson: 120 },
  changesLists: true,
  params: z.object({ id }),
  response: ok({}),
  errors: ['not_yours', 'not_found'],
});

/** Earlier showings that were watched to the end of their required seconds. */
const watched = z
  .array(
    z.object({
      lease: z.string().max(200),
      /** Seconds that the reel played in that showing, with half of the picture visible. */
      seconds: z.number().min(0).max(86_400),
    }),
    { error: 'Please send a list of watched showings.' },
  )
  .max(20, { error: 'Please send at most 20 watched showings at a time.' });
export type WatchedShowing = z.input<typeof watched>[number];

export const increaseView = endpoint({
  method: 'POST',
  path: '/api/reel/increaseView/:id',
  summary:
    'Say that a reel was shown; `views` is the displayed count after it. Report with `lease` once it was watched',
  tag: 'Reels',
  access: 'known',
  limit: {
    perPerson: watchRules.showingsAMinute,
    perViewer: watchRules.showingsAMinute,
    perNetwork: crowd,
  },
  params: z.object({ id }),
  body: z.object({
    watched: watched.optional(),
    /** A random id that the browser keeps. Without it, visitors of one network and browser version are one viewer. */
    viewer: z.string().min(16).max(64).optional(),
  }),
  response: ok({
    views: z.int(),
    /**
     * False means not yet: a view counts once it was watched. Only in months from before this rule, a showing counts
     * by itself.
     */
    counted: z.boolean(),
    /** Proves this showing for ten minutes. Null if it can never count: one's own, a bot's, or one of a copy. */
    lease: z.string().nullable(),
  }),
  errors: ['not_found'],
});

export const reportWatched = endpoint({
  method: 'POST',
  path: '/api/reel/watched',
  summary:
    'Report showings that were watched, when leaving; `counted` is how many of them count. Leases that are not valid are ignored',
  tag: 'Reels',
  access: 'known',
  limit: { perPerson: watchRules.showingsAMinute, perNetwork: crowd },
  body: z.object({ watched }),
  response: ok({ counted: z.int() }),
});
