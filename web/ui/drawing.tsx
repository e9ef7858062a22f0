import { classNames } from './class-names.ts';
import file from './drawings.svg?url';

/** The drawings of `drawings.svg`. */
export const drawings = [
  'reels',
  'photos',
  'stories',
  'people',
  'search',
  'notifications',
  'comments',
  'earnings',
  'missing',
  'offline',
  'account',
  'report',
  'done',
  'broken',
] as const;
export type DrawingName = (typeof drawings)[number];

/** What is not there, as a line drawing with the band of light. It is loaded only where one is shown. */
export function Drawing({ name, className }: { name: DrawingName; className?: string }) {
  return (
    <svg
      aria-hidden
      viewBox="0 0 120 96"
      className={classNames('h-24 w-30 fill-accent text-text', className)}
    >
      <use href={`${file}#${name}`} />
    </svg>
  );
}
