import { rates } from '#contract/earning-rules.ts';
import { dayBefore, dayOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/refusal.ts';
import { showReel } from '../reels/reels.ts';
import { listByDay, listOfDay, sumByReel } from '../views/reel-days.ts';
import { funnelOf, type Tallies } from './funnel.ts';

/** Days that are listed one by one. */
const days = 92;

interface Tally {
  verdict: string;
  views: number;
}

function talliesOf(rows: readonly Tally[]): Tallies {
  const tallies: Tallies = { shown: 0, counted: 0, uncounted: {} };
  for (const { verdict, views } of rows) {
    if (verdict === 'shown' || verdict === 'counted') tallies[verdict] += Number(views);
    else tallies.uncounted[verdict] = (tallies.uncounted[verdict] ?? 0) + Number(views);
  }
  return tallies;
}

/** How often these reels of a creator were shown, watched and counted; others are left out. */
export async function viewsOfReels({ db }: Context<'db'>, creatorId: string, ids: readonly string[]) {
  return funnelsOf(await sumByReel(db, creatorId, ids));
}

function funnelsOf(rows: readonly (Tally & { reelId: string })[]) {
  return [...Map.groupBy(rows, ({ reelId }) => reelId)].map(([_id, ofReel]) => {
    const { shown, watched, counted } = funnelOf(talliesOf(ofReel));
    return { _id, shown, watched, counted };
  });
}

/** How often the reels of a creator were shown, watched and counted on the day before today. */
export async function viewsOfYesterday(
  { db, clock, config }: Context<'db' | 'clock' | 'config'>,
  creatorId: string,
) {
  const day = dayBefore(dayOf(clock(), config.timeZone));
  const sum = { shown: 0, watched: 0, counted: 0 };
  for (const reel of funnelsOf(await listOfDay(db, creatorId, day))) {
    sum.shown += reel.shown;
    sum.watched += reel.watched;
    sum.counted += reel.counted;
  }
  return { day, ...sum, viewCoins: Math.floor(sum.counted / rates.viewsPerCoin) };
}

/** What a reel of the caller earned by its views, since its publication. */
export async function earningsOfReel(
  context: Context<'db' | 'config'>,
  id: string,
  caller: Parameters<typeof showReel>[2] & object,
) {
  const reel = await showReel(context, id, caller);
  if (reel.userId !== caller.id) throw notFound('reel');
  const rows = await listByDay(context.db, caller.id, id);
  const { shown, watched, counted, uncounted } = funnelOf(talliesOf(rows));
  const byDay = [...Map.groupBy(rows, ({ day }) => day)].slice(-days);
  return {
    shown,
    watched,
    counted,
    viewCoins: Math.floor(counted / rates.viewsPerCoin),
    uncounted,
    days: byDay.map(([day, ofDay]) => {
      const funnel = funnelOf(talliesOf(ofDay));
      return { day, shown: funnel.shown, watched: funnel.watched, counted: funnel.counted };
    }),
  };
}
