import sharp from 'sharp';
import { rules } from '#contract/rates.ts';
import { printOf } from '#server/media/tasks/print.ts';
import { newKey } from '#server/platform/ids.ts';
import { changes } from '#testing/copies/changes.ts';
import { scene } from '#testing/copies/works.ts';
import { randomFrom } from '#testing/random.ts';
import { dayMs, minuteMs, monthBegin } from './calendar.ts';
import { ring } from './ring.ts';
import {
  type Attack,
  type AttackSite,
  accounts,
  between,
  fillUp,
  hours,
  hoursOf,
  payees,
  runScript,
} from './scripts.ts';

/** An attacking program that knows the rules and tries settings. */
export interface Attacker {
  what: string;
  attack(ground: AttackSite): Promise<Attack>;
}

const rented = (place: number) => `172.${16 + (place >> 16)}.${(place >> 8) % 256}.${place % 256}`;
const isEven = (draw: (below: number) => number) => draw(2) < 1;

/** Browsers without a login that report after a time. */
const browsers =
  (addressesUpTo: number, waitMs: (draw: AttackSite['draw']) => number) =>
  async (ground: AttackSite): Promise<Attack> => {
    const { site, draw } = ground;
    const [one] = await payees(ground, 1, between(draw, 1, 20));
    const [many, addresses, wait] = [between(draw, 10, 300), between(draw, 1, addressesUpTo), waitMs(draw)];
    const viewings = Array.from({ length: many }, (_, place) =>
      runScript({ browser: `${place}`, address: rented(place % addresses) }, one?.reels ?? [], {
        day: between(draw, 0, 29),
        hour: draw(23),
        waitMs: wait,
      }),
    ).flat();
    await site.watch(viewings);
    return {
      payees: [one?.id ?? ''],
      spent: { addresses, hours: hoursOf(viewings) },
      settings: `${many} browsers, ${addresses} addresses, report after ${(wait / 1000).toFixed(1)} s`,
    };
  };

export const attackers: readonly Attacker[] = [
  { what: 'flood', attack: browsers(50, (draw) => draw(3900)) },
  { what: 'sleeper', attack: browsers(50, (draw) => 4000 + draw(draw(600_000))) },
  { what: 'carrier SIM', attack: carrierSim },
  { what: 'rented addresses', attack: browsers(300, () => 5000) },
  { what: 'account mill', attack: accountMill },
  { what: 'ring', attack: (ground) => ring(ground, { least: 8, most: 16 }) },
  { what: 'uploader', attack: uploader },
  { what: 're-encoder', attack: reEncoder },
  { what: 'liker', attack: liker },
  { what: 'shared and replayed leases', attack: replayer },
  { what: 'old-app calls', attack: oldApp },
];

/** A few accounts and many browsers behind a carrier's address, which honest people use too. */
async function carrierSim(ground: AttackSite): Promise<Attack> {
  const { site, draw } = ground;
  const [sims, watchers, views] = [between(draw, 1, 3), between(draw, 0, 5), between(draw, 500, 2500)];
  const mine = await payees(ground, 1);
  const address = (place: number) => `100.64.0.${place % sims}`;
  const viewings = mine.flatMap((one) => fillUp(draw, one, { views, address, hourOf: hours.waking(draw) }));
  const signedIn = await vouch(ground, mine, { count: watchers, address, cover: 6 });
  await site.watch([...viewings, ...signedIn]);
  return {
    payees: mine.map(({ id }) => id),
    spent: { sims, accounts: watchers, hours: hoursOf(viewings) },
    settings: `${sims} SIMs, ${watchers} accounts, ${views} views`,
  };
}

