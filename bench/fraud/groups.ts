import { dayMs, hourMs, monthBegin } from './calendar.ts';
import {
  type Draw,
  type Habit,
  oneOf,
  reelAndDay,
  trulyWatched,
  type Unknown,
  type Visit,
  visitsOf,
} from './habits.ts';
import {
  homeOf,
  insertPeople,
  insertPhotos,
  insertReels,
  likeAtRandom,
  type Population,
} from './population.ts';
import type { Site, Viewing } from './site.ts';

/** An honest group of fans of one creator; fields that are absent have the usual values. */
export interface Group {
  what: string;
  people: number;
  /** Maximum share of the views that must count that may be lost. */
  mostLost: number;
  days?: number;
  showings?: number;
  /** Share of their showings that are of their favourite creator's reels. */
  ofFavourite?: number;
  signedIn?: number;
  address?(person: number, at: number): string;
  browser?(person: number, visit: number): string | undefined;
  arrival?: Habit['arrival'];
}

const ofOne = (address: string) => () => address;
const hourOf = (at: number) => Math.floor(at / hourMs);

export const groups: readonly Group[] = [
  { what: 'household of 5', people: 5, mostLost: 0.01, days: 25, address: ofOne('10.200.0.1') },
  { what: 'hostel of 200', people: 200, mostLost: 0.01, address: ofOne('10.200.0.2') },
  {
    what: 'carrier of 5,000 behind one IPv4',
    people: 5000,
    mostLost: 0.01,
    days: 1,
    showings: 2,
    address: ofOne('100.127.0.1'),
  },
  {
    what: "carrier's IPv6, a new /64 each hour",
    people: 100,
    mostLost: 0.01,
    address: (person, at) => `2401:4900:${person.toString(16)}:${(hourOf(at) % 65_536).toString(16)}::1`,
  },
  {
    what: 'two networks in one view',
    people: 100,
    mostLost: 0.01,
    address: (person, at) => (Math.floor(at / 1000) % 2 === 0 ? homeOf(person) : '100.64.0.1'),
  },
  {
    what: 'shared phone of 3',
    people: 60,
    mostLost: 0.01,
    days: 10,
    address: (person) => homeOf(Math.floor(person / 3)),
    browser: (person) => `shared ${Math.floor(person / 3)}`,
  },
  {
    what: 'two devices',
    people: 60,
    mostLost: 0.01,
    signedIn: 1,
    browser: (person, visit) => `device ${person} ${visit % 2}`,
    address: (person, at) => (Math.floor(at / dayMs) % 2 === 0 ? homeOf(person) : '100.64.0.1'),
  },
  {
    what: 'id lost each visit',
    people: 100,
    mostLost: 0.01,
    browser: (person, visit) => `new ${person} ${visit}`,
  },
  {
    what: 'keepalive call lost every second time',
    people: 100,
    mostLost: 0.03,
    arrival: (sentAt, isLast, draw) => (isLast && draw(2) < 1 ? undefined : sentAt),
  },
  {
    what: '2G with late calls',
    people: 100,
    mostLost: 0.03,
    // Each call takes seconds; one of twenty is retried, usually within two minutes; one of a hundred never arrives.
    arrival(sentAt, _isLast, draw) {
      const kind = draw(100);
      if (kind < 1) return undefined;
      return sentAt + draw(15_000) - (kind < 6 ? Math.log(1 - draw(1)) * 120_000 : 0);
    },
  },
  { what: 'binge fans', people: 20, mostLost: 0.01, days: 4, showings: 200 },
  { what: 'signed-out-only fans', people: 100, mostLost: 0.01, signedIn: 0 },
  { what: 'old app', people: 12, mostLost: 0.01, signedIn: 1, browser: () => undefined },
  {
    what: 'the hostel of the creator',
    people: 200,
    mostLost: 0.01,
    address: ofOne('10.200.0.3'),
  },
];

