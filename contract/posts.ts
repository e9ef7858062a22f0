import { z } from 'zod';
import { copy } from './copies.ts';
import { crowd, endpoint, ok } from './endpoint.ts';
import { card, id, nextCursor, page, text, time } from './fields.ts';
import { limits } from './limits.ts';
import { photoErrors, photoName, photoUpload, uploadedPhoto } from './photos.ts';
import { workLabels } from './site-rules.ts';

/** A picture with this width in pixels. */
export const rendition = z.object({ url: z.string(), width: z.int() });

export const post = z.object({
  _id: id,
  userId: id,
  username: z.string(),
  profilePic: z.string(),
  caption: z.string(),
  description: z.string(),
  /** A JPEG, which every client can show. */
  imageurl: z.string(),
  fileName: z.string(),
  /** The picture as WebP, smallest first. */
  renditions: z.array(rendition),
  /** The picture as AVIF if that is smaller; created some time after the publication. */
  avif: z.array(rendition).optional(),
  /** Absent if it is taken down. */
  card: card.optional(),
  /** A tiny picture as a data URL. */
  placeholder: z.string(),
  /** Size of the displayed picture in pixels. */
  width: z.int(),
  height: z.int(),
  /** Ids of the newest 20 people, or 100 in a single post; `likeCount` is exact. */
  likes: z.array(id),
  likeCount: z.int(),
  /** What operators found that all who see it should know; absent if nothing. */
  label: z.enum(workLabels).optional(),
  /** Whether it is a copy of an earlier work, changed or not; it earns nothing (decisions §4). */
  duplicate: z.boolean(),
  /** Reason of a take-down, for the owner; null if it is not taken down. */
  takenDown: z.string().nullable(),
  /** Hidden until an operator has compared it with what was taken down (decisions §4). */
  waits: z.literal(true).optional(),
  createdAt: time,
  /** When its owner last changed its words; absent if never. */
  editedAt: time.optional(),
});
export type Post = z.infer<typeof post>;

export const getAllPosts = endpoint({
  method: 'GET',
  path: '/api/post/getallPostsall',
  summary: 'All posts, newest first',
  tag: 'Posts',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  cached: true,
  query: page,
  response: ok({ data: z.array(post), nextCursor }),
  errors: ['bad_cursor'],
});

export const getFriendPosts = endpoint({
  method: 'GET',
  path: '/api/post/getFrienddata/:userId',
  summary: "One person's posts, newest first",
  tag: 'Posts',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  params: z.object({ userId: id }),
  query: page,
  response: ok({ data: z.array(post), nextCursor }),
  errors: ['bad_cursor'],
});

export const getPost = endpoint({
  method: 'GET',
  path: '/api/post/getPost/:id',
  summary:
    'One post, with the ids of its neighbours among the public posts of its creator; null at either end',
  tag: 'Posts',
  access: 'known',
  limit: { perPerson: 600, perNetwork: crowd },
  params: z.object({ id }),
  response: ok({ data: post, newer: id.nullable(), older: id.nullable() }),
  errors: ['not_found'],
});

export const uploadPostPhoto = endpoint({
  method: 'POST',
  path: '/api/s3Post/uploadPosts',
  summary: 'Upload a photo for a post, as the multipart part `file`',
  tag: 'Posts',
  access: 'person',
  limit: { perPerson: 60 },
  file: photoUpload,
  response: uploadedPhoto,
  errors: photoErrors,
});

export const addPost = endpoint({
  method: 'POST',
  path: '/api/post/add',
  summary: 'Publish an uploaded photo; a repeated request returns the same post',
  tag: 'Posts',
  access: 'person',
  changesLists: true,
  limit: { perPerson: 60, perDay: 'photos' },
  body: z.object({
    userId: id.optional(),
    username: z.string().max(100).optional(),
    caption: text(limits.caption).default(''),
    description: text(limits.description).default(''),
    imageurl: z.string().max(500).optional(),
    fileName: photoName,
  }),
  /** `copy`: the original work, if this one earns nothing or waits for an operator. */
  response: ok({ data: post, copy: copy.nullable() }),
  errors: ['not_yours', 'upload_unknown', 'upload_used'],
});

export const editPost = endpoint({
  method: 'POST',
  path: '/api/post/edit/:id',
  summary:
    'Change caption or description of one of your public posts; what is absent stays, and so do coins, date and place. Idempotent. Refused while a report about it is undecided',
  tag: 'Posts',
  access: 'person',
  changesLists: true,
  limit: { perPerson: 60, perDay: 'edits' },
  params: z.object({ id }),
  body: z.object({
    caption: text(limits.caption).optional(),
    description: text(limits.description).optional(),
  }),
  response: ok({ data: post }),
  errors: ['not_yours', 'not_found', 'not_allowed', 'reported'],
});

export const deletePost = endpoint({
  method: 'DELETE',
  path: '/api/post/deletePost/:id',
  summary: 'Delete one of your posts and its files; idempotent',
  tag: 'Posts',
  access: 'person',
  limit: { perPerson: 120 },
  changesLists: true,
  params: z.object({ id }),
  response: ok({}),
  errors: ['not_yours', 'not_found'],
});
