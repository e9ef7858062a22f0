import { releaseMonth, voidMonth } from '#server/features/earnings/releases.ts';
import { month } from './calendar.ts';
import type { Draw } from './habits.ts';
import type { Site } from './site.ts';

/**
 * An operator reads this many of the months with waiting views or marks, those with most money first, and decides one of twenty wrongly.
 */
export const operator = { reads: 40, errs: 0.05 };

export interface Suspect {
  creatorId: string;
  isForged: boolean;
  paise: number;
  waiting: number;
}

/** Releases views that the operator considers honest, and voids those considered forged. Returns the months that were read. */
export async function decide(site: Site, suspects: readonly Suspect[], draw: Draw): Promise<Suspect[]> {
  const read = suspects
    .toSorted((one, other) => other.paise + other.waiting / 50 - one.paise - one.waiting / 50)
    .slice(0, operator.reads);
  const decision = { reason: 'Looked at', operatorId: null };
  for (const { creatorId, isForged } of read) {
    const errs = draw(1) < operator.errs;
    if (isForged === errs) await releaseMonth(site.context, { creatorId, month }, decision);
    else
      for (const what of ['waiting', 'paid'] as const)
        await voidMonth(site.context, { creatorId, month, what }, decision);
  }
  return read;
}
