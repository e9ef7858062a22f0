import { ChevronLeft, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { buttonLook, IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useKeys } from '#web/ui/use-keys.ts';
import { Picture } from '../posts/picture.tsx';
import type { GalleryPicture } from './gallery-picture.ts';

await loadPart('photo');

interface PreviewProps {
  pictures: readonly GalleryPicture[];
  index: number;
  onShow: (index: number) => void;
  onClose: () => void;
  /** Actions of the owner. */
  ownActions?: (id: string) => ReactNode;
}

/** The preview overlay of profiles (specification §2) for photos and stories: the picture in large, with its text. */
export default function Preview({ pictures, index, onShow, onClose, ownActions }: PreviewProps) {
  const text = useText();
  const picture = pictures[index];
  useKeys(true, () => ({
    arrowright: index + 1 < pictures.length ? () => onShow(index + 1) : undefined,
    arrowleft: index > 0 ? () => onShow(index - 1) : undefined,
  }));
  if (!picture) return null;
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <span dir="auto" className="line-clamp-2 text-lg sm:text-xl">
          {picture.caption || text('preview.untitledPhoto')}
        </span>
      }
      closeLabel={text('dialog.close')}
      className="w-[min(34rem,calc(100vw-1.5rem))]"
    >
      <div className="relative mx-auto overflow-hidden rounded-tile bg-night" style={frameOf(picture.post)}>
        <Picture key={picture.id} post={picture.post} sizes="34rem" className="object-contain" />
      </div>
      <div className="mt-4 flex items-center justify-between gap-3">
        <IconButton
          label={text('preview.previous')}
          aria-disabled={index === 0 || undefined}
          onClick={() => index > 0 && onShow(index - 1)}
          className="aria-disabled:opacity-40"
        >
          <ChevronLeft aria-hidden className="size-6" />
        </IconButton>
        <div className="grid justify-items-center gap-1">
          <p aria-live="polite" className="figures text-soft">
            {text('banner.place', { place: index + 1, count: pictures.length })}
          </p>
          <div className="flex flex-wrap justify-center gap-2">
            {picture.page && (
              <Link to={picture.page} className={buttonLook('secondary', 'px-3!')}>
                {text('photo.open')}
              </Link>
            )}
            {ownActions?.(picture.id)}
          </div>
        </div>
        <IconButton
          label={text('preview.next')}
          aria-disabled={index + 1 === pictures.length || undefined}
          onClick={() => index + 1 < pictures.length && onShow(index + 1)}
          className="aria-disabled:opacity-40"
        >
          <ChevronRight aria-hidden className="size-6" />
        </IconButton>
      </div>
    </Dialog>
  );
}

/** The largest size for screen and aspect ratio, so that the space is known before the picture is loaded. */
function frameOf({ width, height }: GalleryPicture['post']) {
  const shape = width > 0 && height > 0 ? width / height : 9 / 16;
  return { aspectRatio: String(shape), width: `min(100%, ${(62 * shape).toFixed(2)}dvh)` };
}
