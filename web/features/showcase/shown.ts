import type { FeedReel } from '../feed/feed.ts';
import type { ShownPicture } from '../posts/picture.tsx';

/** A reel or picture on a profile. */
export type Shown =
  | { kind: 'reel'; id: string; caption: string; reel: FeedReel }
  | { kind: 'picture'; id: string; caption: string; post: ShownPicture };

export const shownReel = (reel: FeedReel): Shown => ({
  kind: 'reel',
  id: reel._id,
  caption: reel.caption,
  reel,
});
export const shownPicture = (post: ShownPicture & { _id: string }): Shown => ({
  kind: 'picture',
  id: post._id,
  caption: post.caption,
  post,
});
