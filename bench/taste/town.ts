import { type Kysely, sql } from 'kysely';
import { rankReels, tasteLimits } from '#contract/taste.ts';
import { randomOf } from '#demo/random.ts';
import { freshRules } from '#server/features/taste/candidates.queries.ts';
import { countTopReels, learnNextReels } from '#server/features/taste/learning.ts';
import { rank, usual } from '#server/features/taste/rank.ts';
import { saveWatched, switchTaste } from '#server/features/taste/taste.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { contextAt } from '#testing/context.ts';
import { countedOn, now, people, reels, watchedInOrder } from '#testing/fixtures/taste.ts';
import { changeWorks } from '#testing/fixtures/works.ts';
import { percent, type Row } from '../harness.ts';
import type { Sites } from './own-sites.ts';
import {
  day,
  hour,
  inventPeople,
  inventWorks,
  live,
  type Showing,
  size,
  type Work,
  warmUp,
} from './town-life.ts';

/** Of 0 everybody has the same, of 1 one has everything. */
export function gini(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const all = sorted.reduce((sum, value) => sum + value, 0);
  const weighed = sorted.reduce((sum, value, place) => sum + (place + 1) * value, 0);
  return all === 0 ? 0 : (2 * weighed) / (sorted.length * all) - (sorted.length + 1) / sorted.length;
}

/** Of a creator three reels of 24 hours have a fair share (decisions §3). */
const hasFairShare = (work: Work, works: readonly Work[]) =>
  works.filter(
    ({ creator, at }) => creator === work.creator && at < work.at && at > work.at - freshRules.hours * hour,
  ).length < freshRules.ofCreator;

function figuresOf(showings: readonly Showing[], works: readonly Work[]) {
  const since = now.getTime() - (size.days - warmUp) * day;
  const counted = showings.filter(({ at }) => at >= since);
  const ofCreator = new Map(works.map(({ creator }) => [creator, 0]));
  for (const { work } of counted) ofCreator.set(work.creator, (ofCreator.get(work.creator) ?? 0) + 1);
  const fresh = works.filter(({ at }) => at >= since && at < now.getTime() - day);
  const inFirstDay = new Map(fresh.map((work) => [work, 0]));
  for (const { work, at } of counted)
    if (inFirstDay.has(work) && at < work.at + day) inFirstDay.set(work, (inFirstDay.get(work) ?? 0) + 1);
  const least = (some: readonly Work[]) => Math.min(...some.map((work) => inFirstDay.get(work) ?? 0));
  const [entitled, beyond] = [true, false].map((is) =>
    fresh.filter((work) => hasFairShare(work, works) === is),
  );
  return {
    gini: gini([...ofCreator.values()]),
    least: { entitled: least(entitled ?? []), beyond: least(beyond ?? []) },
    new: { entitled: entitled?.length ?? 0, beyond: beyond?.length ?? 0 },
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
      what: `Least showings in its first day of any of ${forYou.new.entitled} new reels in ${where}`,
      ours: String(forYou.least.entitled),
      against: beside(String(newest.least.entitled)),
      ratio: '',
      reach: `≥ ${freshRules.shown}`,
      holds: forYou.least.entitled >= freshRules.shown,
    },
    {
      what: `The same of ${forYou.new.beyond} that their creators published after ${freshRules.ofCreator} others of a day`,
      ours: String(forYou.least.beyond),
      against: beside(String(newest.least.beyond)),
      ratio: '',
      reach: '',
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
      await changeWorks(db, (trx) =>
        trx
          .updateTable('reels')
          .set({ state: 'ready' })
          .where('published_at', '<=', time)
          .where('state', '=', 'processing')
          .execute(),
      );
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
      await countedOn(db, at, toEnd, 1);
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
