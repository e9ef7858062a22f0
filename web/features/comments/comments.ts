import { getComments } from '#contract/engagement.ts';
import type { Comment } from '#contract/reels.ts';
import { call } from '#web/api.ts';
import type { ListOptions } from '../lists/use-list.ts';

/** What it answers, and otherwise the comment itself. */
export const threadOf = (comment: Comment | undefined) => comment?.parentId ?? comment?._id;

/** The comments on a reel, newest first, and after each its answers, oldest first. */
export const commentOptions = (reelId: string): ListOptions<Comment> => ({
  queryKey: ['comments', reelId],
  fetchPage: async (cursor, signal) => {
    const query = { limit: 20, ...(cursor ? { cursor } : {}) };
    const { data, nextCursor } = await call(getComments, { params: { id: reelId }, query }, { signal });
    return { items: data, nextCursor };
  },
  start: null,
  first: null,
});
