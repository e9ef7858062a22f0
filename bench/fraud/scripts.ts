import { dayMs, hourMs, monthBegin } from './calendar.ts';
import type { Draw } from './habits.ts';
import { insertPeople, insertReels, type Population } from './population.ts';
import type { Spent } from './prices.ts';
import type { Site, Viewing } from './site.ts';

/** The site of an attack, and the random numbers for its settings. */
export interface AttackSite {
  site: Site;
  population: Population;
  draw: Draw;
}

/** The result of an attack. */
export interface Attack {
  /** The people who get the money. */
  payees: string[];
  spent: Spent;
  /** A short description of the settings. */
  settings: string;
}

/** A random whole number in a range. */
export const between = (draw: Draw, least: number, most: number) =>
  least + Math.floor(draw(most - least + 1));

/** Accounts that receive the money, each with some existing reels. */
export async function payees({ site }: AttackSite, count: number, reels = 4) {
  const opened = site.kind.isNew ? monthBegin : monthBegin - 60 * dayMs;
  const ids = await insertPeople(site, count, () => opened);
  const all = await insertReels(site, ids, opened, reels);
  return ids.map((id, place) => ({ id, reels: all.slice(place * reels, (place + 1) * reels) }));
}

export type Payee = Awaited<ReturnType<typeof payees>>[number];

/** Accounts of this age in days at the month's end; never older than the site. */
export const accounts = (
  { site }: AttackSite,
  count: number,
  daysOld: number,
  spreadDays: number,
  draw: Draw,
) =>
  insertPeople(site, count, () => {
    const joined = monthBegin + (30 - daysOld) * dayMs - Math.floor(draw(spreadDays * dayMs));
    return site.kind.isNew ? Math.max(joined, monthBegin) : joined;
  });

export interface Script {
  personId?: string;
  /** Undefined: like an older app. */
  browser: string | undefined;
  address: string;
}

/** A script that watches these reels in sequence on a day, and reports each one this many seconds after it was shown. */
export function runScript(
  script: Script,
  reels: readonly string[],
  { day, hour, waitMs, gapMs = waitMs + 200 }: { day: number; hour: number; waitMs: number; gapMs?: number },
): Viewing[] {
  const begin = monthBegin + day * dayMs + hour * hourMs;
  return reels.map((reel, place) => {
    const at = begin + place * gapMs;
    return { ...script, reel, at, reportAt: at + waitMs, seconds: 5 };
  });
}

/** Browsers without a login, until a payee has this many watched views at most. */
export function fillUp(
  draw: Draw,
  { id, reels }: Payee,
  { views, address, hourOf }: { views: number; address(place: number): string; hourOf(): number },
): Viewing[] {
  const browsers = Math.ceil(views / reels.length);
  return Array.from({ length: browsers }, (_, place) =>
    runScript({ browser: `script ${id} ${place}`, address: address(place) }, reels, {
      day: Math.floor(draw(30)),
      hour: hourOf(),
      waitMs: 5000 + draw(3000),
    }),
  ).flat();
}

/** The number of hours for which this many showings keep browsers busy. */
export const hoursOf = (viewings: readonly Viewing[]) => (viewings.length * 6) / 3600;

/** At any hour, or only when people are awake. */
export const hours = {
  any: (draw: Draw) => () => draw(23.9),
  waking: (draw: Draw) => () => 7 + Math.max(draw(16), draw(16)),
};
