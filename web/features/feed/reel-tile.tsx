import { Play } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { Link } from 'react-router';
import { useText } from '#web/text.tsx';
import { shortNumber } from '#web/ui/short-number.ts';
import { useSite } from '../chrome/use-site.ts';
import type { PlayerState } from '../player/playlist.ts';
import { smallestVideo } from '../player/rendition.ts';
import type { FeedReel } from './feed.ts';
import { Preview } from './preview.tsx';
import { useOpenedTile } from './use-opened-tile.ts';
import { usePreview } from './use-preview.ts';

interface ReelTileProps {
  reel: FeedReel;
  state: PlayerState;
  /** Whether it is on the first screen; then its poster is loaded at once. */
  early: boolean;
  fullLoad?: boolean;
  /** On a profile: the name of the creator and the visible words are left out. */
  isBrief?: boolean;
  /** A line about it. */
  note?: ReactNode;
}

export function ReelTile({ reel, state, early, fullLoad = false, isBrief = false, note }: ReelTileProps) {
  const text = useText();
  const { lang } = useSite();
  const ref = useRef<HTMLAnchorElement>(null);
  const previewing = usePreview(ref);
  const to = `/videoplayer?reel=${reel._id}`;
  // The opened tile grows into the player, and back.
  const { moves, remember } = useOpenedTile(ref, reel._id, to);
  return (
    <Link
      ref={ref}
      to={to}
      state={state}
      reloadDocument={fullLoad}
      viewTransition
      onClick={remember}
      // All tiles lead to the same page, so the first visible ones prefetch its script.
      prefetch={early ? 'viewport' : 'intent'}
      className="on-night group relative block aspect-9/16 [content-visibility:auto] overflow-hidden rounded-tile bg-night bg-cover bg-center text-night-text"
      style={{
        backgroundImage: reel.placeholder && `url(${reel.placeholder})`,
        viewTransitionName: moves ? 'reel' : undefined,
      }}
    >
      {reel.thumbnillurl && (
        <img
          src={reel.thumbnillurl}
          alt=""
          width={300}
          height={533}
          loading={early ? 'eager' : 'lazy'}
          fetchPriority={early ? 'high' : 'auto'}
          decoding="async"
          className="absolute inset-0 size-full object-cover transition-transform duration-200 group-hover:scale-[1.03]"
        />
      )}
      {previewing && <Preview src={smallestVideo(reel)} />}
      <span className="tile-words absolute inset-x-0 bottom-0 grid grid-cols-[minmax(0,1fr)] gap-0.5 px-3 pb-2.5 pt-16 leading-snug">
        {reel.caption && !isBrief ? (
          <span dir="auto" className="line-clamp-2 font-semibold">
            {reel.caption}
          </span>
        ) : (
          <span className="sr-only">{reel.caption || text('reel.untitled')}</span>
        )}
        <span className="flex items-baseline justify-between gap-3 text-[0.9375rem]">
          {!isBrief && <span className="truncate">@{reel.username}</span>}
          <span className="figures inline-flex shrink-0 items-center gap-1">
            <Play aria-hidden className="size-3 fill-current" />
            <span className="sr-only">{text('reel.viewsWord')}</span>
            {shortNumber(lang, reel.views)}
          </span>
        </span>
        {note && <span className="truncate text-[0.8125rem] text-night-soft">{note}</span>}
      </span>
    </Link>
  );
}
