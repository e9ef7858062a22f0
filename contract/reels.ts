import { z } from 'zod';
import { category } from './categories.ts';
import { copy } from './copies.ts';
import { showingsAMinute } from './earning-rules.ts';
import { crowd, endpoint, ok } from './endpoint.ts';
import { failure } from './failure.ts';
import { card, id, nextCursor, page, text, time, viewerId } from './fields.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';
import { workLabels } from './site-rules.ts';

export const comment = z.object({
  _id: id,
  userId: id,
  username: z.string(),
  profilePic: z.string(),
  text: z.string(),
  createdAt: time,
  /** The comment that it answers. */
  parentId: id.optional(),
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
  /** The person or source that the uploader credits, in the uploader's spelling. */
  creadit: z.string(),
  /** The public page of an imported video; empty for others. */
  source: z.string(),
  /** Empty until the reel is ready. */
  videourl: z.string(),
  videoKey: z.string(),
  /** The uploader's own 300×533 picture, or ours if there is none, or once another frame was chosen. */
  thumbnillurl: z.string(),
  /** Our pictures of a good frame, or of the chosen one: as wide as the video, and 360 px wide for a grid. Empty until the reel is ready. */
  posterurl: z.string(),
  tileurl: z.string(),
  /** The poster as JPEG. */
  card: card.optional(),
  /** A picture of a few dozen bytes, as a data URL: shown before anything else is loaded. */
  placeholder: z.string(),
  /** The displayed size of the video in pixels; 0 until ready. */
  width: z.int(),
  height: z.int(),
  /** Seconds; 0 until ready. */
  duration: z.number(),
  /** Renditions for slower networks, smallest first; the last is `videourl`. Empty until ready. */
  renditions: z.array(
    z.object({
      width: z.int(),
      height: z.int(),
      /** Bits per second, on average. */
      bitrate: z.int(),
      url: z.string(),
    }),
  ),
  /** Captions by language: WebVTT that we wrote. The addresses are empty until the reel is ready. */
  captionTracks: z.array(z.object({ language: z.string(), url: z.string() })),
  category: z.array(category),
  views: z.int(),
  /** Ids of the newest 20 people, or 100 in a single reel; `likeCount` is exact. */
  likes: z.array(id),
  likeCount: z.int(),
  /** The newest 3, or 100 in a single reel; /api/reel/comments/{id} lists all. */
  comments: z.array(comment),
  commentCount: z.int(),
  shareviews: z.int(),
  state: reelState,
  /** The progress of processing in percent, for its owner; absent while it is unknown. */
  progress: z.int().min(0).max(99).optional(),
  /** Why processing failed, for its owner. */
  failure: z.string().nullable(),
  /** Code and parameters of `failure`, as in a failed call, so that a client can translate it. */
  failureReason: failure.pick({ code: true, params: true }).optional(),
  /** Its file has sound that no decoder here knows, so it plays without; absent if not. */
  soundLost: z.boolean().optional(),
  /** What operators found that all who see it should know; absent if nothing. */
  label: z.enum(workLabels).optional(),
  /** Whether it is a copy of an earlier work, changed or not; it earns nothing (decisions §4). */
  duplicate: z.boolean(),
  /** Why operators took it down, for its owner; null if it was not taken down. */
  takenDown: z.string().nullable(),
  /** Hidden until an operator has compared it with what was taken down (decisions §4). */
  waits: z.literal(true).optional(),
  createdAt: time,
  /** When its owner last changed its words, categories or cover; absent if never. */
  editedAt: time.optional(),
});
export type Reel = z.infer<typeof reel>;

export const getAllReels = endpoint({
  method: 'GET',
  path: '/api/reel/getallReels',
  summary: 'All public reels, newest first',
  tag: 'Reels',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  cached: true,
  query: page,
  response: ok({ data: z.array(reel), nextCursor }),
  errors: ['bad_cursor'],
});

export const getReel = endpoint({
  method: 'GET',
  path: '/api/reel/getReel/:id',
  summary: 'One reel; its owner also gets it while it is processing or after it failed',
  tag: 'Reels',
  access: 'known',
  limit: { perPerson: 600, perNetwork: crowd },
  params: z.object({ id }),
  /** `copy`: for its owner, the original work, if this one earns nothing or waits for an operator. */
  response: ok({ data: reel, copy: copy.nullable() }),
  errors: ['not_found'],
});

