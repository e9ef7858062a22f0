import type { FeedReel } from '../feed/feed.ts';
import type { ShownPicture } from '../posts/picture.tsx';
import { pageOf } from './page-of.ts';

/** A reel or picture on a profile. */
export type Shown =
  | { kind: 'reel'; id: string; caption: string; reel: FeedReel }
  | { kind: 'picture'; id: string; caption: string; post: ShownPicture; page: string | undefined };

export const shownReel = (reel: FeedReel): Shown => ({
  kind: 'reel',
  id: reel._id,
  caption: reel.caption,
  reel,
});
export const shownPicture = (kind: 'post' | 'story', post: ShownPicture & { _id: string }): Shown => ({
  kind: 'picture',
  id: post._id,
  caption: post.caption,
  post,
  page: pageOf(kind, post._id),
});
