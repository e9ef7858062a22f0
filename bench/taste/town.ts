import { type Kysely, sql } from 'kysely';
import { categories } from '#contract/categories.ts';
import { rankReels, tasteLimits } from '#contract/taste.ts';
import { type Random, randomOf } from '#demo/random.ts';
import { countTopReels, learnNextReels } from '#server/features/taste/learning.ts';
import { rank, usual } from '#server/features/taste/rank.ts';
import { saveWatched, switchTaste } from '#server/features/taste/taste.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextAt } from '#testing/context.ts';
import { countedOn, now, people, reels, watchedInOrder } from '#testing/fixtures/taste.ts';
import { percent, type Row } from '../harness.ts';
import type { Sites } from './own-sites.ts';

/*
 * A town whose people watch 60 reels a day, by a seed. Its creators differ as they do anywhere: few publish much, few topics are common, and
 * some reels are better than others. Once people watch what For you shows them, and once the newest that they have not seen.
 */

const size = { people: 300, creators: 150, showingsADay: 60, reelsADay: 24, days: 10, daysBefore: 120 };
/** So many days nothing is counted: nobody knows the town yet. */
const warmUp = 3;
const fairUntil = 100;
const hour = 60 * 60 * 1000;
const day = 24 * hour;
const topics = categories.slice(0, 12).map(({ id }) => id);

interface Work {
  id: string;
  creator: number;
  at: number;
  topics: string[];
  /** From 0.3 to 1: how many of those who like its topics watch it to the end. */
  quality: number;
}
interface Person {
  id: string;
  /** Weights of topics, 1 in all. */
  likes: Map<string, number>;
  /** Hours after midnight. */
  comesAt: number;
  seen: string[];
}
interface Showing {
  work: Work;
  at: number;
  toEnd: boolean;
}
type Shows = (person: Person, at: number) => Promise<Work[]>;

/** A number from 0 to `many` - 1, the first ones more often. */
const common = (random: Random, many: number) => Math.floor(many * random() ** 2);

function inventPeople(random: Random, ids: readonly string[]): Person[] {
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
function inventWorks(random: Random): Work[] {
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
async function live(
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

/** Of 0 everybody has the same, of 1 one has everything. */
export function gini(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const all = sorted.reduce((sum, value) => sum + value, 0);
  const weighed = sorted.reduce((sum, value, place) => sum + (place + 1) * value, 0);
  return all === 0 ? 0 : (2 * weighed) / (sorted.length * all) - (sorted.length + 1) / sorted.length;
}

function figuresOf(showings: readonly Showing[], works: readonly Work[]) {
  const since = now.getTime() - (size.days - warmUp) * day;
  const counted = showings.filter(({ at }) => at >= since);
  const ofCreator = new Map(works.map(({ creator }) => [creator, 0]));
  for (const { work } of counted) ofCreator.set(work.creator, (ofCreator.get(work.creator) ?? 0) + 1);
  const fresh = works.filter(({ at }) => at >= since && at < now.getTime() - day);
  const inFirstDay = new Map(fresh.map((work) => [work, 0]));
  for (const { work, at } of counted)
    if (inFirstDay.has(work) && at < work.at + day) inFirstDay.set(work, (inFirstDay.get(work) ?? 0) + 1);
  return {
    gini: gini([...ofCreator.values()]),
    least: Math.min(...inFirstDay.values()),
    toEnd: counted.filter(({ toEnd }) => toEnd).length / counted.length,
  };
}

export async function town(sites: Sites, say: (line: string) => void): Promise<Row[]> {
  const forYou = await sites.site('town', liveByTaste);
  const newest = await liveByNewest();
  say(`  For you ${JSON.stringify(forYou)}, newest first ${JSON.stringify(newest)}`);
  const beside = (figure: string) => `${figure}, newest first`;
  const where = `a town of ${size.people} people and ${size.creators} creators`;
  return [
    {
      what: `Exposure of creators (Gini) in ${where}`,
      ours: forYou.gini.toFixed(2),
      against: beside(newest.gini.toFixed(2)),
      ratio: '',
      reach: '≤ 0.6',
      holds: forYou.gini <= 0.6,
    },
    {
      what: `Least showings of a new reel in its first day in ${where}`,
      ours: String(forYou.least),
      against: beside(String(newest.least)),
      ratio: '',
      reach: `≥ ${fairUntil}`,
      holds: forYou.least >= fairUntil,
    },
    {
      what: `Watched to the end in ${where}`,
      ours: percent(forYou.toEnd),
      against: beside(percent(newest.toEnd)),
      ratio: '',
      reach: '',
    },
  ];
}

async function liveByTaste(db: Kysely<Tables>) {
  const random = randomOf(38);
  const works = inventWorks(random);
  const residents = inventPeople(random, await people(db, size.people));
  const creators = await people(db, size.creators);
  const ids = await reels(
    db,
    works.map((work) => {
      const at = new Date(work.at);
      return {
        creator_id: creators[work.creator] ?? '',
        at,
        categories: work.topics,
        views: 0,
        state: 'processing' as const,
      };
    }),
  );
  for (const [place, work] of works.entries()) work.id = ids[place] ?? '';
  const byId = new Map(works.map((work) => [work.id, work]));
  for (const { id } of residents) await switchTaste(contextAt(db, now), id, { on: true, adult: true });
  await sql`analyze`.execute(db);
  const chance = { ...usual, fairShare: 0.15, random };
  const showings = await live(random, residents, {
    async everyHour(at) {
      const time = new Date(at);
      await db
        .updateTable('reels')
        .set({ state: 'ready' })
        .where('published_at', '<=', time)
        .where('state', '=', 'processing')
        .execute();
      await countTopReels(contextAt(db, time));
      if (time.getUTCHours() === now.getUTCHours()) await learnNextReels(contextAt(db, time));
    },
    async shows({ id, seen }, at) {
      const body = rankReels.body.parse({ seen: seen.slice(-tasteLimits.seen) });
      const list = await rank(contextAt(db, new Date(at)), id, body, chance);
      return list.map(({ _id }) => byId.get(_id)).filter((work) => work !== undefined);
    },
    async watched({ id }, shown) {
      if (shown.length === 0) return;
      await db
        .updateTable('reels')
        .set((eb) => ({ views: eb('views', '+', 1) }))
        .where(
          'id',
          'in',
          shown.map(({ work }) => work.id),
        )
        .execute();
      const toEnd = shown.filter((showing) => showing.toEnd).map(({ work }) => work.id);
      const at = new Date(shown[0]?.at ?? 0);
      await watchedInOrder(db, [id], toEnd, at);
      for (const one of toEnd) await countedOn(db, at, one, 1);
      if (toEnd.length > 0)
        await saveWatched(
          contextAt(db, at),
          id,
          toEnd.toReversed().map((_id) => ({ _id, toEnd: true })),
        );
    },
  });
  return figuresOf(showings, works);
}

async function liveByNewest() {
  const random = randomOf(38);
  const works = inventWorks(random);
  for (const [place, work] of works.entries()) work.id = String(place);
  const residents = inventPeople(
    random,
    Array.from({ length: size.people }, (_, place) => String(place)),
  );
  const nothing = async () => undefined;
  const showings = await live(random, residents, {
    everyHour: nothing,
    watched: nothing,
    async shows({ seen }, at) {
      const known = new Set(seen);
      return works.filter((work) => work.at <= at && !known.has(work.id)).toReversed();
    },
  });
  return figuresOf(showings, works);
}