export const getFriendReels = endpoint({
  method: 'GET',
  path: '/api/reel/getFrienddata/:userId',
  summary: "One person's reels, newest first; their owner also gets those that are processing or failed",
  tag: 'Reels',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  params: z.object({ userId: id }),
  query: page,
  response: ok({ data: z.array(reel), nextCursor }),
  errors: ['not_found', 'bad_cursor'],
});

export const uploadResult = ok({ fileUrl: z.string(), fileName: z.string() });

export const uploadReelFile = endpoint({
  method: 'POST',
  path: '/api/s3Reel/uploadReels',
  summary: 'Upload a video, or a thumbnail for one, as the multipart part `file`',
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

const chosenCategories = z
  .array(z.union([z.string().max(60), z.object({ id: z.string().max(60) })]))
  .max(limits.categoriesPerReel, { error: invalid('categories', { most: limits.categoriesPerReel }) });

export const addReel = endpoint({
  method: 'POST',
  path: '/api/reel/add',
  summary: 'Publish an uploaded video; a repeated request returns the same reel',
  tag: 'Reels',
  access: 'person',
  limit: { perPerson: 60, perDay: 'reels' },
  body: z.object({
    userId: id.optional(),
    username: z.string().max(100).optional(),
    caption: text(limits.caption).default(''),
    creadit: text(limits.credit).default(''),
    videourl: z.string().max(500).optional(),
    videoKey: text(200, invalid('video')).min(1, { error: invalid('video') }),
    thumbnillurl: text(500).default(''),
    /** The `sourceUrl` of the response of /api/link/download-video; other values are refused. */
    sourceUrl: text(500).optional(),
    /** The person confirms the right to publish an imported video. */
    isMine: z.boolean().optional(),
    category: chosenCategories.default([]),
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

export const editReel = endpoint({
  method: 'POST',
  path: '/api/reel/edit/:id',
  summary:
    'Change caption, credit, categories or cover (a frame of it) of one of your public reels; what is absent stays, and so do coins, date and place. Idempotent. Refused while a report about it is undecided',
  tag: 'Reels',
  access: 'person',
  changesLists: true,
  limit: { perPerson: 60, perDay: 'edits' },
  params: z.object({ id }),
  body: z.object({
    caption: text(limits.caption).optional(),
    creadit: text(limits.credit).optional(),
    category: chosenCategories.optional(),
    cover: z
      .number({ error: invalid('cover') })
      .min(0, { error: invalid('cover') })
      .optional()
      .describe('The second of the frame that becomes the cover'),
  }),
  response: ok({ data: reel }),
  errors: ['not_yours', 'not_found', 'not_allowed', 'unknown_category', 'reported', 'invalid_input'],
});

export const deleteReel = endpoint({
  method: 'DELETE',
  path: '/api/reel/deleteReel/:id',
  summary: 'Delete one of your reels and its files; idempotent',
  tag: 'Reels',
  access: 'person',
  limit: { perPerson: 120 },
  changesLists: true,
  params: z.object({ id }),
  response: ok({}),
  errors: ['not_yours', 'not_found'],
});

/** Earlier showings whose required seconds were watched. */
const watched = z
  .array(
    z.object({
      lease: z.string().max(200),
      /** Seconds that the reel played in that showing, with half of the picture visible. */
      seconds: z.number().min(0).max(86_400),
    }),
    { error: invalid('showings') },
  )
  .max(20, { error: invalid('showings_many', { most: 20 }) });
export type WatchedShowing = z.input<typeof watched>[number];

export const increaseView = endpoint({
  method: 'POST',
  path: '/api/reel/increaseView/:id',
  summary:
    'Report that a reel was shown; `views` is the displayed count after it. Once it was watched, report it with `lease`',
  tag: 'Reels',
  access: 'known',
  limit: {
    perPerson: showingsAMinute,
    perViewer: showingsAMinute,
    perNetwork: crowd,
  },
  params: z.object({ id }),
  body: z.object({
    watched: watched.optional(),
    /** A random id that the browser stores. Without it, visitors of one network and browser version are one viewer. */
    viewer: viewerId.optional(),
  }),
  response: ok({
    views: z.int(),
    /** A showing does not count: a view counts once it was watched. */
    counted: z.literal(false),
    /** Proves this showing for ten minutes. Null if it can never count: one's own or a bot's. */
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
  limit: { perPerson: showingsAMinute, perNetwork: crowd },
  body: z.object({ watched }),
  response: ok({ counted: z.int() }),
});
