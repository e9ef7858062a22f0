import { dayMs, monthBegin } from './calendar.ts';
import { visitsOf } from './habits.ts';
import { homeOf, type Population } from './population.ts';
import { accounts, between, fillUp, hours, payees, runScript } from './scripts.ts';
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
}

/**
 * Watches a rival with new accounts on few networks and with browsers at all hours, so that the month is marked; publishes the rival's
 * files again; and adds creators, so that established accounts have to watch more.
 */
export async function searchSabotage(
  site: Site,
  population: Population,
  { settings, seed }: { settings: number; seed: number },
): Promise<Sabotage> {
  const unharmed = await site.runAndUndo((one) => rivalMonth(one, population, seed, undefined));
  let worst: Sabotage | undefined;
  for (let place = 0; place < settings; place += 1) {
    const harmed = await site.runAndUndo((one) => rivalMonth(one, population, seed, seed * 1000 + place));
    if (worst && harmed.coins >= worst.coinsAfter) continue;
    worst = {
      ...{ coins: unharmed.coins, waiting: unharmed.waiting },
      ...{ coinsAfter: harmed.coins, waitingAfter: harmed.waiting, settings: harmed.settings },
    };
  }
  if (!worst) throw new Error('a saboteur needs settings');
  return worst;
}

async function rivalMonth(site: Site, population: Population, seed: number, harmSeed: number | undefined) {
  const ground = { site, population, draw: drawFrom(seed) };
  const [rival] = await payees(ground, 1, 20);
  const reels = rival?.reels ?? [];
  const fans = await accounts(ground, 10, 60, 1, ground.draw);
  const fansHabit = {
    ...{ people: 80, days: () => 5, showings: () => 12, address: homeOf },
    account: (person: number) => fans[person],
    browser: (person: number) => `fan ${person}`,
    reel: (draw: typeof ground.draw) =>
      draw(2) < 1 ? (reels[Math.floor(draw(reels.length))] ?? '') : population.anyReel(draw),
  };
  const honest = visitsOf(fansHabit, monthBegin, ground.draw).map(({ viewing }) => viewing);
  const settings = harmSeed === undefined ? '' : await harm(site, population, rival, harmSeed);
  await site.watch(honest);
  const pay = await site.pay(rival?.id ?? '');
  return { coins: pay.coins, waiting: pay.waitingViews, settings };
}

async function harm(
  site: Site,
  population: Population,
  rival: Awaited<ReturnType<typeof payees>>[number] | undefined,
  seed: number,
): Promise<string> {
  const draw = drawFrom(seed);
  const ground = { site, population, draw };
  const [mill, views, decoys] = [between(draw, 0, 30), between(draw, 0, 500), between(draw, 0, 6)];
  const address = (place: number) => (place % 2 === 0 ? homeOf(place) : '172.30.0.1');
  const signedIn = (await accounts(ground, mill, 20, 1, draw)).flatMap((personId) =>
    runScript(
      { personId, browser: `fan ${between(draw, 0, 79)}`, address: '172.30.0.1' },
      rival?.reels ?? [],
      {
        ...{ day: between(draw, 10, 29), hour: draw(23), waitMs: 4100 },
      },
    ),
  );
  const flood = rival ? fillUp(draw, rival, { views, address, hourOf: hours.any(draw) }) : [];
  const added = await payees(ground, decoys, 1);
  const seen = added.flatMap(({ reels }) =>
    runScript({ browser: 'decoy', address: '172.30.0.2' }, reels, { day: 1, hour: 12, waitMs: 5000 }),
  );
  site.now = new Date(monthBegin - dayMs);
  await site.watch([...signedIn, ...flood, ...seen]);
  return `${mill} accounts, ${views} views, ${decoys} more creators`;
}
