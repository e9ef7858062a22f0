import { useText } from '#web/text.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { NextPages } from '../player/playlist.ts';
import type { FeedReel } from './feed.ts';
import { ReelTile } from './reel-tile.tsx';

const gridLook =
  'grid grid-cols-2 gap-2 sm:grid-cols-3 sm:gap-3 md:grid-cols-4 lg:grid-cols-5 2xl:grid-cols-6 min-[110rem]:grid-cols-8';

interface ReelGridProps {
  reels: FeedReel[];
  /** The next pages of the list. */
  rest?: NextPages | undefined;
  /** Opens the player with a full page load, continuing with the feed. */
  fullLoad?: boolean;
}

/** Reels as 9:16 tiles; each opens the player with the whole list (specification §2, /videoplayer). */
export function ReelGrid({ reels, rest, fullLoad = false }: ReelGridProps) {
  return (
    <ul className={gridLook}>
      {reels.map((reel, index) => (
        <li key={reel._id}>
          <ReelTile
            {...{ reel, fullLoad }}
            state={{ videos: reels, startIndex: index, rest }}
            early={index < 2}
          />
        </li>
      ))}
    </ul>
  );
}

/** The 6 placeholders of specification §9. */
export function ReelGridLoading() {
  const text = useText();
  return (
    <div role="status" aria-label={text('home.loading')} className={gridLook}>
      {[1, 2, 3, 4, 5, 6].map((n) => (
        <Skeleton key={n} className="aspect-9/16" />
      ))}
    </div>
  );
}
