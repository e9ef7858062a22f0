import type { Caller } from '../../../contract/call.ts';
import { getAllPosts, getFriendPosts, type Post } from '../../../contract/posts.ts';
import { call } from '../../api.ts';
import type { ListOptions, ListPage } from '../lists/use-list.ts';

/** What the site shows of a post; the list of likers stays out of pages and history. */
export type ShownPost = Omit<Post, 'likes' | 'fileName'>;
export type PostPage = ListPage<ShownPost>;

const shownPost = ({ likes: _likes, fileName: _fileName, ...post }: Post): ShownPost => post;

/** One page of posts, newest first; of one person where one is named. */
export async function postPage(
  caller: Caller,
  userId: string | undefined,
  cursor: string | null,
  signal?: AbortSignal,
): Promise<PostPage> {
  const query = { limit: 12, ...(cursor ? { cursor } : {}) };
  const options = signal ? { signal } : {};
  const { data, nextCursor } = userId
    ? await caller(getFriendPosts, { params: { userId }, query }, options)
    : await caller(getAllPosts, { query }, options);
  return { items: data.map(shownPost), nextCursor };
}

/** Posts from a cursor on; `first` is the page that the server has rendered already. */
export function postOptions(
  userId: string | undefined,
  start: string | null,
  first: PostPage | null,
): ListOptions<ShownPost> {
  return {
    queryKey: ['posts', userId ?? 'all'],
    fetchPage: (cursor, signal) => postPage(call, userId, cursor, signal),
    start,
    first,
  };
}
