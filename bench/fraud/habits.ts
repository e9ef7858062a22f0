import { rules } from '#contract/rates.ts';
import { dayMs, hourMs, minuteMs } from './calendar.ts';
import type { Viewing } from './site.ts';

export type Draw = (below: number) => number;

/** One of these ids at random. */
export const oneOf = (ids: readonly string[], draw: Draw) => ids[Math.floor(draw(ids.length))] ?? '';

/** How people watch: their accounts and devices, their networks, and which of their calls are lost or late. */
export interface Habit {
  people: number;
  /** Number of days on which a person watches, and of showings on such a day. */
  days(person: number): number;
  showings(person: number): number;
  /** The account of a signed-in person, from the day on which it was created. */
  account?(person: number): string | undefined;
  address(person: number, at: number): string;
  /** Undefined: an app without a random id. */
  browser?(person: number, visit: number): string | undefined;
  reel(draw: Draw): string;
  /**
   * When a report that was sent at this time reaches the server; undefined if never. The last one of a visit is sent when the page is
   * closed.
   */
  arrival?(sentAt: number, isLast: boolean, draw: Draw): number | undefined;
}

/** A showing, the person who watched it, and the seconds that were really played. */
export interface Visit {
  viewing: Viewing;
  who: number;
  /** Seconds of play, from the response on as the rule says. */
  played: number;
}

/** The id of an account begins with its creation time. */
export const openedAt = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** People skip one of three reels at once; they watch the others for 5 to 25 seconds. */
const isLeft = (draw: Draw) => draw(3) < 1;
/** People watch more in the evening than in the morning. */
const wakingHour = (draw: Draw) => 7 + Math.max(draw(16), draw(16));

/** All showings of a month that begins at `begin`. */
export function visitsOf(habit: Habit, begin: number, draw: Draw): Visit[] {
  const { arrival = (sentAt) => sentAt, browser = (person) => `browser ${person}` } = habit;
  const visits: Visit[] = [];
  for (let who = 0; who < habit.people; who += 1) {
    const days = new Set<number>();
    while (days.size < habit.days(who)) days.add(Math.floor(draw(30)));
    const showings = habit.showings(who);
    for (const day of [...days].sort((one, other) => one - other)) {
      let at = begin + day * dayMs + wakingHour(draw) * hourMs + Math.floor(draw(hourMs / 2));
      for (let place = 0; place < showings; place += 1) {
        const played = isLeft(draw) ? draw(5) : 5 + draw(20);
        const next = at + Math.ceil(played * 1000) + 300 + Math.floor(draw(1200));
        const person = habit.account?.(who);
        const viewing = {
          reel: habit.reel(draw),
          address: habit.address(who, at),
          personId: person !== undefined && at > openedAt(person) ? person : undefined,
          browser: browser(who, day),
          at,
          reportAt: played < 5 ? undefined : arrival(next, place === showings - 1, draw),
          seconds: played,
        };
        visits.push({ viewing, who, played });
        at = next;
      }
    }
  }
  return visits;
}

/** A view counts once per viewer for each of these keys. */
export const reelAndDay = ({ reel, at }: Viewing) => `${reel} ${Math.floor((at + 330 * minuteMs) / dayMs)}`;

/** Why the server cannot detect that a person watched a reel. */
export type Unknown = 'seen by another on the same phone' | 'last reel of a visit in an older app';

export interface Watched {
  /** The showings that must count, at most one for each person, reel and day. */
  due: Visit[];
  /** What people watched beyond that, once for each person, reel and day. */
  unknown: Unknown[];
}

/**
 * What people really watched, except own reels. A showing must count if it is the first of its person and of its viewer on that day: people
 * who share a phone without a login are one viewer (decisions §4). In an older app only the next showing proves that a showing
 * was watched.
 */
export function trulyWatched(visits: readonly Visit[]): Watched {
  const ordered = visits.toSorted((one, other) => one.viewing.at - other.viewing.at);
  const followed = followedInTime(ordered);
  const [due, unknown] = [[] as Visit[], new Map<string, Unknown>()];
  const [persons, viewers] = [new Set<string>(), new Set<string>()];
  for (const visit of ordered) {
    const { who, played, viewing } = visit;
    const { personId, browser, address } = viewing;
    const what = reelAndDay(viewing);
    const [person, viewer] = [`${who} ${what}`, `${personId ?? `${browser} ${address}`} ${what}`];
    if (played < 5 || persons.has(person)) continue;
    if (browser === undefined && !followed.has(visit))
      unknown.set(person, 'last reel of a visit in an older app');
    else if (viewers.has(viewer)) unknown.set(person, 'seen by another on the same phone');
    else {
      due.push(visit);
      persons.add(person);
      viewers.add(viewer);
      unknown.delete(person);
    }
  }
  return { due, unknown: [...unknown.values()] };
}

/** Showings that are followed by the next one of the same person in time to count in an older app. */
function followedInTime(ordered: readonly Visit[]): Set<Visit> {
  const followed = new Set<Visit>();
  const last = new Map<number, Visit>();
  for (const visit of ordered) {
    const before = last.get(visit.who);
    if (before && visit.viewing.at - before.viewing.at <= rules.watch.leaseMinutes * minuteMs)
      followed.add(before);
    last.set(visit.who, visit);
  }
  return followed;
}
