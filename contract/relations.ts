import { z } from 'zod';
import { crowd, endpoint, ok } from './endpoint.ts';
import { id, nextCursor, page } from './fields.ts';
import { invalid } from './invalid.ts';
import { person } from './people.ts';

/** Relations between two people: following, and blocking (decisions §5). */
const often = { perPerson: 120 };
const params = z.object({ userId: id });

const followed = ok({ following: z.boolean(), followerCount: z.int() });

export const follow = endpoint({
  method: 'POST',
  path: '/api/follow/:userId',
  summary: 'Follow a person; idempotent',
  tag: 'Relations',
  access: 'person',
  limit: { ...often, perDay: 'follows' },
  params,
  response: followed,
  errors: ['not_found', 'invalid_input'],
});

export const unfollow = endpoint({
  method: 'DELETE',
  path: '/api/follow/:userId',
  summary: 'Unfollow a person; idempotent',
  tag: 'Relations',
  access: 'person',
  limit: often,
  params,
  response: followed,
  errors: ['not_found'],
});

export const getFollowed = endpoint({
  method: 'POST',
  path: '/api/followed',
  summary: 'Which of these people you follow; the lists contain only the newest follows',
  tag: 'Relations',
  access: 'person',
  limit: { perPerson: 240 },
  body: z.object({
    ids: z
      .array(id, { error: invalid('followed_ids') })
      .max(100, { error: invalid('liked_many', { most: 100 }) }),
  }),
  response: ok({ data: z.array(id) }),
});

const peoplePage = ok({ data: z.array(person), nextCursor });

export const getFollowers = endpoint({
  method: 'GET',
  path: '/api/followers/:userId',
  summary: 'The followers of a person, newest first',
  tag: 'Relations',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  params,
  query: page,
  response: peoplePage,
  errors: ['bad_cursor', 'not_found'],
});

export const getFollowing = endpoint({
  method: 'GET',
  path: '/api/following/:userId',
  summary: 'The people that a person follows, newest first',
  tag: 'Relations',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  params,
  query: page,
  response: peoplePage,
  errors: ['bad_cursor', 'not_found'],
});

export const block = endpoint({
  method: 'POST',
  path: '/api/block/:userId',
  summary:
    'Block a person: follows between you end, and neither of you sees the other or their content any more; idempotent',
  tag: 'Relations',
  access: 'person',
  limit: often,
  params,
  response: ok({}),
  errors: ['not_found', 'invalid_input', 'too_many_blocks'],
});

export const unblock = endpoint({
  method: 'DELETE',
  path: '/api/block/:userId',
  summary: 'Unblock a person; idempotent. Follows that the block ended stay ended',
  tag: 'Relations',
  access: 'person',
  limit: often,
  params,
  response: ok({}),
});

export const getBlocked = endpoint({
  method: 'GET',
  path: '/api/block',
  summary: 'The people that you block, newest first',
  tag: 'Relations',
  access: 'person',
  limit: { perPerson: 240 },
  query: page,
  response: peoplePage,
  errors: ['bad_cursor'],
});
