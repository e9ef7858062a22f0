import type { Kysely } from 'kysely';
import { rupeesOf } from '#contract/rates.ts';
import { releaseMonthOfAll } from '#server/features/earnings/releases.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { Attacker } from './attackers.ts';
import { month } from './calendar.ts';
import { type Group, type GroupResult, measureGroup } from './groups.ts';
import { populate, type Size } from './population.ts';
import { measureRing, type RingResult } from './rings.ts';
import { type Sabotage, searchSabotage } from './saboteur.ts';
import { drawFrom, type Gain, searchBest } from './search.ts';
import { Site, type SiteKind } from './site.ts';

/** A site on which everything is measured. */
export interface Cell extends SiteKind, Size {}

/** The groups and attackers that are simulated on this site. */
export interface SimulationPlan {
  groups: readonly Group[];
  attackers: readonly Attacker[];
  /** Number of settings per attacker. */
  settings: number;
  rings: number;
  seed: number;
}

/**
 * Honest months: those with more than a tenth of their views waiting, those with any waiting after the operator released the month, and
 * marked ones.
 */
interface Months {
  all: number;
  waiting: number;
  waitingReleased: number;
  marked: number;
}

export interface CellResult {
  cell: Cell;
  months: Months;
  groups: GroupResult[];
  attacks: { best: Gain; worstOver: number }[];
  rings: RingResult[];
  sabotage: Sabotage;
}

export const nameOf = ({ isNew, creators, signedIn, hasMail }: Cell) =>
  `${isNew ? 'first month of ' : ''}${creators.toLocaleString('en')} creators, ${signedIn * 100} % signed in${hasMail ? '' : ', without mail'}`;

export async function measureCell(
  db: Kysely<Tables>,
  cell: Cell,
  { groups, attackers, settings, rings, seed }: SimulationPlan,
  say: (line: string) => void,
): Promise<CellResult> {
  say(`  ${nameOf(cell)} …`);
  const site = await Site.open(db, cell);
  const population = await populate(site, cell, drawFrom(seed));
  const months = await site.runAndUndo((one) => measureMonths(one, population.creators));
  say(
    `    ${months.waiting} of ${months.all} months have more than a tenth of their views waiting, ${months.waitingReleased} have any once the month is released, ${months.marked} are marked`,
  );

  const measured: GroupResult[] = [];
  for (const group of groups) {
    const result = await site.runAndUndo((one) => measureGroup(one, population, group, drawFrom(seed)));
    const { truth, unknown, counted, views, waiting, paise, reasons, marks } = result;
    say(
      `    ${group.what}: ${truth} watched, ${counted} count, lost ${shareOf(truth - counted, truth)}; cannot be known ${unknown.length}; of the creator's ${views} wait ${waiting}, ₹${rupeesOf(paise)} paid; ${[...reasons, ...marks].join(', ')}`,
    );
    measured.push(result);
  }
  const attacks: CellResult['attacks'] = [];
  for (const attacker of attackers) {
    const found = await searchBest(site, population, attacker, { settings, seed });
    const { paise, payees, accounts, established, cost, waiting, marked, settings: said } = found.best;
    const each = (among: number) => (among > 0 ? `₹${(paise / 100 / among).toFixed(3)}` : 'none');
    say(
      `    ${attacker.what}: ₹${rupeesOf(paise)}; a payee ${each(payees)}, an account ${each(accounts)} (${established} of ${accounts} meet the rule), a rupee spent ${each(cost)}; ${waiting} views wait, ${marked} of ${payees} marked; ${said}`,
    );
    attacks.push(found);
  }
  const ringsFound: RingResult[] = [];
  for (let place = 0; place < rings; place += 1) {
    const ring = await measureRing(site, population, seed * 1000 + place);
    say(
      `    ring of ${ring.members}: ${ring.marked} marked; of ₹${rupeesOf(ring.before)} read, ₹${rupeesOf(ring.after)} paid; ${ring.settings}`,
    );
    ringsFound.push(ring);
  }
  const sabotage = await searchSabotage(site, population, { settings, seed });
  say(
    `    saboteur: ${sabotage.coins} coins, then ${sabotage.coinsAfter}; ${sabotage.waiting} views wait, then ${sabotage.waitingAfter}; ${sabotage.settings}`,
  );
  return { cell, months, groups: measured, attacks, rings: ringsFound, sabotage };
}

async function measureMonths(site: Site, creators: readonly string[]): Promise<Months> {
  const marks = await site.marked();
  const months = {
    all: 0,
    waiting: 0,
    waitingReleased: 0,
    marked: creators.filter((id) => marks.has(id)).length,
  };
  const waiting: string[] = [];
  for (const creatorId of creators) {
    const { counts, waitingViews } = await site.pay(creatorId);
    if (counts.views === 0) continue;
    months.all += 1;
    if (waitingViews > 0) waiting.push(creatorId);
    if (waitingViews > counts.views / 10) months.waiting += 1;
  }
  await releaseMonthOfAll(site.context, month, { reason: 'Nobody is established yet', operatorId: null });
  for (const creatorId of waiting)
    if ((await site.pay(creatorId)).waitingViews > 0) months.waitingReleased += 1;
  return months;
}

export const shareOf = (part: number, whole: number) =>
  whole > 0 ? `${((part / whole) * 100).toFixed(2)} %` : '';
