import type { CallEndpoint } from '#contract/call.ts';
import { getAllPosts, getFriendPosts, type Post } from '#contract/posts.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
import type { ListOptions, ListPage } from '../lists/use-list.ts';

/** The fields of a post that the site shows. The list of likers is left out of pages and history state. */
export type ShownPost = Omit<Post, 'likes' | 'fileName' | 'takenDown'>;
export type PostPage = ListPage<ShownPost>;

export const shownPost = ({
  likes: _likes,
  fileName: _fileName,
  takenDown: _takenDown,
  ...post
}: Post): ShownPost => post;

/** One page of posts, newest first, optionally of one person. */
export async function postPage(
  caller: CallEndpoint,
  userId: string | undefined,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<PostPage> {
  const query = { limit: 12, ...(cursor ? { cursor } : {}) };
  const options = signal ? { signal } : {};
  const { data, nextCursor } = userId
    ? await caller(getFriendPosts, { params: { userId }, query }, options)
    : await caller(getAllPosts, { query }, options);
  // The owner also gets posts that were taken down; they are shown on the own profile only.
  return { items: data.filter((post) => post.takenDown === null).map(shownPost), nextCursor };
}

/** Query key of every list of posts. */
export const allPosts = ['posts'] as const;

/** Posts from a cursor on; `first` is the page that the server has rendered. */
export function postOptions(
  userId: string | undefined,
  start: string | null,
  first: PostPage | null,
): ListOptions<ShownPost> {
  return {
    queryKey: [...allPosts, userId ?? 'all'],
    fetchPage: (cursor, signal) => postPage(call, userId, cursor, signal),
    start,
    first,
  };
}

/** Query key of what is shown beside a photo. It is no list with pages, so it is not one of `allPosts`. */
export const aroundPhotos = ['around photo'] as const;

/** Marks all that shows posts as stale after one was published, edited or deleted. */
export function postsChanged(): void {
  for (const queryKey of [allPosts, aroundPhotos]) void queryClient().invalidateQueries({ queryKey });
}