export interface GroupResult {
  group: Group;
  /** Views that must count, further ones that the server cannot detect, and counted ones. */
  truth: number;
  unknown: readonly Unknown[];
  counted: number;
  /** Views of the creator's month, and the waiting ones among them. */
  views: number;
  waiting: number;
  paise: number;
  /** Why views were lost. */
  reasons: string[];
  /** Marks of the creator's month. */
  marks: string[];
}

/** Simulates a group, and compares what its members really watched with what counted. */
export async function measureGroup(
  site: Site,
  population: Population,
  group: Group,
  draw: Draw,
): Promise<GroupResult> {
  const opened = site.kind.isNew ? monthBegin : monthBegin - 60 * dayMs;
  const [favourite = ''] = await insertPeople(site, 1, () => opened);
  const own = await insertReels(site, [favourite], opened, 60);
  const photos = await insertPhotos(site, [favourite], opened, 30);
  const { signedIn = population.signedIn, ofFavourite = 0.5 } = group;
  // On a new site, members of a group that is always signed in joined when the site opened.
  const joined = () => (group.signedIn === 1 && site.kind.isNew ? opened : population.joined(draw));
  const accounts = await insertPeople(site, Math.round(group.people * signedIn), joined);
  const usual: Habit = {
    people: group.people,
    days: () => group.days ?? 6,
    showings: () => group.showings ?? 20,
    account: (person) => accounts[person],
    address: group.address ?? homeOf,
    reel: (below) => (below(1) < ofFavourite ? oneOf(own, below) : population.anyReel(below)),
  };
  const { browser, arrival } = group;
  const visits = visitsOf(
    { ...usual, ...(browser && { browser }), ...(arrival && { arrival }) },
    monthBegin,
    draw,
  );
  const before = await site.verdicts();
  const { due, unknown } = trulyWatched(visits);
  const { counted, reasons } = await watchAndExplain(site, visits, due);
  const after = await site.verdicts();
  for (const reason of ['own', 'repeated', 'over_limit', 'bot', 'copy']) {
    const views = (after.get(reason) ?? 0) - (before.get(reason) ?? 0);
    if (views > 0) reasons.push(`${reason} ${views}`);
  }
  for (const account of accounts) {
    const likes = Math.floor(draw(10));
    await likeAtRandom(site, { account, likes, photo: (below) => oneOf(photos, below) }, draw);
  }
  const pay = await site.pay(favourite);
  const marks = (await site.marked()).get(favourite) ?? [];
  return {
    ...{ group, counted, reasons, marks, unknown, truth: due.length },
    ...{ views: pay.counts.views, waiting: pay.waitingViews, paise: pay.paise },
  };
}

async function watchAndExplain(
  site: Site,
  visits: readonly Visit[],
  due: readonly Visit[],
): Promise<{ counted: number; reasons: string[] }> {
  const viewings = visits.map(({ viewing }) => viewing);
  if (viewings.every(({ browser }) => browser === undefined)) {
    const inTime = await site.watchInOldApp(viewings);
    // A showing that was left early may count instead of a later one of the same reel: there are five seconds between two showings.
    const ofPerson = (viewing: Viewing) => `${viewing.personId} ${reelAndDay(viewing)}`;
    const known = new Set([...inTime].map(ofPerson));
    const counted = due.filter(({ viewing }) => known.has(ofPerson(viewing))).length;
    return { counted, reasons: [`refused ${due.length - counted}`] };
  }
  const outcomes = await site.watch(viewings);
  const lost = new Map<string, number>();
  let counted = 0;
  for (const { viewing } of due) {
    const outcome = outcomes.get(viewing) ?? 'no lease';
    if (outcome === 'counted') counted += 1;
    else lost.set(outcome, (lost.get(outcome) ?? 0) + 1);
  }
  return { counted, reasons: [...lost].map(([reason, views]) => `${reason} ${views}`) };
}
