import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, nextCursor, page, time } from './fields.ts';
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
  placeholder: z.string(),
  width: z.int(),
  height: z.int(),
  type: z.literal('image'),
  /** 0 while others see it, 1 once its 24 hours are over (decisions §7). */
  finish: z.union([z.literal(0), z.literal(1)]),
  createdAt: time,
});
export type Story = z.infer<typeof story>;

export const getAllStories = endpoint({
  method: 'GET',
  path: '/api/story/getallStorys',
  summary: 'The stories of the last 24 hours, newest first',
  tag: 'Stories',
  access: 'anyone',
  query: page,
  response: ok({ data: z.array(story), nextCursor }),
  errors: ['bad_cursor'],
});

export const getFriendStories = endpoint({
  method: 'GET',
  path: '/api/story/getFriendStorydata/:userId',
  summary: "One person's stories, newest first; their owner also sees those that are over",
  tag: 'Stories',
  access: 'known',
  params: z.object({ userId: id }),
  query: page,
  response: ok({ data: z.array(story), nextCursor }),
  errors: ['bad_cursor'],
});