/** Accounts that become established, and browsers whose views they let pay. */
async function accountMill(ground: AttackSite): Promise<Attack> {
  const { site, draw } = ground;
  const [count, of, cover] = [between(draw, 1, 20), between(draw, 1, 3), between(draw, 0, 8)];
  const [views, networks] = [between(draw, 1000, 4000), between(draw, 1, count)];
  const mine = await payees(ground, of);
  const address = (place: number) => rented(place % networks);
  const hourOf = (isEven(draw) ? hours.any : hours.waking)(draw);
  const daysOld = between(draw, 0, 60);
  const viewings = mine.flatMap((one) => fillUp(draw, one, { views: views / of, address, hourOf }));
  const signedIn = await vouch(ground, mine, { count, address, cover, daysOld });
  await site.watch([...viewings, ...signedIn]);
  const isAged = daysOld > rules.established.daysWithoutMail;
  return {
    payees: mine.map(({ id }) => id),
    spent: { addresses: networks, [isAged ? 'agedAccounts' : 'accounts']: count, hours: hoursOf(viewings) },
    settings: `${count} accounts ${daysOld} days old, ${of} payees, ${networks} addresses, ${views} views`,
  };
}

/** Accounts that watch the payees and some others, on some days. */
async function vouch(
  ground: AttackSite,
  mine: Awaited<ReturnType<typeof payees>>,
  {
    count,
    address,
    cover,
    daysOld = 60,
  }: { count: number; address(place: number): string; cover: number; daysOld?: number },
) {
  const { draw, population } = ground;
  const ids = await accounts(ground, count, daysOld, isEven(draw) ? 1 : 20, draw);
  const days = between(draw, 2, 5);
  return ids.flatMap((personId, place) =>
    Array.from({ length: days }, (_, visit) => {
      const others = Array.from({ length: cover }, () => population.anyReel(draw));
      const script = { personId, browser: `mill ${personId}`, address: address(place) };
      const day = 29 - Math.floor(((visit + draw(1)) * Math.min(daysOld, 28)) / days);
      const reels = [...mine.flatMap((one) => one.reels), ...others];
      return runScript(script, reels, { day, hour: 7 + draw(16), waitMs: 5000 });
    }).flat(),
  );
}

/** The maximum of everything that pays, and more; some reels are too short. */
async function uploader(ground: AttackSite): Promise<Attack> {
  const { site, draw } = ground;
  const [one] = await payees(ground, 1);
  const id = one?.id ?? '';
  const [reels, posts, stories] = [between(draw, 30, 60), between(draw, 20, 40), between(draw, 20, 40)];
  const short = isEven(draw) ? 0 : between(draw, 1, reels);
  for (let made = 0; made < Math.max(reels, posts, stories); made += 1) {
    site.now = new Date(monthBegin + made * 10 * minuteMs);
    if (made < reels) await site.reel(id, made < short ? { seconds: 0.5, still: isEven(draw) } : {});
    if (made < posts) await site.photo(id);
    if (made < stories) await site.photo(id, { kind: 'story' });
  }
  return {
    payees: [id],
    spent: {},
    settings: `${reels} reels, ${short} of them too short, ${posts} photos, ${stories} stories`,
  };
}

const prints = new Map<string, Promise<Buffer>>();
/** The prints of a picture, or of a changed copy. */
function printOfChange(kind: string): Promise<Buffer> {
  const change = (changes as Record<string, (picture: Buffer) => Promise<Buffer>>)[kind];
  const made =
    prints.get(kind) ??
    scene(randomFrom(77))
      .then((picture) => change?.(picture) ?? picture)
      .then(async (picture) => Buffer.from((await printOf(sharp(picture))) ?? '', 'base64'));
  prints.set(kind, made);
  return made;
}

