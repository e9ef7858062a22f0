import { classNames } from './class-names.ts';

/** A placeholder for content that is loading. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames('shimmer rounded-tile', className)} />;
}
