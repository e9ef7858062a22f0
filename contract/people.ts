import { z } from 'zod';
import { crowd, endpoint, ok } from './endpoint.ts';
import { card, id, nextCursor, page, text, time } from './fields.ts';

/** A person as the public sees them (specification §3). */
export const person = z.object({
  _id: id,
  name: z.string(),
  username: z.string(),
  profilePic: z.string(),
  /** Ids of the newest 20 in a list, or 100 in a single person; the exact count has its own field. */
  followers: z.array(id),
  following: z.array(id),
  followerCount: z.int(),
  followingCount: z.int(),
  reelCount: z.int(),
  postCount: z.int(),
  createdAt: time,
  /** The original picture for link previews, in a single person only. */
  card: card.optional(),
});
export type Person = z.infer<typeof person>;

/** A person as they see themselves, with their e-mail address. */
export const self = person.extend({
  email: z.string(),
  /** Whether the address was verified by the link of a mail or by an identity provider. */
  emailVerified: z.boolean(),
});
export type Self = z.infer<typeof self>;

export const getUser = endpoint({
  method: 'GET',
  path: '/api/getuser/:id',
  summary: "One person's public profile",
  tag: 'People',
  access: 'known',
  limit: { perPerson: 600, perNetwork: crowd },
  params: z.object({ id }),
  response: ok({ data: person }),
  errors: ['not_found'],
});

export const getAllUsers = endpoint({
  method: 'GET',
  path: '/api/getallUser',
  summary: 'All people, newest first; with `q` those whose name or username contains it, best match first',
  tag: 'People',
  access: 'known',
  cached: true,
  limit: { perPerson: 240, perNetwork: crowd },
  query: page.extend({ q: text(80).trim().optional() }),
  response: ok({ data: z.array(person), nextCursor }),
  errors: ['bad_cursor'],
});
