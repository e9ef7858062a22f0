import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, nextCursor, page, time } from './fields.ts';

/** A picture as wide as `width` pixels. */
export const rendition = z.object({ url: z.string(), width: z.int() });

export const post = z.object({
  _id: id,
  userId: id,
  username: z.string(),
  profilePic: z.string(),
  caption: z.string(),
  description: z.string(),
  /** A JPEG that everything reads. */
  imageurl: z.string(),
  fileName: z.string(),
  /** The same picture as WebP, smallest first. */
  renditions: z.array(rendition),
  /** A picture of a few dozen bytes, as a data URL. */
  placeholder: z.string(),
  /** Of the picture as shown, in pixels. */
  width: z.int(),
  height: z.int(),
  /** Ids of the newest 100 people; `likeCount` is exact. */
  likes: z.array(id),
  likeCount: z.int(),
  createdAt: time,
});
export type Post = z.infer<typeof post>;

export const getAllPosts = endpoint({
  method: 'GET',
  path: '/api/post/getallPostsall',
  summary: 'All posts, newest first',
  tag: 'Posts',
  access: 'anyone',
  query: page,
  response: ok({ data: z.array(post), nextCursor }),
  errors: ['bad_cursor'],
});

export const getFriendPosts = endpoint({
  method: 'GET',
  path: '/api/post/getFrienddata/:userId',
  summary: "One person's posts, newest first",
  tag: 'Posts',
  access: 'anyone',
  params: z.object({ userId: id }),
  query: page,
  response: ok({ data: z.array(post), nextCursor }),
  errors: ['bad_cursor'],
});
