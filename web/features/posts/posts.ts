import type { CallEndpoint } from '#contract/call.ts';
import { getAllPosts, getFriendPosts, type Post } from '#contract/posts.ts';
import { call } from '#web/api.ts';
import { queryClient } from '#web/query-client.ts';
import type { ListOptions, ListPage } from '../lists/use-list.ts';

/** What the site shows of a post; the list of likers stays out of pages and history. */
export type ShownPost = Omit<Post, 'likes' | 'fileName' | 'takenDown'>;
export type PostPage = ListPage<ShownPost>;

export const shownPost = ({
  likes: _likes,
  fileName: _fileName,
  takenDown: _takenDown,
  ...post
}: Post): ShownPost => post;

/** One page of posts, newest first; of one person where one is named. */
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
  // Its owner is also told of what was taken down: that is for the own profile.
  return { items: data.filter((post) => post.takenDown === null).map(shownPost), nextCursor };
}

/** Every list of posts is kept under this key. */
export const allPosts = ['posts'] as const;

/** Posts from a cursor on; `first` is the page that the server has rendered already. */
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

/** Says that a post was published or deleted: lists of posts ask again when they are next opened. */
export function postsChanged(): Promise<void> {
  return queryClient().invalidateQueries({ queryKey: ['posts'] });
}
