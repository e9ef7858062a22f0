import { deletePost, getFriendPosts, type Post } from '#contract/posts.ts';
import { deleteReel, getFriendReels, type Reel } from '#contract/reels.ts';
import { deleteStory, getFriendStories, type Story } from '#contract/stories.ts';
import { call } from '#web/api.ts';
import { whyFailed } from '#web/messages/reasons.ts';
import { feedReel, shownReels } from '../feed/feed.ts';
import { removeItemFromLists } from '../lists/remove-item.ts';
import type { ListPage } from '../lists/use-list.ts';
import { allPosts, shownPost } from '../posts/posts.ts';
import { type Shown, shownPicture, shownReel } from '../showcase/shown.ts';

/** What one publishes: the tabs of one's profile. */
export const ownKinds = ['reels', 'posts', 'stories'] as const;
export type OwnKind = (typeof ownKinds)[number];

/** Something of one's own as its owner sees it. */
export interface Own {
  _id: string;
  kind: OwnKind;
  caption: string;
  createdAt: string;
  /** As tile and preview show it; a reel has that once it is ready. */
  shown?: Shown;
  /** What is not public: a reel in the making, or given up and why; anything that operators took down. */
  hidden?: Hidden;
  /** A story whose 24 hours are over: nobody else sees it any more. */
  over?: boolean;
}

export interface Hidden {
  why: 'processing' | 'failed' | 'takenDown';
  reason: string | null;
  placeholder: string;
  thumbnillurl: string;
}

interface Ask {
  userId: string;
  cursor: string | null;
  signal: AbortSignal;
}

/** One page of one's own reels, posts or stories, newest first. */
export async function ownPage(kind: OwnKind, { userId, cursor, signal }: Ask): Promise<ListPage<Own>> {
  const input = { params: { userId }, query: cursor ? { cursor } : {} };
  if (kind === 'reels') {
    const { data, nextCursor } = await call(getFriendReels, input, { signal });
    return { items: data.map(ownReel), nextCursor };
  }
  if (kind === 'posts') {
    const { data, nextCursor } = await call(getFriendPosts, input, { signal });
    return { items: data.map(ownPost), nextCursor };
  }
  const { data, nextCursor } = await call(getFriendStories, input, { signal });
  return { items: data.map(ownStory), nextCursor };
}

const about = ({ _id, caption, createdAt }: Pick<Own, '_id' | 'caption' | 'createdAt'>) => ({
  _id,
  caption,
  createdAt,
});

function ownReel(reel: Reel): Own {
  const { state, placeholder, thumbnillurl } = reel;
  const where =
    takenDown(reel) ??
    (state === 'ready'
      ? { shown: shownReel(feedReel(reel)) }
      : { hidden: { why: state, reason: whyFailed(reel), placeholder, thumbnillurl } });
  return { ...about(reel), kind: 'reels', ...where };
}

function ownPost(post: Post): Own {
  return { ...about(post), kind: 'posts', ...(takenDown(post) ?? { shown: shownPicture(shownPost(post)) }) };
}

/** How it stands where operators took it down; its files are served to nobody. */
function takenDown({ takenDown: reason, placeholder }: { takenDown: string | null; placeholder: string }) {
  if (reason === null) return undefined;
  return { hidden: { why: 'takenDown' as const, reason, placeholder, thumbnillurl: '' } };
}

function ownStory(story: Story): Own {
  const caption = story.statustext;
  return {
    ...about({ ...story, caption }),
    kind: 'stories',
    ...(takenDown(story) ?? { shown: shownPicture({ ...story, caption }) }),
    over: story.finish === 1,
  };
}

/** Deletes it at the server, for everybody. */
export function deleteOwn({ kind, _id: id }: Own): Promise<unknown> {
  const input = { params: { id } };
  if (kind === 'reels') return call(deleteReel, input);
  return kind === 'posts' ? call(deletePost, input) : call(deleteStory, input);
}

/** Takes what was deleted out of the lists that everybody sees, as far as this page has them. */
export async function forgetPublished({ kind, _id }: Own): Promise<void> {
  if (kind === 'reels') await removeItemFromLists(shownReels, _id);
  if (kind === 'posts') await removeItemFromLists(allPosts, _id);
}
