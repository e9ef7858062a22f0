import { Play } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { useText } from '../../text.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { Picture } from '../posts/picture.tsx';
import type { Shown } from './shown.ts';

const Preview = lazy(() => import('./preview.tsx').then((module) => ({ default: module.Preview })));
const gridLook = 'grid grid-cols-3 gap-1.5 sm:gap-3 lg:grid-cols-5';

/** Somebody's reels or pictures as tiles; one pressed opens large. */
export function Showcase({ items }: { items: Shown[] }) {
  const text = useText();
  const [open, setOpen] = useState<number>();
  return (
    <>
      <ul className={gridLook}>
        {items.map((item, place) => (
          <li key={item.id}>
            <button
              type="button"
              aria-haspopup="dialog"
              aria-label={text(item.kind === 'reel' ? 'preview.reel' : 'preview.photo', {
                name: item.caption || text(item.kind === 'reel' ? 'reel.untitled' : 'preview.untitledPhoto'),
              })}
              onClick={() => setOpen(place)}
              className={classNames(
                'on-night group relative block w-full [content-visibility:auto] overflow-hidden rounded-tile bg-night bg-cover bg-center text-night-text',
                item.kind === 'reel' ? 'aspect-9/16' : 'aspect-square',
              )}
              style={
                item.kind === 'reel' && item.reel.placeholder
                  ? { backgroundImage: `url(${item.reel.placeholder})` }
                  : undefined
              }
            >
              <Tile item={item} early={place < 3} />
            </button>
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <Suspense>
          <Preview items={items} index={open} onShow={setOpen} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function Tile({ item, early }: { item: Shown; early: boolean }) {
  const text = useText();
  if (item.kind === 'picture') {
    return (
      <Picture post={item.post} early={early} sizes="(width < 64rem) 33vw, 16rem" className={tilePicture} />
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
          className={classNames('absolute inset-0 size-full object-cover', tilePicture)}
        />
      )}
      <span className="tile-words absolute inset-x-0 bottom-0 flex items-center gap-1 px-2 pb-1.5 pt-10 text-[0.9375rem] sm:px-3 sm:pb-2.5">
        <Play aria-hidden className="size-3 fill-current" />
        <span className="figures">{text('count', { count: item.reel.views })}</span>
      </span>
    </>
  );
}

const tilePicture = 'transition-transform duration-500 group-hover:scale-[1.03]';

export function ShowcaseLoading({ kind, label }: { kind: Shown['kind']; label: string }) {
  return (
    <div role="status" aria-label={label} className={gridLook}>
      {[1, 2, 3, 4, 5, 6].map((place) => (
        <Skeleton key={place} className={kind === 'reel' ? 'aspect-9/16' : 'aspect-square'} />
      ))}
    </div>
  );
}
