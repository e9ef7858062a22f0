import type { ReactNode } from 'react';
import { useText } from '#web/text.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import type { NextPages, PlayedReel } from '../player/playlist.ts';
import { ReelTile } from './reel-tile.tsx';

/** What stands between the rows of reels. */
export interface Breaks {
  afterSecondRow: ReactNode;
  afterSixthRow: ReactNode;
}

/*
 * The number of columns depends on the screen, so the style sheet puts each break in its row, and the tiles flow around it. In the markup
 * a break follows the tiles that a phone shows before it, in two columns; the Tab key follows the rows where a browser knows `reading-flow`.
 */
const gridLook =
  'reel-grid grid grid-cols-2 gap-2 sm:grid-cols-3 sm:gap-3 md:grid-cols-4 lg:grid-cols-5 2xl:grid-cols-6 min-[110rem]:grid-cols-8';
const afterSecond = 'col-span-full row-start-3';
const afterSixth = 'col-span-full row-start-8';

export interface ReelGridProps {
  reels: PlayedReel[];
  /** The next pages of the list. */
  rest?: NextPages | undefined;
  /** Opens the player with a full page load, continuing with the feed. */
  fullLoad?: boolean;
  breaks?: Breaks;
  /** A line on a tile. */
  noteOf?: (reel: PlayedReel) => ReactNode;
}

/** Reels as 9:16 tiles; each opens the player with the whole list (specification §2, /videoplayer). */
export function ReelGrid({ reels, rest, fullLoad = false, breaks, noteOf }: ReelGridProps) {
  const tiles = reels.map((reel, index) => (
    <li key={reel._id}>
      <ReelTile
        {...{ reel, fullLoad }}
        state={{ videos: reels, startIndex: index, rest }}
        early={index < 2}
        note={noteOf?.(reel)}
      />
    </li>
  ));
  return (
    <ul className={gridLook}>
      {tiles.slice(0, 4)}
      {breaks && <li className={afterSecond}>{breaks.afterSecondRow}</li>}
      {tiles.slice(4, 12)}
      {breaks && <li className={afterSixth}>{breaks.afterSixthRow}</li>}
      {tiles.slice(12)}
    </ul>
  );
}

/** The 6 placeholders of specification §9. */
export function ReelGridLoading({ breaks }: { breaks: Breaks }) {
  const text = useText();
  return (
    <div className={gridLook}>
      <div role="status" aria-label={text('home.loading')} className="contents">
        {[1, 2, 3, 4, 5, 6].map((n) => (
          <Skeleton key={n} className="aspect-9/16" />
        ))}
      </div>
      <div className={afterSecond}>{breaks.afterSecondRow}</div>
      <div className={afterSixth}>{breaks.afterSixthRow}</div>
    </div>
  );
}
