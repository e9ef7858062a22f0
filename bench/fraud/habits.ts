import { dayMs, hourMs, minuteMs } from './calendar.ts';
import type { Viewing } from './site.ts';

export type Draw = (below: number) => number;

/** How people watch: their accounts and devices, their networks, and which of their calls are lost or late. */
export interface Habit {
  people: number;
  /** Days of the month on which one of them watches, and showings of such a visit. */
  days(person: number): number;
  showings(person: number): number;
  /** The account of a signed-in person, from the day on which it was created. */
  account?(person: number): string | undefined;
  address(person: number, at: number): string;
  /** Undefined: an app without a random id. */
  browser?(person: number, visit: number): string | undefined;
  reel(draw: Draw): string;
  /** When a report reaches the server that was sent at a time; undefined if never. The last one of a visit goes by itself. */
  arrival?(sentAt: number, isLast: boolean, draw: Draw): number | undefined;
}

/** A showing and who really saw it, for how long. */
export interface Visit {
  viewing: Viewing;
  who: number;
  /** Seconds of play, from the answer on as the rule says. */
  played: number;
}

/** The id of an account begins with its time. */
const openedAt = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16);

/** People left one of three reels at once; the others they see for 5 to 25 seconds. */
const isLeft = (draw: Draw) => draw(3) < 1;
/** People watch in the evening rather than in the morning. */
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

/** The showings that were truly watched: each person, reel and day once, and not one's own. */
export function trulyWatched(visits: readonly Visit[]): Visit[] {
  const first = new Map<string, Visit>();
  for (const visit of visits) {
    const { reel, at } = visit.viewing;
    const key = `${visit.who} ${reel} ${Math.floor((at + 330 * minuteMs) / dayMs)}`;
    if (visit.played >= 5 && !first.has(key)) first.set(key, visit);
  }
  return [...first.values()];
}
