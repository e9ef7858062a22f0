import { Play } from 'lucide-react';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { OverlayLink } from '../posts/overlay-link.tsx';
import { Picture } from '../posts/picture.tsx';
import type { Shown } from './shown.ts';

interface ShownTileProps {
  item: Shown;
  /** Whether it is on the first screen; then its picture is loaded at once. */
  early: boolean;
  /** The accessible name. */
  label: string;
  onOpen: () => void;
  /** Class for the aspect ratio. */
  className: string;
}

/** A reel or picture as a tile that opens the preview. */
export function ShownTile({ item, early, label, onOpen, className }: ShownTileProps) {
  const look = classNames(
    'on-night group relative block w-full [content-visibility:auto] overflow-hidden rounded-tile bg-night bg-cover bg-center text-night-text',
    className,
  );
  if (item.kind === 'picture' && item.page) {
    return (
      <OverlayLink to={item.page} onOpen={onOpen} aria-label={label} className={look}>
        <Inside item={item} early={early} />
      </OverlayLink>
    );
  }
  return (
    <button
      type="button"
      aria-haspopup="dialog"
      aria-label={label}
      onClick={onOpen}
      className={look}
      style={
        item.kind === 'reel' && item.reel.placeholder
          ? { backgroundImage: `url(${item.reel.placeholder})` }
          : undefined
      }
    >
      <Inside item={item} early={early} />
    </button>
  );
}

const pictureLook = 'transition-transform duration-500 group-hover:scale-[1.03]';

function Inside({ item, early }: { item: Shown; early: boolean }) {
  const text = useText();
  if (item.kind === 'picture') {
    return (
      <Picture post={item.post} early={early} sizes="(width < 64rem) 33vw, 16rem" className={pictureLook} />
    );
  }
  return (
    <>
      {item.reel.thumbnillurl && (
        <img
          src={item.reel.thumbnillurl}
          alt=""
          width={300}
          height={533}
          loading={early ? 'eager' : 'lazy'}
          decoding="async"
          className={classNames('absolute inset-0 size-full object-cover', pictureLook)}
        />
      )}
      <span className="tile-words absolute inset-x-0 bottom-0 flex items-center gap-1 px-2 pb-1.5 pt-10 text-[0.9375rem] sm:px-3 sm:pb-2.5">
        <Play aria-hidden className="size-3 fill-current" />
        <span className="figures">{text('count', { count: item.reel.views })}</span>
      </span>
    </>
  );
}
