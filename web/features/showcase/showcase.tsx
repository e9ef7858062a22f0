import { useState } from 'react';
import { useText } from '#web/text.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { fetchedPart } from '../offline/fetched-part.tsx';
import type { NextPages } from '../player/playlist.ts';
import type { Shown } from './shown.ts';
import { ShownTile } from './shown-tile.tsx';

const Preview = fetchedPart(() => import('./preview.tsx'));
const gridLook = 'grid grid-cols-3 gap-1.5 sm:gap-3 lg:grid-cols-5';
const shapeOf = (kind: Shown['kind']) => (kind === 'reel' ? 'aspect-9/16' : 'aspect-square');

/** A person's reels or pictures as tiles that open the preview. */
export function Showcase({ items, rest }: { items: Shown[]; rest: NextPages | undefined }) {
  const text = useText();
  const [open, setOpen] = useState<number>();
  return (
    <>
      <ul className={gridLook}>
        {items.map((item, place) => (
          <li key={item.id}>
            <ShownTile
              item={item}
              early={place < 3}
              label={text(item.kind === 'reel' ? 'preview.reel' : 'preview.photo', {
                name: item.caption || text(item.kind === 'reel' ? 'reel.untitled' : 'preview.untitledPhoto'),
              })}
              onOpen={() => setOpen(place)}
              className={shapeOf(item.kind)}
            />
          </li>
        ))}
      </ul>
      {open !== undefined && (
        <Preview {...{ items, rest }} index={open} onShow={setOpen} onClose={() => setOpen(undefined)} />
      )}
    </>
  );
}

export function ShowcaseLoading({ kind, label }: { kind: Shown['kind']; label: string }) {
  return (
    <div role="status" aria-label={label} className={gridLook}>
      {[1, 2, 3, 4, 5, 6].map((place) => (
        <Skeleton key={place} className={shapeOf(kind)} />
      ))}
    </div>
  );
}
