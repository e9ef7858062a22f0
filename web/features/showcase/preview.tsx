import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { Link } from 'react-router';
import { loadPart } from '#web/messages/catalogues.ts';
import { useText } from '#web/text.tsx';
import { buttonLook, IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { NextPages, PlayerState } from '../player/playlist.ts';
import { Picture } from '../posts/picture.tsx';
import { ReelVideo } from './reel-video.tsx';
import type { Shown } from './shown.ts';

await Promise.all([loadPart('player'), loadPart('photo')]);

interface PreviewProps {
  items: Shown[];
  index: number;
  onShow: (index: number) => void;
  onClose: () => void;
  /** Actions of the owner for a reel. */
  ownActions?: (reelId: string) => ReactNode;
  /** The next pages of the list. */
  rest: NextPages | undefined;
}

/** The preview overlay of profiles (specification §2): the reel or picture in large, with its text. */
export default function Preview({ items, index, onShow, onClose, ownActions, rest }: PreviewProps) {
  const text = useText();
  const item = items[index];
  const onKey = useEffectEvent(({ key, target }: KeyboardEvent) => {
    // On the progress bar the arrow keys seek.
    if (target instanceof HTMLInputElement) return;
    if (key === 'ArrowRight' && index + 1 < items.length) onShow(index + 1);
    if (key === 'ArrowLeft' && index > 0) onShow(index - 1);
  });
  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  if (!item) return null;
  const reels = items.flatMap((one) => (one.kind === 'reel' ? one.reel : []));
  const startIndex = reels.findIndex(({ _id }) => _id === item.id);
  const title = item.caption || text(item.kind === 'reel' ? 'reel.untitled' : 'preview.untitledPhoto');
  return (
    <Dialog
      open
      onClose={onClose}
      title={
        <span dir="auto" className="line-clamp-2 text-lg sm:text-xl">
          {title}
        </span>
      }
      closeLabel={text('dialog.close')}
      className="w-[min(34rem,calc(100vw-1.5rem))]"
    >
      <div className="relative mx-auto overflow-hidden rounded-tile bg-night" style={frameOf(item)}>
        {item.kind === 'reel' ? (
          <ReelVideo key={item.id} reel={item.reel} label={title} />
        ) : (
          <Picture key={item.id} post={item.post} sizes="34rem" className="object-contain" />
        )}
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
        {item.kind === 'reel' ? (
          <div className="flex flex-wrap justify-center gap-2">
            <Link
              to={`/videoplayer?reel=${item.id}`}
              state={{ videos: reels, startIndex, rest } satisfies PlayerState}
              viewTransition
              className={buttonLook('secondary', 'px-3!')}
            >
              {text('preview.open')}
            </Link>
            {ownActions?.(item.id)}
          </div>
        ) : (
          <div className="grid justify-items-center gap-1">
            <p aria-live="polite" className="figures text-soft">
              {text('banner.place', { place: index + 1, count: items.length })}
            </p>
            {item.page && (
              <Link to={item.page} className={buttonLook('secondary', 'px-3!')}>
                {text('photo.open')}
              </Link>
            )}
          </div>
        )}
        <IconButton
          label={text('preview.next')}
          aria-disabled={index + 1 === items.length || undefined}
          onClick={() => index + 1 < items.length && onShow(index + 1)}
          className="aria-disabled:opacity-40"
        >
          <ChevronRight aria-hidden className="size-6" />
        </IconButton>
      </div>
    </Dialog>
  );
}

/** The largest size for screen and aspect ratio, so that the space is known before the picture is loaded. */
function frameOf(item: Shown) {
  const { width, height } = item.kind === 'reel' ? item.reel : item.post;
  const shape = width > 0 && height > 0 ? width / height : 9 / 16;
  return {
    aspectRatio: String(shape),
    width: `min(100%, ${(62 * shape).toFixed(2)}dvh)`,
    // The reel grows into the player.
    viewTransitionName: item.kind === 'reel' ? 'reel' : undefined,
  };
}
