import { markRules } from '#contract/rates.ts';

/** A creator who watched others in a month, and whom others watched. */
export interface CircleCreator {
  creatorId: string;
  /** A number that stands for this creator. */
  place: number;
  /** Accounts that watched this creator, and the places of those of them that are creators. */
  accounts: number;
  by: number[];
  /** Creators whom this one watched. */
  watched: number;
}

/** The accounts that watched somebody in a month, and the pairs of an account and a creator that it watched. */
export interface WatchingOfSite {
  accounts: number;
  pairs: number;
}

/** A member of a circle, and how many of the circle watched this one. */
export type CircleMember = CircleCreator & { byMembers: number };

/**
 * Circles of creators who watch one another and whom hardly anybody else watches (docs/decisions/0067-marks.md): the largest sets in
 * which each member was watched by some members, watched some, and has few other viewers, and from each of whom the others are
 * reached by who watched whom. So nobody is in a circle because of who watches them, and whom it watches does not hide it.
 */
export function circlesOf(creators: readonly CircleCreator[], site: WatchingOfSite): CircleMember[][] {
  const graph = graphOf(creators);
  const circles: CircleMember[][] = [];
  const pending = [new Set(graph.creators.keys())];
  for (let among = pending.pop(); among; among = pending.pop()) {
    const left = withoutStrangers(among, graph);
    const parts = partsOf(left, graph);
    if (parts.length > 1) pending.push(...parts);
    else if (left.size > 0) {
      const circle = membersOf(left, graph);
      if (isUnusual(circle, site)) circles.push(circle);
    }
  }
  return circles;
}

/** All by their places; `watched` says whom each of them watched. */
interface Graph {
  creators: ReadonlyMap<number, CircleCreator>;
  watched: ReadonlyMap<number, readonly number[]>;
}

function graphOf(creators: readonly CircleCreator[]): Graph {
  const watched = new Map(creators.map(({ place }): [number, number[]] => [place, []]));
  for (const { place, by } of creators) for (const viewer of by) watched.get(viewer)?.push(place);
  return { creators: new Map(creators.map((one) => [one.place, one])), watched };
}

const viewersOf = (place: number, { creators }: Graph) => creators.get(place)?.by ?? [];
const watchedBy = (place: number, { watched }: Graph) => watched.get(place) ?? [];
const countOf = (places: readonly number[], among: ReadonlySet<number>) =>
  places.reduce((count, place) => (among.has(place) ? count + 1 : count), 0);

const membersOf = (among: ReadonlySet<number>, { creators }: Graph): CircleMember[] =>
  [...among].flatMap((place) => {
    const one = creators.get(place);
    return one ? [{ ...one, byMembers: countOf(one.by, among) }] : [];
  });

/** Those that are left when whoever does not belong to them is removed, until nothing changes. */
function withoutStrangers(among: ReadonlySet<number>, graph: Graph): Set<number> {
  const { leastNeighbours, commonShare } = markRules;
  const left = new Map(
    membersOf(among, graph).map(({ place, accounts, byMembers }) => {
      const watched = countOf(watchedBy(place, graph), among);
      return [place, { accounts, by: byMembers, watched }];
    }),
  );
  const toCheck = [...among];
  for (let place = toCheck.pop(); place !== undefined; place = toCheck.pop()) {
    const one = left.get(place);
    if (!one) continue;
    const { accounts, by, watched } = one;
    if (by >= leastNeighbours && by >= accounts * commonShare && watched >= leastNeighbours) continue;
    left.delete(place);
    for (const other of watchedBy(place, graph)) {
      const found = left.get(other);
      if (found) found.by -= 1;
      toCheck.push(other);
    }
    for (const other of viewersOf(place, graph)) {
      const found = left.get(other);
      if (found) found.watched -= 1;
      toCheck.push(other);
    }
  }
  return new Set(left.keys());
}

/** The strongly connected parts: in each, everybody is reached from everybody by who watched whom (Kosaraju's algorithm). */
function partsOf(among: ReadonlySet<number>, graph: Graph): Set<number>[] {
  const seen = new Set<number>();
  const finished = [...among].flatMap((place) =>
    reachedFrom(place, { among, seen, next: (one) => watchedBy(one, graph) }),
  );
  const parts: Set<number>[] = [];
  const placed = new Set<number>();
  for (const place of finished.reverse()) {
    const part = reachedFrom(place, { among, seen: placed, next: (one) => viewersOf(one, graph) });
    if (part.length > 0) parts.push(new Set(part));
  }
  return parts;
}

interface Search {
  among: ReadonlySet<number>;
  /** Those that were reached before; the search adds to them. */
  seen: Set<number>;
  next(place: number): readonly number[];
}

/** What is reached from a place and was not seen before, each after what is reached from there. */
function reachedFrom(first: number, { among, seen, next }: Search): number[] {
  if (seen.has(first)) return [];
  const finished: number[] = [];
  const path = [{ place: first, others: next(first), done: 0 }];
  seen.add(first);
  for (let last = path.at(-1); last; last = path.at(-1)) {
    const other = last.others[last.done];
    last.done += 1;
    if (other === undefined) {
      finished.push(last.place);
      path.pop();
    } else if (among.has(other) && !seen.has(other)) {
      seen.add(other);
      path.push({ place: other, others: next(other), done: 0 });
    }
  }
  return finished;
}

/**
 * Whether members are so many times as likely to watch members as others are, by the pairs of accounts and creators inside and
 * outside. Where nearly everybody is a creator who watches everybody there is nothing to compare with.
 */
function isUnusual(members: readonly CircleMember[], { accounts, pairs }: WatchingOfSite): boolean {
  const { leastAccounts, timesUsual } = markRules;
  const sum = (of: (member: CircleMember) => number) => members.reduce((all, one) => all + of(one), 0);
  const inside = sum(({ byMembers }) => byMembers);
  const fromOthers = sum((member) => member.accounts) - inside;
  const ofOthers = sum(({ watched }) => watched) - inside;
  const outside = pairs - inside - fromOthers - ofOthers;
  return (
    members.length >= leastAccounts &&
    accounts - members.length >= leastAccounts &&
    inside * outside >= timesUsual * Math.max(1, fromOthers) * Math.max(1, ofOthers)
  );
}
