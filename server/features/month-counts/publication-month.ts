import { monthOf } from '#server/platform/clock.ts';

/** A reel, post or story. */
interface DatedWork {
  /** Null for a reel that is not published yet. */
  published_at: Date | null;
  duplicate: boolean;
}

/**
 * Whether a work that counts was published in this month (YYYY-MM). Its deletion in that month takes back what it earned, and what its views
 * and likes did; a later deletion takes back nothing (decisions §4).
 */
export function countsSince(month: string, work: DatedWork, timeZone: string): boolean {
  return work.published_at !== null && !work.duplicate && monthOf(work.published_at, timeZone) === month;
}
