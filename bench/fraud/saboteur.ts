import { decideCopy, requestCopyReview } from '#server/features/copies/decisions.ts';
import { dayMs, hourMs, monthBegin } from './calendar.ts';
import { oneOf, visitsOf } from './habits.ts';
import { homeOf, type Population } from './population.ts';
import {
  type AttackSite,
  accounts,
  between,
  fillUp,
  hours,
  type Payee,
  payees,
  runScript,
} from './scripts.ts';
import { drawFrom } from './search.ts';
import type { Site } from './site.ts';

/** Earnings of the rival without the attack, and with the most harmful settings of the saboteur. */
export interface Sabotage {
  coins: number;
  coinsAfter: number;
  /** Number of views that wait. */
  waiting: number;
  waitingAfter: number;
  settings: string;
  /** The highest number of the rival's videos that were taken for copies, over all settings. */
  mostCopies: number;
}

/**
 * Watches a rival with new accounts on few networks and with browsers at all hours, so that the month is marked; publishes some of the
 * rival's new videos before the rival does, and others again; and adds creators, so that established accounts have to watch more. The
 * rival requests a review of each video that is taken for a copy, and an operator decides correctly.
 */
export async function searchSabotage(
  site: Site,
  population: Population,
  { settings, seed }: { settings: number; seed: number },
): Promise<Sabotage> {
  const unharmed = await site.runAndUndo((one) => rivalMonth(one, population, seed, undefined));
  let worst: Omit<Sabotage, 'mostCopies'> | undefined;
  let mostCopies = 0;
  for (let place = 0; place < settings; place += 1) {
    const harmed = await site.runAndUndo((one) => rivalMonth(one, population, seed, seed * 1000 + place));
    mostCopies = Math.max(mostCopies, harmed.copies);
    if (worst && harmed.coins >= worst.coinsAfter) continue;
    worst = {
      ...{ coins: unharmed.coins, waiting: unharmed.waiting },
      ...{ coinsAfter: harmed.coins, waitingAfter: harmed.waiting, settings: harmed.settings },
    };
  }
  if (!worst) throw new Error('a saboteur needs settings');
  return { ...worst, mostCopies };
}

const newReels = 4;

async function rivalMonth(site: Site, population: Population, seed: number, harmSeed: number | undefined) {
  const ground = { site, population, draw: drawFrom(seed) };
  const [payee] = await payees(ground, 1, 20);
  if (!payee) throw new Error('a rival is needed');
  const fans = await accounts(ground, 10, 60, 1, ground.draw);
  const attack =
    harmSeed === undefined ? undefined : await prepare({ site, population, draw: drawFrom(harmSeed) });
  const films = Array.from({ length: newReels }, (_, place) => `film ${place}`);
  await attack?.publish(films.slice(0, attack.stolen));
  site.now = new Date(monthBegin + hourMs);
  const published = await publishAll(site, payee.id, films);
  await attack?.publish(films.slice(attack.stolen));
  const rival = { id: payee.id, reels: [...payee.reels, ...published] };
  const fansHabit = {
    ...{ people: 80, days: () => 5, showings: () => 12, address: homeOf },
    account: (person: number) => fans[person],
    browser: (person: number) => `fan ${person}`,
    reel: (draw: typeof ground.draw) => (draw(2) < 1 ? oneOf(rival.reels, draw) : population.anyReel(draw)),
  };
  const honest = visitsOf(fansHabit, monthBegin, ground.draw).map(({ viewing }) => viewing);
  await attack?.watch(rival);
  await site.watch(honest);
  site.now = new Date(monthBegin + 29.5 * dayMs);
  const copies = await reviewCopies(site, rival.id, published);
  const pay = await site.pay(rival.id);
  const settings = attack ? `${attack.settings}, ${copies} of the rival's videos taken for copies` : '';
  return { coins: pay.coins, waiting: pay.waitingViews, settings, copies };
}

async function publishAll(site: Site, creatorId: string, films: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const bytes of films) ids.push(await site.reel(creatorId, { bytes }));
  return ids;
}

/** Requests a review of those that are taken for copies, which an operator then decides. Returns their number. */
async function reviewCopies(site: Site, creatorId: string, reels: readonly string[]): Promise<number> {
  const copies = await site.takenForCopies(reels);
  const decision = { verdict: 'own' as const, reason: 'Looked at', operatorId: null };
  for (const id of copies) {
    await requestCopyReview(site.context, creatorId, { kind: 'reel', id, words: 'This is my own film.' });
    await decideCopy(site.context, id, decision, async () => undefined);
  }
  return copies.length;
}

/** A saboteur with settings drawn at random. */
async function prepare({ site, population, draw }: AttackSite) {
  const ground = { site, population, draw };
  // Views that a saboteur adds can hide a loss, so each part of the attack is left out in half of the settings.
  const sometimes = (most: number) => (draw(2) < 1 ? 0 : between(draw, 1, most));
  const [mill, views, decoys] = [sometimes(30), sometimes(500), sometimes(6)];
  const stolen = between(draw, 0, newReels);
  const address = (place: number) => (place % 2 === 0 ? homeOf(place) : '172.30.0.1');
  const [thief] = await payees(ground, 1, 1);
  return {
    stolen,
    settings: `${mill} accounts, ${views} views, ${decoys} more creators`,
    async publish(films: readonly string[]): Promise<void> {
      await publishAll(site, thief?.id ?? '', films);
    },
    async watch(rival: Payee): Promise<void> {
      const signedIn = (await accounts(ground, mill, 20, 1, draw)).flatMap((personId) =>
        runScript({ personId, browser: `fan ${between(draw, 0, 79)}`, address: '172.30.0.1' }, rival.reels, {
          day: between(draw, 10, 29),
          hour: draw(23),
          waitMs: 4100,
        }),
      );
      const flood = fillUp(draw, rival, { views, address, hourOf: hours.any(draw) });
      const added = await payees(ground, decoys, 1);
      const seen = added.flatMap(({ reels }) =>
        runScript({ browser: 'decoy', address: '172.30.0.2' }, reels, { day: 1, hour: 12, waitMs: 5000 }),
      );
      site.now = new Date(monthBegin - dayMs);
      await site.watch([...signedIn, ...flood, ...seen]);
    },
  };
}
