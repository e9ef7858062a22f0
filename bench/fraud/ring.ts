import { dayMs, monthBegin } from './calendar.ts';
import { insertPeople, insertReels } from './population.ts';
import { type Attack, type AttackSite, between, fillUp, hours, hoursOf, runScript } from './scripts.ts';

/**
 * Creators who watch one another. The settings determine how well they hide it: how many others each one watches, whether these watch back,
 * how much of the rest of the site they watch, when they joined, and their networks.
 */
export async function ring(
  { site, population, draw }: AttackSite,
  { least, most }: { least: number; most: number },
): Promise<Attack> {
  const size = between(draw, least, most);
  const opened = site.kind.isNew ? monthBegin : monthBegin - 60 * dayMs;
  const spreadDays = draw(2) < 1 ? 1 : 20;
  const members = await insertPeople(site, size, () =>
    site.kind.isNew
      ? opened + Math.floor(draw(Math.min(spreadDays, 20) * dayMs))
      : opened + Math.floor(draw(spreadDays * dayMs)),
  );
  const reelsEach = 2;
  const reels = await insertReels(site, members, opened, reelsEach);
  const reelsOf = (member: number) => reels.slice(member * reelsEach, (member + 1) * reelsEach);
  const [share, cover, days] = [0.5 + draw(0.5), between(draw, 0, 6), between(draw, 3, 5)];
  const networks = between(draw, 1, size);
  const hourOf = hours.waking(draw);
  const viewings = members.flatMap((personId, place) => {
    const watched = members.flatMap((_, other) => (other !== place && draw(1) < share ? reelsOf(other) : []));
    return Array.from({ length: days }, (_, visit) => {
      const others = Array.from({ length: cover }, () => population.anyReel(draw));
      const script = { personId, browser: `ring ${place}`, address: `172.31.0.${place % networks}` };
      const day = 20 + visit * 2;
      return runScript(script, [...watched, ...others], { day, hour: hourOf(), waitMs: 5000 });
    }).flat();
  });
  // Browsers without a login use the views that the accounts let pay; for one member, since it is the same for each.
  const views = between(draw, 0, 4000);
  const address = (place: number) => `172.31.1.${place % 50}`;
  const filled = fillUp(draw, { id: members[0] ?? '', reels: reelsOf(0) }, { views, address, hourOf });
  await site.watch([...viewings, ...filled]);
  return {
    payees: members,
    spent: { addresses: networks + 50, agedAccounts: size, hours: hoursOf([...viewings, ...filled]) },
    settings: `${size} members, each watches ${Math.round(share * 100)} % of the others and ${cover} of the site's reels, ${networks} addresses, ${views} more views of one`,
  };
}
