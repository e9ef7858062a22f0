import { randomOf } from '#demo/random.ts';
import { paiseOver } from '#testing/models/established-model.ts';
import type { Attacker } from './attackers.ts';
import type { Draw } from './habits.ts';
import type { Population } from './population.ts';
import { costOf, type Spent } from './prices.ts';
import type { Site } from './site.ts';

/** The gain of one attack in the month, before any operator's review. */
export interface Gain {
  what: string;
  settings: string;
  paise: number;
  payees: number;
  /** The maximum of a single payee. */
  mostPaise: number;
  /** Accounts that the attacker made, without the payee; and at most how many of them are established and watched one payee. */
  accounts: number;
  established: number;
  waiting: number;
  cost: number;
  /** Payees whose month is marked; only for the best settings. */
  marked?: number;
  /** By how many paise the payee with most money exceeds the limit of the rules; at most 0 is expected. */
  overBound: number;
}

export const drawFrom = (seed: number): Draw => {
  const random = randomOf(seed);
  return (below) => random() * below;
};

/** The highest gain in rupees over this many settings of an attacker; each is tried on an unchanged site. */
export async function searchBest(
  site: Site,
  population: Population,
  attacker: Attacker,
  { settings, seed }: { settings: number; seed: number },
): Promise<{ best: Gain; worstOver: number }> {
  const tryOut = (place: number, isMarked: boolean) =>
    site.runAndUndo(async (one) => {
      const draw = drawFrom(seed * 100_000 + place);
      const { payees, spent, settings: said } = await attacker.attack({ site: one, population, draw });
      const loot = await gainOf(one, attacker.what, { payees, spent, settings: said });
      if (!isMarked) return loot;
      const marks = await one.marked();
      return { ...loot, marked: payees.filter((id) => marks.has(id)).length };
    });
  let [best, at, worstOver]: [Gain | undefined, number, number] = [undefined, 0, Number.NEGATIVE_INFINITY];
  for (let place = 0; place < settings; place += 1) {
    const loot = await tryOut(place, false);
    worstOver = Math.max(worstOver, loot.overBound);
    if (!best || loot.paise > best.paise) [best, at] = [loot, place];
  }
  return { best: await tryOut(at, true), worstOver };
}

async function gainOf(
  site: Site,
  what: string,
  { payees, spent, settings }: { payees: string[]; spent: Spent; settings: string },
): Promise<Gain> {
  const loot = { paise: 0, mostPaise: 0, established: 0, waiting: 0, overBound: Number.NEGATIVE_INFINITY };
  for (const creatorId of payees) {
    const pay = await site.pay(creatorId);
    // Which accounts meet the rule is counted from what the attacker did, since the server may be wrong about it.
    const vouching = site.acts.vouching(creatorId);
    loot.paise += pay.paise;
    loot.mostPaise = Math.max(loot.mostPaise, pay.paise);
    loot.established = Math.max(loot.established, vouching.accounts);
    loot.waiting += pay.waitingViews;
    loot.overBound = Math.max(loot.overBound, paiseOver(pay, vouching));
  }
  return {
    ...loot,
    what,
    settings,
    payees: payees.length,
    accounts: site.acts.accounts.size - 1,
    cost: costOf(spent),
  };
}
