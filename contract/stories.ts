import { z } from 'zod';
import { copy } from './copies.ts';
import { crowd, endpoint, ok } from './endpoint.ts';
import { card, id, nextCursor, page, text, time } from './fields.ts';
import { limits } from './limits.ts';
import { photoErrors, photoName, photoUpload, uploadedPhoto } from './photos.ts';
import { rendition } from './posts.ts';

export const story = z.object({
  _id: id,
  userId: id,
  username: z.string(),
  profilePic: z.string(),
  statustext: z.string(),
  imageurl: z.string(),
  fileName: z.string(),
  renditions: z.array(rendition),
  /** As in a post. */
  avif: z.array(rendition).optional(),
  /** As in a post. */
  card: card.optional(),
  placeholder: z.string(),
  width: z.int(),
  height: z.int(),
  type: z.literal('image'),
  /** 0 while others see it, 1 once its 24 hours are over (decisions §7). */
  finish: z.union([z.literal(0), z.literal(1)]),
  /** As in a post. */
  duplicate: z.boolean(),
  /** Why operators took it down, for its owner; null if it was not taken down. */
  takenDown: z.string().nullable(),
  /** Hidden until an operator has compared it with what was taken down (decisions §4). */
  waits: z.literal(true).optional(),
  /** How many signed-in people saw the story. Only its owner gets this number; nobody gets their names. */
  seenBy: z.int().optional(),
  createdAt: time,
});
export type Story = z.infer<typeof story>;

/** A person with stories of the last 24 hours. */
export const storyPerson = z.object({
  userId: id,
  username: z.string(),
  profilePic: z.string(),
  /** The newest of these stories. */
  storyId: id,
  createdAt: time,
});
export type StoryPerson = z.infer<typeof storyPerson>;

/** How many people with stories, and how many who were seen, `getStoryRow` has at most. */
export const storyRowAtMost = { followed: 100, seen: 500 } as const;

export const getAllStories = endpoint({
  method: 'GET',
  path: '/api/story/getallStorys',
  summary: 'The stories of the last 24 hours, newest first',
  tag: 'Stories',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  cached: true,
  query: page,
  response: ok({ data: z.array(story), nextCursor }),
  errors: ['bad_cursor'],
});

export const getStoryPeople = endpoint({
  method: 'GET',
  path: '/api/story/people',
  summary: 'People with stories of the last 24 hours, each once, by their newest story',
  tag: 'Stories',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  cached: true,
  query: page,
  response: ok({ data: z.array(storyPerson), nextCursor }),
  errors: ['bad_cursor'],
});

export const getStoryRow = endpoint({
  method: 'GET',
  path: '/api/story/row',
  summary:
    'For your row of stories: the people you follow who have some, and up to which story you saw whose',
  tag: 'Stories',
  access: 'person',
  limit: { perPerson: 240 },
  response: ok({
    followed: z.array(storyPerson),
    seen: z.array(z.object({ userId: id, storyId: id })),
  }),
});

export const markStorySeen = endpoint({
  method: 'POST',
  path: '/api/story/seen/:id',
  summary: 'Say that you saw a story; idempotent. Your own is not counted',
  tag: 'Stories',
  access: 'person',
  limit: { perPerson: 240, perDay: 'seenStories' },
  params: z.object({ id }),
  response: ok({}),
  errors: ['not_found'],
});

export const getFriendStories = endpoint({
  method: 'GET',
  path: '/api/story/getFriendStorydata/:userId',
  summary: "One person's stories, newest first; their owner also sees expired ones",
  tag: 'Stories',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  params: z.object({ userId: id }),
  query: page,
  response: ok({ data: z.array(story), nextCursor }),
  errors: ['bad_cursor'],
});

export const uploadStoryPhoto = endpoint({
  method: 'POST',
  path: '/api/s3Story/uploadStorys',
  summary: 'Upload a photo for a story, as the multipart part `file`',
  tag: 'Stories',
  access: 'person',
  limit: { perPerson: 60 },
  file: photoUpload,
  response: uploadedPhoto,
  errors: photoErrors,
});

export const addStory = endpoint({
  method: 'POST',
  path: '/api/story/add',
  summary: 'Publish an uploaded photo for 24 hours; a repeated request returns the same story',
  tag: 'Stories',
  access: 'person',
  changesLists: true,
  limit: { perPerson: 60, perDay: 'stories' },
  body: z.object({
    userId: id.optional(),
    username: z.string().max(100).optional(),
    statustext: text(limits.statusText).default(''),
    imageurl: z.string().max(500).optional(),
    fileName: photoName,
    /** Sent by clients of the specification, and ignored: the server knows the kind and when a story ends. */
    type: z.string().max(40).optional(),
    finish: z.union([z.number(), z.string().max(40)]).optional(),
  }),
  /** `copy`: the original work, if this one earns nothing or waits for an operator. */
  response: ok({ data: story, copy: copy.nullable() }),
  errors: ['not_yours', 'upload_unknown', 'upload_used'],
});

export const deleteStory = endpoint({
  method: 'DELETE',
  path: '/api/story/deleteStory/:id',
  summary: 'Delete one of your stories and its files; idempotent',
  tag: 'Stories',
  access: 'person',
  limit: { perPerson: 120 },
  changesLists: true,
  params: z.object({ id }),
  response: ok({}),
  errors: ['not_yours', 'not_found'],
});
