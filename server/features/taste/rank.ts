import type { z } from 'zod';
import type { Reel } from '#contract/reels.ts';
import { type RankReason, type rankReels, tasteDays, tasteLimits } from '#contract/taste.ts';
import type { Context } from '#server/platform/context.ts';
import { reelsById } from '../reels/reels.ts';
import { searchWords } from '../search-index/search-key.ts';
import { type Found, listCandidates, type Source } from './candidates.queries.ts';
import { type Candidate, type Composition, compose } from './compose.ts';
import { firstWords } from './first-words.ts';
import { type History, type PastReel, readHistory } from './history.queries.ts';

type Asked = z.output<(typeof rankReels)['body']>;
export interface Ranked {
  _id: string;
  why: RankReason;
}

const dayMs = 24 * 60 * 60 * 1000;
export const usual = { hasTurns: true, jitter: 0.2 };

/** What speaks for a reel: at most so much by each source. Chosen with the settings of the learning (docs/decisions/0096-for-you.md). */
const weights = { next: 1, followed: 0.7, category: 0.5, popular: 0.1, newest: 0.05 };

/** A ranked list, and the reels of its first page. Three queries, of which the list takes two. */
export async function rankFor(
  context: Context<'db' | 'config' | 'clock' | 'outbox'>,
  viewerId: string | undefined,
  asked: Asked,
  chance: Pick<Composition, 'fairShare' | 'random'>,
): Promise<{ ranked: Ranked[]; data: Reel[] }> {
  const ranked = await rank(context, viewerId, asked, { ...usual, ...chance });
  const first = ranked.slice(0, tasteLimits.page).map(({ _id }) => _id);
  return { ranked, data: await reelsInOrder(context, first, viewerId) };
}

/** The public ones of these reels, in this order. */
export async function reelsInOrder(
  context: Context<'db' | 'config'>,
  ids: readonly string[],
  viewerId: string | undefined,
): Promise<Reel[]> {
  const reels = await reelsById(context, ids, viewerId);
  return [...new Set(ids)].map((id) => reels.get(id)).filter((reel) => reel !== undefined);
}

/** Ranks by the taste of a person who has switched it on, otherwise by the visit. */
export async function rank(
  { db, clock, outbox }: Context<'db' | 'clock' | 'outbox'>,
  viewerId: string | undefined,
  { visit, seen, muted }: Asked,
  composition: Composition,
): Promise<Ranked[]> {
  const now = clock();
  const seenSince = new Date(now.getTime() - tasteDays.seen * dayMs);
  const history = await readHistory(db, { viewerId, visit, notInterested: muted.reels, seenSince });
  const categories = categoriesOf(history);
  const found = await listCandidates(db, {
    viewerId,
    watched: history.watched.map(({ id }, place) => ({ id, weight: decayAt(place) })),
    categories,
    without: { reels: [...new Set([...history.seen, ...seen, ...muted.reels])], people: muted.people },
    words: wordsOf(muted.words),
    fresh: { start: composition.random(), hasMail: outbox.isOn },
    now,
  });
  const list = compose(
    merged(found, { watched: history.watched.map(asPast), categories }),
    found.filter(({ source }) => source === 'fresh').map(asFresh),
    {
      creators: new Set(history.avoided.map(({ creatorId }) => creatorId)),
      categories: new Set(history.avoided.flatMap(({ categories }) => categories)),
    },
    composition,
  );
  return list.map(({ id, why }) => ({ _id: id, why }));
}

/** What was watched last counts most. */
const decayAt = (place: number) => (place + 1) ** -1.2;

/** The others together would add little, and each has 75 reels to look at. */
const categoriesAtMost = 8;

type Weighed = { category: string; weight: number };

/** Of what was watched to the end the categories that count most, with decay; of 1 in all, the most first. */
function categoriesOf({ watched }: History): Weighed[] {
  const weightOf = new Map<string, number>();
  for (const [place, { categories }] of watched.entries())
    for (const category of categories) weightOf.set(category, (weightOf.get(category) ?? 0) + decayAt(place));
  const all = [...weightOf.values()].reduce((sum, weight) => sum + weight, 0);
  return [...weightOf]
    .map(([category, weight]) => ({ category, weight: weight / all }))
    .sort((one, other) => other.weight - one.weight)
    .slice(0, categoriesAtMost);
}

/** Muted words as a tsquery over the words of captions: in either script and any case. */
function wordsOf(muted: readonly string[]): string | undefined {
  const each = muted.map((one) =>
    searchWords(one)
      .map(({ key }) => `${key}:A`)
      .join(' & '),
  );
  return each.filter((one) => one !== '').join(' | ') || undefined;
}

/** What a reason may name, in the order of the query. */
interface Named {
  watched: readonly RankReason[];
  categories: readonly Weighed[];
}

const asPast = ({ id, caption, username }: PastReel): RankReason => ({
  ...{ code: 'watched', reelId: id, username },
  caption: firstWords(caption),
});

/** Each reel once: what speaks for it is added up, and the largest part is the reason. */
function merged(found: readonly Found[], named: Named): Candidate[] {
  const best = new Map<Source, number>();
  for (const { source, score } of found) best.set(source, Math.max(best.get(source) ?? 0, score));
  const parts = Map.groupBy(
    found.filter(({ source }) => source !== 'fresh'),
    ({ id }) => id,
  );
  const fresh = new Set(found.filter(({ source }) => source === 'fresh').map(({ id }) => id));
  return [...parts.values()].flatMap((ofReel) => {
    const weighed = ofReel.map((one) => ({ one, part: partOf(one, best.get(one.source) ?? 1) }));
    const [first] = weighed.toSorted((a, b) => b.part - a.part);
    if (!first) return [];
    const { id, creatorId, categories } = first.one;
    const score = weighed.reduce((sum, { part }) => sum + part, 0);
    const why = reasonOf(first.one, named);
    const isNew = why.code === 'newest' && fresh.has(id);
    return [{ id, creatorId, categories, score, why: isNew ? { code: 'new' } : why }];
  });
}

function partOf({ source, score }: Found, best: number): number {
  switch (source) {
    case 'next':
      return (weights.next * score) / best;
    case 'category':
      return (weights.category * score) / best;
    case 'followed':
      // Half of it after three days.
      return weights.followed * 0.5 ** (Math.max(0, score) / 3);
    case 'popular':
      return weights.popular * (1 - score / (best + 1));
    default:
      return weights.newest * (1 - score / (best + 1));
  }
}

function reasonOf({ source, about, username }: Found, { watched, categories }: Named): RankReason {
  const past = source === 'next' ? watched[about - 1] : undefined;
  if (past) return past;
  const top = source === 'category' ? categories[about - 1] : undefined;
  if (top) return { code: 'category', category: top.category };
  if (source === 'followed' && username) return { code: 'followed', username };
  return { code: source === 'popular' ? 'popular' : 'newest' };
}

/** Those that fewest have seen come first. */
const asFresh = ({ id, creatorId, categories, score }: Found): Candidate => ({
  ...{ id, creatorId, categories, why: { code: 'new' as const } },
  score: 1 / (score + 10),
});
