import { rules } from '#contract/earning-rules.ts';

/** Why the publication of a reel pays nothing; null if it can pay. */
export function unpaidReel({
  seconds,
  still,
}: {
  seconds: number;
  still?: boolean;
}): 'too_short' | 'still' | null {
  // Containers round the duration.
  if (seconds < rules.shortestPaidReel - 0.05) return 'too_short';
  return still ? 'still' : null;
}
