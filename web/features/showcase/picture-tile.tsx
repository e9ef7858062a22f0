import { OverlayLink } from '../posts/overlay-link.tsx';
import { Picture } from '../posts/picture.tsx';
import type { GalleryPicture } from './gallery-picture.ts';

interface PictureTileProps {
  picture: GalleryPicture;
  /** Whether it is on the first screen; then it is loaded at once. */
  early: boolean;
  /** The accessible name. */
  label: string;
  onOpen: () => void;
  /** Class for the aspect ratio. */
  className: string;
}

/** A picture as a tile that opens the preview. A photo is also a link to its page. */
export function PictureTile({ picture: { post, page }, early, label, onOpen, className }: PictureTileProps) {
  const look = `on-night group relative block w-full [content-visibility:auto] overflow-hidden rounded-tile bg-night text-night-text ${className}`;
  const inside = (
    <Picture
      post={post}
      early={early}
      sizes="(width < 64rem) 33vw, 16rem"
      className="transition-transform duration-500 group-hover:scale-[1.03]"
    />
  );
  if (page) {
    return (
      <OverlayLink to={page} onOpen={onOpen} aria-label={label} className={look}>
        {inside}
      </OverlayLink>
    );
  }
  return (
    <button type="button" aria-haspopup="dialog" aria-label={label} onClick={onOpen} className={look}>
      {inside}
    </button>
  );
}
