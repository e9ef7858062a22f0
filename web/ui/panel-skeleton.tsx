import type { ReactNode } from 'react';
import { Skeleton } from './skeleton.tsx';

/** The place of a panel that is loading: its title, and lines that have a figure at their end. */
export function PanelSkeleton({ lines, children }: { lines: number; children?: ReactNode }) {
  return (
    <div aria-hidden className="grid gap-4 rounded-panel border border-line bg-surface p-5">
      <Skeleton className="h-7 w-40" />
      <LinesSkeleton lines={lines} />
      {children}
    </div>
  );
}

export function LinesSkeleton({ lines }: { lines: number }) {
  return [...Array(lines).keys()].map((line) => (
    <div key={line} aria-hidden className="flex justify-between">
      <Skeleton className="h-4 w-28" />
      <Skeleton className="h-4 w-12" />
    </div>
  ));
}
