import { deletePost, editPost, getFriendPosts, type Post } from '#contract/posts.ts';
import { deleteReel, editReel, getFriendReels, type Reel } from '#contract/reels.ts';
import { deleteStory, getFriendStories, type Story } from '#contract/stories.ts';
import { call } from '#web/api.ts';
import { whyFailed } from '#web/messages/reasons.ts';
import { type FeedReel, feedReel, shownReels } from '../feed/feed.ts';
import { removeItemFromLists } from '../lists/remove-item.ts';
import type { ListPage } from '../lists/use-list.ts';
import { allPosts, postsChanged, shownPost } from '../posts/posts.ts';
import { type GalleryPicture, galleryPicture } from '../showcase/gallery-picture.ts';
import { storiesChanged } from '../stories/stories-changed.ts';
import type { PostDraft } from '../upload/form/post-fields.tsx';
import type { ReelDraft } from '../upload/form/use-send-reel.ts';

/** The kinds of content, which are the tabs of the own profile. */
export const ownKinds = ['reels', 'posts', 'stories'] as const;
export type OwnKind = (typeof ownKinds)[number];

/** An item as its owner sees it. */
export interface Own {
  _id: string;
  kind: OwnKind;
  caption: string;
  createdAt: string;
  /** A public reel. */
  reel?: FeedReel;
  /** The picture of a public photo or of a story. */
  picture?: GalleryPicture;
  /** Why it is not public: it is processing, failed, waits for an operator, or was taken down. */
  hidden?: Hidden;
  /** What its owner can edit; only of a public reel or photo. */
  editable?: Editable;
  /** When its words, categories or cover were changed last. */
  editedAt?: string | undefined;
  /** A reel that plays without the sound of its file, which could not be read. */
  soundLost?: boolean;
  /** A story older than 24 hours, which only its owner sees. */
  over?: boolean;
}

export type Editable =
  | { kind: 'reels'; words: ReelDraft; reel: FeedReel }
  | { kind: 'posts'; words: PostDraft };

export interface Hidden {
  why: 'processing' | 'failed' | 'waits' | 'takenDown';
  reason: string | null;
  placeholder: string;
  thumbnillurl: string;
}

interface Ask {
  userId: string;
  cursor: string | null;
  signal: AbortSignal;
}

/** One page of the person's own reels, posts or stories, newest first. */
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
  const { state, placeholder, thumbnillurl, caption, creadit } = reel;
  const words = { caption, creadit, category: reel.category.map(({ id }) => id) };
  const shown = feedReel(reel);
  const where =
    takenDown(reel) ??
    (state === 'ready'
      ? { reel: shown, editable: { kind: 'reels' as const, words, reel: shown } }
      : { hidden: { why: state, reason: whyFailed(reel), placeholder, thumbnillurl } });
  return {
    ...about(reel),
    editedAt: reel.editedAt,
    kind: 'reels',
    ...where,
    soundLost: reel.soundLost === true,
  };
}

function ownPost(post: Post): Own {
  const { caption, description } = post;
  return {
    ...about(post),
    editedAt: post.editedAt,
    kind: 'posts',
    ...(takenDown(post) ?? {
      picture: galleryPicture('post', shownPost(post)),
      editable: { kind: 'posts', words: { caption, description } },
    }),
  };
}

/** The state of content that was taken down; its files are withheld. */
function takenDown({
  takenDown: reason,
  waits,
  placeholder,
}: Pick<Reel, 'takenDown' | 'waits' | 'placeholder'>) {
  if (reason === null) return undefined;
  const why = waits ? 'waits' : 'takenDown';
  return { hidden: { why, reason: waits ? null : reason, placeholder, thumbnillurl: '' } as const };
}

function ownStory(story: Story): Own {
  const caption = story.statustext;
  return {
    ...about({ ...story, caption }),
    kind: 'stories',
    ...(takenDown(story) ?? { picture: galleryPicture('story', { ...story, caption }) }),
    over: story.finish === 1,
  };
}

/** Deletes the item at the server. */
export function deleteOwn({ kind, _id: id }: Own): Promise<unknown> {
  const input = { params: { id } };
  if (kind === 'reels') return call(deleteReel, input);
  return kind === 'posts' ? call(deletePost, input) : call(deleteStory, input);
}

/** Changes words, categories or cover of a reel, or words of a photo, at the server; returns it as it is then. */
export async function editOwn({ kind, _id: id }: Own, changes: object): Promise<Own> {
  const input = { params: { id }, body: changes };
  return kind === 'reels'
    ? ownReel((await call(editReel, input)).data)
    : ownPost((await call(editPost, input)).data);
}

/** Removes a deleted item from the loaded public lists. */
export async function removeFromPublicLists({ kind, _id }: Own): Promise<void> {
  if (kind === 'reels') await removeItemFromLists(shownReels, _id);
  if (kind === 'posts') {
    await removeItemFromLists(allPosts, _id);
    postsChanged();
  }
  if (kind === 'stories') void storiesChanged();
}