/** A photo of another creator, published again with changes and in other bytes. */
async function reEncoder(ground: AttackSite): Promise<Attack> {
  const { site, draw } = ground;
  const mine = await payees(ground, between(draw, 1, 3));
  const [owner] = await payees(ground, 1);
  site.now = new Date(monthBegin - dayMs);
  const bytes = newKey();
  await site.photo(owner?.id ?? '', { bytes, print: await printOfChange('') });
  const kinds = Object.keys(changes);
  const times = between(draw, 1, 10);
  for (const { id } of mine)
    for (let time = 0; time < times; time += 1) {
      site.now = new Date(monthBegin + time * 10 * minuteMs);
      const print = await printOfChange(kinds[Math.floor(draw(kinds.length))] ?? '');
      await site.photo(id, { print, bytes: draw(4) < 1 ? bytes : newKey() });
    }
  return {
    payees: mine.map(({ id }) => id),
    spent: {},
    settings: `${mine.length} payees, one photo ${times} times each`,
  };
}

/**
 * Accounts that like a payee's photos, a few of them established. These like all of many photos, since all their likes pay; the others like
 * a few, which are enough for what pays without established accounts.
 */
async function liker(ground: AttackSite): Promise<Attack> {
  const { site, draw, population } = ground;
  const mine = await payees(ground, 1);
  const [likers, posts, established] = [between(draw, 5, 60), between(draw, 1, 100), between(draw, 0, 5)];
  const signedIn = await vouch(ground, mine, { count: established, address: rented, cover: 8 });
  await site.watch(signedIn);
  const others = await accounts(ground, likers, 20, 10, draw);
  site.now = new Date(monthBegin);
  const photos: string[] = [];
  for (let made = 0; made < posts; made += 1) photos.push(await site.photo(mine[0]?.id ?? ''));
  site.now = new Date(monthBegin + 25 * dayMs);
  for (const id of new Set(signedIn.map(({ personId }) => personId)))
    for (const photo of photos) if (id) await site.like(photo, id);
  for (const id of others) for (const photo of photos.slice(0, 5)) await site.like(photo, id);
  return {
    payees: mine.map(({ id }) => id),
    spent: { accounts: likers + established },
    settings: `${likers} likers and ${established} established accounts, ${posts} photos, ${population.creators.length} creators`,
  };
}

/** One lease that is reported repeatedly, by many, too late, or changed. */
async function replayer(ground: AttackSite): Promise<Attack> {
  const { site, draw } = ground;
  const [one] = await payees(ground, 1, between(draw, 1, 10));
  const viewings = Array.from({ length: between(draw, 1, 20) }, (_, place) =>
    runScript({ browser: `${place}`, address: rented(place) }, one?.reels ?? [], {
      day: between(draw, 0, 29),
      hour: draw(23),
      waitMs: 5000,
    }),
  ).flat();
  const copies = between(draw, 2, 30);
  const reports = [...(await site.show(viewings))].flatMap(([viewing, lease]) =>
    Array.from({ length: copies }, () => {
      const isForged = draw(5) < 1;
      return {
        of: isForged ? undefined : viewing,
        lease: isForged ? `${lease.slice(0, 40)}A${lease.slice(41)}` : lease,
        seconds: 5,
        at: viewing.at + draw(20 * minuteMs),
      };
    }),
  );
  await site.report(reports);
  return {
    payees: [one?.id ?? ''],
    spent: { hours: hoursOf(viewings) },
    settings: `${viewings.length} leases, each reported ${copies} times`,
  };
}

/** Accounts that make calls like older apps. */
async function oldApp(ground: AttackSite): Promise<Attack> {
  const { site, draw } = ground;
  const mine = await payees(ground, 1);
  const [count, gapMs] = [between(draw, 1, 8), 4000 + draw(8000)];
  const signedIn = await vouch(ground, mine, { count, address: rented, cover: between(draw, 0, 8) });
  await site.watchInOldApp(
    signedIn.map((one, place) => ({
      ...one,
      browser: undefined,
      at: one.at + (place % 12) * (gapMs - 5200),
    })),
  );
  return {
    payees: mine.map(({ id }) => id),
    spent: { accounts: count, hours: hoursOf(signedIn) },
    settings: `${count} accounts, a showing each ${(gapMs / 1000).toFixed(1)} s`,
  };
}
