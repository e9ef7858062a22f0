import { markRules } from '#contract/rates.ts';

/** A creator who watched others in a month, and whom others watched. */
export interface CircleCreator {
  creatorId: string;
  /** The number of this creator as a node of the graph. */
  place: number;
  /** Number of accounts that watched this creator, and the numbers of those among them that are creators. */
  accounts: number;
  by: number[];
  /** Number of creators whom this one watched. */
  watched: number;
}

/** The accounts that watched anybody in a month, and the pairs of an account and a creator that it watched. */
export interface WatchingOfSite {
  accounts: number;
  pairs: number;
}

/** A member of a circle, and how many other members watched this one. */
export type CircleMember = CircleCreator & { byMembers: number };

/**
 * Circles of creators who watch one another and whom hardly anybody else watches (docs/decisions/0067-marks.md): the largest strongly
 * connected subgraphs in which each member was watched by some members, watched some, and has few other viewers. So being watched by a
 * circle does not make a creator a member, and watching others does not hide a circle.
 */
export function circlesOf(creators: readonly CircleCreator[], site: WatchingOfSite): CircleMember[][] {
  const graph = graphOf(creators);
  const circles: CircleMember[][] = [];
  const pending = [new Set(graph.creators.keys())];
  for (let among = pending.pop(); among; among = pending.pop()) {
    const left = removeOutsiders(among, graph);
    const parts = componentsOf(left, graph);
    if (parts.length > 1) pending.push(...parts);
    else if (left.size > 0) {
      const circle = membersOf(left, graph);
      if (isUnusual(circle, site)) circles.push(circle);
    }
  }
  return circles;
}

/** The creators by number; `watched` has the creators whom each one watched. */
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
const countIn = (places: readonly number[], among: ReadonlySet<number>) =>
  places.reduce((count, place) => (among.has(place) ? count + 1 : count), 0);

const membersOf = (among: ReadonlySet<number>, { creators }: Graph): CircleMember[] =>
  [...among].flatMap((place) => {
    const one = creators.get(place);
    return one ? [{ ...one, byMembers: countIn(one.by, among) }] : [];
  });

/** Removes creators who do not fit until nothing changes, and returns the others. */
function removeOutsiders(among: ReadonlySet<number>, graph: Graph): Set<number> {
  const { leastNeighbours, commonShare } = markRules;
  const left = new Map(
    membersOf(among, graph).map(({ place, accounts, byMembers }) => {
      const watched = countIn(watchedBy(place, graph), among);
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

/** The strongly connected components (Kosaraju's algorithm). */
function componentsOf(among: ReadonlySet<number>, graph: Graph): Set<number>[] {
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
  /** The visited nodes; the search adds to them. */
  seen: Set<number>;
  next(place: number): readonly number[];
}

/** The unvisited nodes that can be reached from this one, in postorder. */
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
 * Whether members watch members far more often than chance would explain: the odds ratio of pairs of an account and a creator, inside and
 * outside of the circle. Where nearly all accounts are creators who watch everybody, there is nothing to compare with. A large
 * circle does not happen by chance, so a few other accounts are enough.
 */
function isUnusual(members: readonly CircleMember[], { accounts, pairs }: WatchingOfSite): boolean {
  const { largeCircle, leastAccounts, timesUsual } = markRules;
  const leastOthers = members.length >= largeCircle ? 1 : leastAccounts;
  const sum = (of: (member: CircleMember) => number) => members.reduce((all, one) => all + of(one), 0);
  const inside = sum(({ byMembers }) => byMembers);
  const fromOthers = sum((member) => member.accounts) - inside;
  const ofOthers = sum(({ watched }) => watched) - inside;
  const outside = pairs - inside - fromOthers - ofOthers;
  return (
    members.length >= leastAccounts &&
    accounts - members.length >= leastOthers &&
    inside * outside >= timesUsual * Math.max(1, fromOthers) * Math.max(1, ofOthers)
  );
}
