import type { ReactNode } from 'react';
import { PanelSkeleton } from '#web/ui/panel-skeleton.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';

/** The kind of content below the page's title. */
export type PageShape = 'panels' | 'form' | 'rows' | 'profile';

const shapes: Record<PageShape, ReactNode> = {
  panels: (
    <>
      <PanelSkeleton lines={2} />
      <PanelSkeleton lines={6} />
    </>
  ),
  form: (
    <>
      <Skeleton className="h-5 w-3/4" />
      <Skeleton className="h-64 rounded-panel" />
      <Skeleton className="h-11 rounded-control" />
      <Skeleton className="h-24 rounded-control" />
      <Skeleton className="h-11 w-32 rounded-control" />
    </>
  ),
  rows: [1, 2, 3, 4, 5].map((place) => <Skeleton key={place} className="h-18 rounded-panel" />),
  profile: (
    <>
      <div className="grid gap-5 pb-4 sm:gap-7 sm:pb-8 sm:pt-4">
        <div className="flex items-center gap-4 sm:gap-8">
          <Skeleton className="size-22 shrink-0 rounded-full sm:size-36" />
          <div className="grid flex-1 gap-3">
            <Skeleton className="h-8 w-48 max-w-full" />
            <Skeleton className="h-5 w-32" />
            <Skeleton className="h-11 w-44 rounded-control" />
          </div>
        </div>
        <Skeleton className="h-11 w-full max-w-xl rounded-control" />
        <Skeleton className="h-14 w-full max-w-xl rounded-panel" />
      </div>
      <Skeleton className="h-11 w-64 max-w-full rounded-control" />
      <div className="grid grid-cols-3 gap-1.5 sm:grid-cols-4 sm:gap-3">
        {[1, 2, 3, 4].map((place) => (
          <Skeleton key={place} className="aspect-9/16" />
        ))}
      </div>
    </>
  ),
};

/** The placeholder of a page until the session is known. */
export function PageSkeleton({ shape }: { shape: PageShape }) {
  return (
    <>
      {shape !== 'profile' && <Skeleton className="h-9 w-56 max-w-full" />}
      {shapes[shape]}
    </>
  );
}
