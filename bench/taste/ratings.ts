import { readFileSync } from 'node:fs';

/** What each person watched, as numbers of works from 0, in the order of time. */
export interface Watching {
  sequences: readonly (readonly number[])[];
  works: number;
}

/**
 * Reads `u.data` of MovieLens 100K: person, film, rating and time in each line, separated by tabs. Every rating is a watch. Those of one second
 * stay in the order of the file.
 */
export function readRatings(path: string): Watching {
  const sequences = new Map<string, { work: string; time: number }[]>();
  for (const line of readFileSync(path, 'utf8').trim().split(/\r?\n/)) {
    const [person = '', work = '', , time] = line.split('\t');
    if (time === undefined) throw new Error(`${path} has a line that is not of four fields: ${line}`);
    const sequence = sequences.get(person) ?? [];
    sequence.push({ work, time: Number(time) });
    sequences.set(person, sequence);
  }
  const numbers = new Map<string, number>();
  const numberOf = (work: string) => {
    const number = numbers.get(work) ?? numbers.size;
    numbers.set(work, number);
    return number;
  };
  const inOrder = [...sequences.values()].map((sequence) =>
    sequence.toSorted((one, other) => one.time - other.time).map(({ work }) => numberOf(work)),
  );
  return { sequences: inOrder, works: numbers.size };
}

export interface Split {
  /** What is known of each person, in order; the work is what that person watched next. */
  known: readonly (readonly number[])[];
  next: readonly number[];
  works: number;
}

/** Leaves the last works out; the first of them is the answer. One is left out for the test, more for the validation. */
export function withoutLast({ sequences, works }: Watching, leftOut: number): Split {
  return {
    known: sequences.map((sequence) => sequence.slice(0, -leftOut)),
    next: sequences.map((sequence) => sequence.at(-leftOut) ?? -1),
    works,
  };
}

const most = 10;

/** NDCG@10 of lists of all works: 1 / log2(place + 1) of the one work that is right, on the average of all people. */
export function ndcg({ next }: Split, lists: readonly (readonly number[])[]): number {
  const gains = next.map((work, person) => {
    const place = lists[person]?.slice(0, most).indexOf(work) ?? -1;
    return place < 0 ? 0 : 1 / Math.log2(place + 2);
  });
  return gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
}

/** The best works by score that the person has not watched. */
export function bestOf(scores: ArrayLike<number>, known: readonly number[]): number[] {
  const watched = new Set(known);
  return Array.from(scores, (score, work) => ({ score, work }))
    .filter(({ work }) => !watched.has(work))
    .sort((one, other) => other.score - one.score || one.work - other.work)
    .slice(0, most)
    .map(({ work }) => work);
}

export function byPopularity({ known, works }: Split): number[][] {
  const counts = new Float64Array(works);
  for (const work of known.flat()) counts[work] = (counts[work] ?? 0) + 1;
  return known.map((watched) => bestOf(counts, watched));
}
