import { classNames } from './class-names.ts';

/** Holds the place of something on its way. */
export function Skeleton({ className }: { className?: string }) {
  return <div aria-hidden className={classNames('shimmer rounded-tile', className)} />;
}
