import { worthOfMonth } from '#server/features/earnings/earnings.ts';
import { decide, type Suspect } from './operator.ts';
import type { Population } from './population.ts';
import { ring } from './ring.ts';
import { drawFrom } from './search.ts';
import type { Site } from './site.ts';

/** The marked months on a site with a ring, and the payments before and after an operator's review. */
export interface RingResult {
  settings: string;
  members: number;
  marked: number;
  /** Of the ring's months that an operator read: paise before and after. */
  before: number;
  after: number;
}

/** Released coins count in the month in which they are released. */
const nextMonth = '2026-12';

/** A ring of 20 people or more, on an unchanged site. */
export const measureRing = (site: Site, population: Population, seed: number): Promise<RingResult> =>
  site.runAndUndo(async (one) => {
    const draw = drawFrom(seed);
    const { payees, settings } = await ring({ site: one, population, draw }, { least: 20, most: 32 });
    const marks = await one.marked();
    const suspects: Suspect[] = [];
    for (const creatorId of [...payees, ...population.creators]) {
      const isForged = payees.includes(creatorId);
      if (!isForged && !marks.has(creatorId)) continue;
      const { paise, waitingViews: waiting } = await one.pay(creatorId);
      if (marks.has(creatorId) || waiting > 0) suspects.push({ creatorId, isForged, paise, waiting });
    }
    const read = (await decide(one, suspects, draw)).filter(({ isForged }) => isForged);
    let after = 0;
    for (const { creatorId } of read) {
      after += (await one.pay(creatorId)).paise;
      after += (await worthOfMonth(one.context, creatorId, nextMonth)).paise;
    }
    return {
      ...{ settings, members: payees.length, marked: payees.filter((id) => marks.has(id)).length },
      ...{ before: read.reduce((sum, { paise }) => sum + paise, 0), after },
    };
  });
