import { z } from 'zod';
import { crowd, endpoint, ok } from './endpoint.ts';
import { id, nextCursor, page, text } from './fields.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';
import { comment } from './reels.ts';

/** Rate limit of likes, comments and shares, which the app sends, or the site if it has none (decisions §1, §5). */
const often = { perPerson: 240 };
const params = z.object({ id });
const liked = ok({ liked: z.boolean(), likeCount: z.int() });

export const likeReel = endpoint({
  method: 'POST',
  path: '/api/reel/like/:id',
  summary: 'Like a reel; idempotent',
  tag: 'Responses',
  access: 'person',
  limit: { ...often, perDay: 'likes' },
  params,
  response: liked,
  errors: ['not_found'],
});

export const unlikeReel = endpoint({
  method: 'DELETE',
  path: '/api/reel/like/:id',
  summary: 'Remove a like; idempotent',
  tag: 'Responses',
  access: 'person',
  limit: often,
  params,
  response: liked,
  errors: ['not_found'],
});

export const likePost = endpoint({
  method: 'POST',
  path: '/api/post/like/:id',
  summary: 'Like a post; idempotent',
  tag: 'Responses',
  access: 'person',
  limit: { ...often, perDay: 'likes' },
  params,
  response: liked,
  errors: ['not_found'],
});

export const unlikePost = endpoint({
  method: 'DELETE',
  path: '/api/post/like/:id',
  summary: 'Remove a like; idempotent',
  tag: 'Responses',
  access: 'person',
  limit: often,
  params,
  response: liked,
  errors: ['not_found'],
});

export const getLiked = endpoint({
  method: 'POST',
  path: '/api/liked',
  summary: 'Which of these reels and posts you like; the lists contain only the newest likes',
  tag: 'Responses',
  access: 'person',
  limit: often,
  body: z.object({
    ids: z
      .array(id, { error: invalid('liked_ids') })
      .max(100, { error: invalid('liked_many', { most: 100 }) }),
  }),
  response: ok({ data: z.array(id) }),
});

export const getComments = endpoint({
  method: 'GET',
  path: '/api/reel/comments/:id',
  summary: 'The comments on a reel, newest first, and after each its answers, oldest first',
  tag: 'Responses',
  access: 'known',
  limit: { perPerson: 240, perNetwork: crowd },
  params,
  query: page,
  response: ok({ data: z.array(comment), commentCount: z.int(), nextCursor }),
  errors: ['not_found', 'bad_cursor'],
});

const somethingToSay = invalid('comment');

export const addComment = endpoint({
  method: 'POST',
  path: '/api/reel/comment/:id',
  summary: 'Comment on a reel; a request with the same `sentAs` adds no second comment',
  tag: 'Responses',
  access: 'person',
  limit: { perPerson: 30, perDay: 'comments' },
  params,
  body: z.object({
    text: text(limits.comment, somethingToSay).refine((said) => said.trim() !== '', {
      error: somethingToSay,
    }),
    /** A UUID that the client creates for each comment, so that a retry does not add the comment twice. */
    sentAs: z.uuid({ error: invalid('comment_id') }),
    /** The comment that it answers. If that is gone, it becomes a comment like others. */
    parentId: id.optional(),
  }),
  response: ok({ data: comment, commentCount: z.int() }),
  errors: ['not_found', 'sent_before'],
});

export const deleteComment = endpoint({
  method: 'DELETE',
  path: '/api/reel/comment/:id',
  summary: 'Delete your own comment, or one on your own reel; idempotent',
  tag: 'Responses',
  access: 'person',
  limit: often,
  params,
  response: ok({}),
  errors: ['not_yours'],
});

export const shareReel = endpoint({
  method: 'POST',
  path: '/api/reel/share/:id',
  summary: 'Report that you shared a reel; each person counts once',
  tag: 'Responses',
  access: 'person',
  limit: { ...often, perDay: 'shares' },
  params,
  response: ok({ shareviews: z.int() }),
  errors: ['not_found'],
});
