import { search as find } from '#server/features/search/search.ts';
import { openDatabase } from '#server/platform/database/database.ts';
import { contextOn } from '#testing/context.ts';
import { inMilliseconds, type Measurement, milliseconds, percent, type Row, times } from './harness.ts';
import { fillSearched, unanswered } from './search/answers.ts';
import { vocabulary } from './search/filling.ts';
import { markedQueries } from './search/queries.ts';
import { openSearched } from './search/sites.ts';

const small = 10_000;

/** Queries before the measured ones. They fill the cache of PostgreSQL, which also loads it by itself after a start (pg_prewarm). */
const warmUp = 3_000;

/**
 * Queries to one site before those to the other. If the sites alternate with every query, the scheduler runs the backend of one on the core of this
 * process and that of the other on another core, which adds 0.05 ms to each of its statements.
 */
const inARow = 50;

/** Searches of the site on a large and a small one, and how many of the marked queries are answered. */
export const search: Measurement = {
  name: 'search',
  async run({ reels, queries, say }) {
    const sites = await openSearched([small, reels], say);
    try {
      return [...(await compare(sites, queries, reels)), await answered(sites.empty)];
    } finally {
      await sites.stop();
    }
  },
};

async function compare(
  sites: { small: string; large: string },
  queries: number,
  reels: number,
): Promise<Row[]> {
  const sizes = ['small', 'large'] as const;
  const opened = { small: await openDatabase(sites.small, 4), large: await openDatabase(sites.large, 4) };
  const taken: Record<(typeof sizes)[number], number[]> = { small: [], large: [] };
  try {
    for (let first = -warmUp; first < queries; first += inARow) {
      // Which site comes first alternates too.
      const turn = (first / inARow) % 2 === 0 ? sizes : sizes.toReversed();
      for (const size of turn)
        for (let n = first; n < Math.min(first + inARow, queries); n += 1) {
          const q = queryAt(Math.abs(n));
          const time = await milliseconds(() => find(contextOn(opened[size]), { q, limit: 24 }));
          if (n >= 0) taken[size].push(time);
        }
    }
  } finally {
    for (const size of sizes) await opened[size].destroy();
  }
  return [0.5, 0.95].map((share) => {
    const [ours, theirs] = [quantile(taken.large, share), quantile(taken.small, share)];
    const isBound = share === 0.95;
    return {
      what: `Search of ${reels.toLocaleString('en')} reels, ${percent(share)} of ${queries.toLocaleString('en')} within`,
      ours: inMilliseconds(ours),
      against: `${inMilliseconds(theirs)} at ${small.toLocaleString('en')}`,
      ratio: times(ours / theirs),
      reach: isBound ? '≤ 50 ms, ≤ 1.2 ×' : '',
      ...(isBound ? { holds: ours <= 50 && ours / theirs <= 1.2 } : {}),
    };
  });
}

async function answered(url: string): Promise<Row> {
  const db = await openDatabase(url, 4);
  try {
    const marks = await fillSearched(db);
    const right = markedQueries.length - (await unanswered(db, marks)).length;
    return {
      what: 'Marked queries answered among the first ten',
      ours: `${right} of ${markedQueries.length}`,
      against: '',
      ratio: percent(right / markedQueries.length),
      reach: '≥ 90 %',
      holds: right / markedQueries.length >= 0.9,
    };
  } finally {
    await db.destroy();
  }
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length * share)] ?? Number.NaN;
}

const words = vocabulary(200_000);
const names = ['asha', 'kavya', 'lata', 'sharma', 'patel', 'iyer', 'singh', 'farid rao', 'gita nair', 'dev'];

/** The fixed mix: words of captions, beginnings of them as one types, two words, names, misspelt words, one or two letters. */
export function queryAt(n: number): string {
  const kind = (n * 37) % 100;
  const word = wordAt(n);
  if (kind < 40) return word;
  if (kind < 60) return word.slice(0, 3 + (n % 3));
  if (kind < 75) return `${word} ${wordAt(n + 7919)}`;
  if (kind < 90) return names[n % names.length] ?? '';
  if (kind < 95) return word.slice(0, 2) + word.slice(3);
  return word.slice(0, 1 + (n % 2));
}

/** Frequent words are searched more often, as they are written more often. */
function wordAt(n: number): string {
  const part = ((n * 7919) % 99_991) / 99_991;
  return words[Math.floor(words.length ** part) - 1] ?? '';
}
