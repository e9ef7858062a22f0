import type { ReactNode } from 'react';
import { useText } from '#web/text.tsx';
import { classNames } from '#web/ui/class-names.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';

const gridLook = 'grid grid-cols-3 gap-1.5 sm:grid-cols-4 sm:gap-3 lg:grid-cols-5';

/** The shapes of tiles: posts are square, reels and stories are upright. */
export const upright = 'aspect-9/16';
export const square = 'aspect-square';

/** The tiles of a profile, as list items. */
export function TileGrid({ className, children }: { className?: string; children: ReactNode }) {
  return <ul className={classNames(gridLook, className)}>{children}</ul>;
}

export function TileGridLoading({ shape }: { shape: string }) {
  const text = useText();
  return (
    <div role="status" aria-label={text('list.loading')} className={gridLook}>
      {[1, 2, 3, 4, 5, 6].map((place) => (
        <Skeleton key={place} className={shape} />
      ))}
    </div>
  );
}
