import { postTakeDown, storyTakeDown } from '../posts-and-stories/take-down.ts';
import { restoreReel, takeDownReel } from '../reels/take-down.ts';

/** How works of each kind are hidden, and shown again. */
export const works = {
  reel: { takeDown: takeDownReel, restore: restoreReel },
  post: postTakeDown,
  story: storyTakeDown,
} as const;
