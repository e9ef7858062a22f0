import { categories } from '#contract/categories.ts';
import type { Random } from '#demo/random.ts';
import { now } from '#testing/fixtures/taste.ts';

/*
 * A town whose people watch 60 reels a day, by a seed. Its creators differ as they do anywhere: few publish much, few topics are common, and
 * some reels are better than others. Once people watch what For you shows them, and once the newest that they have not seen.
 */

export const size = {
  people: 300,
  creators: 150,
  showingsADay: 60,
  reelsADay: 24,
  days: 10,
  daysBefore: 120,
};
/** The number of days at the beginning that the figures leave out: nothing has been learned from watching yet. */
export const warmUp = 3;
export const hour = 60 * 60 * 1000;
export const day = 24 * hour;
const topics = categories.slice(0, 12).map(({ id }) => id);

export interface Work {
  id: string;
  creator: number;
  at: number;
  topics: string[];
  /** From 0.3 to 1: how many of those who like its topics watch it to the end. */
  quality: number;
}
export interface Person {
  id: string;
  /** Weights of topics, 1 in all. */
  likes: Map<string, number>;
  /** Hours after midnight. */
  comesAt: number;
  seen: string[];
}
export interface Showing {
  work: Work;
  at: number;
  toEnd: boolean;
}
type Shows = (person: Person, at: number) => Promise<Work[]>;

/** A number from 0 to `many` - 1, the first ones more often. */
const common = (random: Random, many: number) => Math.floor(many * random() ** 2);

export function inventPeople(random: Random, ids: readonly string[]): Person[] {
  return ids.map((id) => {
    const likes = new Map<string, number>();
    for (const weight of [0.5, 0.3, 0.2]) {
      const topic = topics[common(random, topics.length)] ?? '';
      likes.set(topic, (likes.get(topic) ?? 0) + weight);
    }
    return { id, likes, comesAt: random() * 24, seen: [] };
  });
}

/** Reels of all days, in their order. The first creator publishes four a day, the last ones every second week. */
export function inventWorks(random: Random): Work[] {
  const activity = Array.from({ length: size.creators }, (_, place) => 1 / (place + 1) ** 0.9);
  const all = activity.reduce((sum, one) => sum + one, 0);
  const topicOf = activity.map(() => topics[common(random, topics.length)] ?? '');
  const start = now.getTime() - size.days * day;
  const many = size.reelsADay * (size.days + size.daysBefore);
  return Array.from({ length: many }, (): Work => {
    let place = random() * all;
    const creator = activity.findIndex((one) => {
      place -= one;
      return place < 0;
    });
    const other = random() < 0.3 ? [topics[common(random, topics.length)] ?? ''] : [];
    const at = start + (random() * (size.days + size.daysBefore) - size.daysBefore) * day;
    const own = [...new Set([topicOf[creator] ?? '', ...other])];
    return { id: '', creator, at, topics: own, quality: 0.3 + 0.7 * random() };
  }).sort((one, other) => one.at - other.at);
}

function watchesToEnd(random: Random, { likes }: Person, { topics: of, quality }: Work): boolean {
  const liking = Math.min(1, 2 * Math.max(...of.map((topic) => likes.get(topic) ?? 0)));
  return random() < 0.05 + 0.85 * liking * quality;
}

/** Lets everybody watch what they are shown, hour by hour. */
export async function live(
  random: Random,
  town: readonly Person[],
  hooks: {
    shows: Shows;
    watched: (person: Person, showings: Showing[]) => Promise<void>;
    everyHour: (at: number) => Promise<void>;
  },
): Promise<Showing[]> {
  const all: Showing[] = [];
  const start = now.getTime() - size.days * day;
  for (let at = start; at < now.getTime(); at += hour) {
    await hooks.everyHour(at);
    const clock = ((at - start) / hour) % 24;
    for (const person of town.filter(({ comesAt }) => Math.floor(comesAt) === clock)) {
      const time = at + (person.comesAt % 1) * hour;
      const showings = (await hooks.shows(person, time)).slice(0, size.showingsADay).map((work) => ({
        ...{ work, at: time, toEnd: watchesToEnd(random, person, work) },
      }));
      person.seen.push(...showings.map(({ work }) => work.id));
      all.push(...showings);
      await hooks.watched(person, showings);
    }
  }
  return all;
}
