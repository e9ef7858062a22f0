import { useText } from '#web/text.tsx';
import type { FeedReel } from '../feed/feed.ts';

/** How often a reel was liked, commented on and shared. */
export function Counts({ reel: { likeCount, commentCount, shareviews } }: { reel: FeedReel }) {
  const text = useText();
  return (
    <ul className="figures mt-5 flex flex-wrap gap-x-6 gap-y-2 font-semibold">
      <li>{text('player.likes', { count: likeCount })}</li>
      <li>{text('player.comments', { count: commentCount })}</li>
      <li>{text('player.shares', { count: shareviews })}</li>
    </ul>
  );
}
