import { monthOf } from '#server/platform/clock.ts';

/** A reel, post or story. */
interface Work {
  /** Null for a reel that is not published yet. */
  published_at: Date | null;
  /** From when on a work counts that was wrongly taken for a copy; null if it always did. */
  counts_from: Date | null;
  duplicate: boolean;
}

/**
 * Whether a work began to count in this month (YYYY-MM). Its deletion in that month takes back what it earned, and what its views and likes
 * did; a later deletion takes back nothing (decisions §4).
 */
export function beganToCountIn(month: string, work: Work, timeZone: string): boolean {
  const since = work.counts_from ?? work.published_at;
  return since !== null && !work.duplicate && monthOf(since, timeZone) === month;
}
