import type { CallEndpoint } from '#contract/call.ts';
import type { Category } from '#contract/categories.ts';
import { getTag, type SearchedKind, search, type Tag } from '#contract/search.ts';
import { type FeedReel, feedReel } from '../feed/feed.ts';
import type { ListPage } from '../lists/use-list.ts';
import { type ListedPerson, listed } from '../people/people-list.ts';
import { type ShownPost, shownPost } from '../posts/posts.ts';

/** Results of a search or works of a tag, as they are shown. */
export interface Found {
  reels: ListPage<FeedReel>;
  posts: ListPage<ShownPost>;
  people: ListPage<ListedPerson>;
  tags: ListPage<Tag>;
  categories: Category[];
  suggestion: string | null;
}

interface Asked {
  q: string;
  /** Null for the first results of all kinds. */
  kind: SearchedKind | null;
  cursor: string | null;
}

export async function searchFor(
  caller: CallEndpoint,
  { q, kind, cursor }: Asked,
  signal?: AbortSignal,
): Promise<Found> {
  const query = { q, ...(kind ? { kind } : {}), ...(cursor ? { cursor } : {}) };
  const { reels, posts, people, tags, ...rest } = await caller(search, { query }, signal ? { signal } : {});
  return {
    ...rest,
    reels: pageOf(reels, feedReel),
    posts: pageOf(posts, shownPost),
    people: pageOf(people, listed),
    tags: pageOf(tags, (tag) => tag),
  };
}

export interface TaggedWorks extends Pick<Found, 'reels' | 'posts'> {
  tag: Tag;
}

export async function tagFor(
  caller: CallEndpoint,
  { tag, kind, cursor }: { tag: string; kind: 'reel' | 'post' | null; cursor: string | null },
  signal?: AbortSignal,
): Promise<TaggedWorks> {
  const query = { ...(kind ? { kind } : {}), ...(cursor ? { cursor } : {}) };
  const { data, reels, posts } = await caller(getTag, { params: { tag }, query }, signal ? { signal } : {});
  return { tag: data, reels: pageOf(reels, feedReel), posts: pageOf(posts, shownPost) };
}

function pageOf<Sent, Item>(
  { data, nextCursor }: { data: Sent[]; nextCursor: string | null },
  shown: (sent: Sent) => Item,
): ListPage<Item> {
  return { items: data.map(shown), nextCursor };
}
