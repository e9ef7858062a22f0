import type { EarningItem } from '#contract/earnings.ts';

type Uncounted = EarningItem['uncounted'];

/** Numbers of views of a reel in some time: shown, counted, and not counted by reason. */
export interface Tallies {
  shown: number;
  counted: number;
  uncounted: Record<string, number>;
}

/**
 * The numbers of showings and watched views of a reel, and the reasons for views that do not count. A showing that was not watched has no
 * event, so their number is the difference. A view that was shown in the last minutes of the day or month before has no showing in this
 * one, nor has a report that the player sends again, which is recorded as repeated.
 */
export function funnelOf({ counted, uncounted, ...row }: Tallies): {
  shown: number;
  watched: number;
  counted: number;
  uncounted: Uncounted;
} {
  const { repeated: repeats = 0, ...others } = uncounted;
  const reported = Object.values(others).reduce((sum, count) => sum + count, counted);
  const shown = Math.max(row.shown, reported);
  const repeated = Math.min(repeats, shown - reported);
  const reasons = { not_watched: shown - reported - repeated, repeated };
  const applying = Object.entries(reasons).filter(([, count]) => count > 0);
  return {
    shown,
    // Also those of a copy, and of what was deleted in the month of its publication.
    watched: counted + (uncounted.copy ?? 0) + (uncounted.deleted ?? 0),
    counted,
    uncounted: listReasons({ ...Object.fromEntries(applying), ...others }),
  };
}

export const listReasons = (uncounted: Record<string, number>): Uncounted =>
  Object.entries(uncounted).map(([reason, count]) => ({
    reason: reason as Uncounted[number]['reason'],
    count,
  }));
