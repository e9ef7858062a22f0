/**
 * A client with its groups, largest first, such as a network and a household in it. Groups have equal shares, and so have the
 * members inside a group. A plain string is a client without groups. A client is never a group of another client.
 */
export type Client = string | readonly string[];

/** Limits the concurrency of work of many clients, and shares it fairly. */
export interface FairQueue {
  /**
   * Resolves when it is this client's turn, with a function to call when the work is done; calling it again does nothing.
   * Rejects with the error of `refuse` after the timeout, or if the queue is full.
   */
  enter(client: Client): Promise<() => void>;
  /** Counts work of this client that did not wait here, because another queue admitted it; returns the function to call when it is done. */
  occupy(client: Client): () => void;
  /** Whether the queue is full. */
  isCrowded(): boolean;
  /** Number of running pieces of work. */
  inside(): number;
  /** Changes the concurrency; running work continues. */
  resize(atOnce: number): void;
  /** Whether this client's next request would be refused at once. */
  isFull(client: Client): boolean;
}

interface Settings {
  /** Concurrency: how much work runs at the same time. */
  atOnce: number;
  /** Extra places for clients without running work, so that occasional clients do not wait for heavy ones. */
  spare?: number;
  /** Longest queue. */
  waiting?: number;
  /** Longest queue of one client. */
  waitingEach?: number;
  /** Longest wait in milliseconds. */
  timeout?: number;
  /** Relative share of a client or group: a whole number, 1 by default. */
  weightOf?: (name: string) => number;
}

/** A client, or a group of them. */
interface Group {
  name: string;
  parent: Group | undefined;
  weight: number;
  /** Turns left in this round. */
  turns: number;
  inside: number;
  waiting: number;
  members: Map<string, Group>;
  /** Members with waiting work, in the order of their next turns. */
  round: Set<Group>;
  /** The same members by the length of their queues: index 3 holds those with three waiting. */
  byWaiting: Set<Group>[];
  /** For a client: its waiting work in order of arrival. */
  queue: Set<Waiter>;
}

interface Waiter {
  admit(): void;
  reject(): void;
}

/**
 * Weighted fair queueing (docs/decisions/0026-fair-share.md). The client with the least running work is next; between equal clients turns
 * rotate, so that a heavy client mostly waits for itself. No client waits while fewer than `atOnce` run. When the queue is full, the client
 * with most waiting work loses its newest one, which may be the one that just arrived.
 */
export function createFairQueue(
  {
    atOnce: atFirst,
    spare = 0,
    waiting: waitingAtMost = Number.POSITIVE_INFINITY,
    waitingEach = Number.POSITIVE_INFINITY,
    timeout,
    weightOf = () => 1,
  }: Settings,
  refuse: () => Error = () => new Error('too many wait already'),
): FairQueue {
  const everybody = newGroup('', undefined, 1);
  let atOnce = atFirst;

  const hasRoom = (client: Group | undefined) =>
    everybody.inside < atOnce || (everybody.inside < atOnce + spare && !client?.inside);

  function admitWaiting(): void {
    while (everybody.waiting > 0) {
      const client = nextOf(everybody);
      if (!hasRoom(client)) return;
      const [first] = client.queue;
      first?.admit();
    }
  }

  /** Finds the client's entry, or creates it. */
  function memberOf(client: Client): Group {
    let group = everybody;
    for (const name of namesOf(client)) {
      let member = group.members.get(name);
      if (!member) {
        member = newGroup(name, group, weightOf(name));
        group.members.set(name, member);
      }
      group = member;
    }
    return group;
  }

  function known(client: Client): Group | undefined {
    let group: Group | undefined = everybody;
    for (const name of namesOf(client)) group = group?.members.get(name);
    return group;
  }

  /** The client that loses its newest work when this client adds some to a full queue; undefined if it is this client itself. */
  function heaviestBut(client: Client): Group | undefined {
    let mine: Group | undefined = everybody;
    for (const name of namesOf(client)) {
      const most: number = mine ? mine.byWaiting.length - 1 : 0;
      const member: Group | undefined = mine?.members.get(name);
      if (mine && most > (member?.waiting ?? 0) + 1) return lastOf(mine);
      mine = member;
    }
    return undefined;
  }

  const isFull = (client: Client) =>
    !hasRoom(known(client)) &&
    ((known(client)?.waiting ?? 0) >= waitingEach ||
      (everybody.waiting >= waitingAtMost && heaviestBut(client) === undefined));

  function admitted(client: Group): () => void {
    for (const group of upwards(client)) group.inside += 1;
    let left = false;
    return () => {
      if (left) return;
      left = true;
      for (const group of upwards(client)) group.inside -= 1;
      forget(client);
      admitWaiting();
    };
  }

  return {
    isCrowded: () => everybody.waiting >= waitingAtMost,
    isFull,
    occupy: (client) => admitted(memberOf(client)),
    inside: () => everybody.inside,
    resize(places) {
      atOnce = places;
      admitWaiting();
    },
    enter(name) {
      if (hasRoom(known(name))) return Promise.resolve(admitted(memberOf(name)));
      if (isFull(name)) return Promise.reject(refuse());
      if (everybody.waiting >= waitingAtMost) [...(heaviestBut(name)?.queue ?? [])].at(-1)?.reject();
      const client = memberOf(name);
      return new Promise((resolve, reject) => {
        const done = () => {
          clearTimeout(timer);
          client.queue.delete(waiter);
          countWaiting(client, -1);
        };
        const waiter: Waiter = {
          admit() {
            done();
            takeTurn(client);
            resolve(admitted(client));
          },
          reject() {
            done();
            forget(client);
            reject(refuse());
          },
        };
        const timer = timeout === undefined ? undefined : setTimeout(waiter.reject, timeout);
        client.queue.add(waiter);
        countWaiting(client, 1);
      });
    },
  };
}

const namesOf = (client: Client) => (typeof client === 'string' ? [client] : client);

const newGroup = (name: string, parent: Group | undefined, weight: number): Group => ({
  name,
  parent,
  weight,
  turns: weight,
  inside: 0,
  waiting: 0,
  members: new Map(),
  round: new Set(),
  byWaiting: [],
  queue: new Set(),
});

function* upwards(client: Group): Generator<Group> {
  for (let group: Group | undefined = client; group; group = group.parent) yield group;
}

function countWaiting(client: Group, by: 1 | -1): void {
  for (const group of upwards(client)) {
    group.parent?.byWaiting[group.waiting]?.delete(group);
    group.waiting += by;
    if (!group.parent) return;
    const { byWaiting, round } = group.parent;
    if (group.waiting === 0) round.delete(group);
    else {
      round.add(group);
      byWaiting[group.waiting] ??= new Set();
      byWaiting[group.waiting]?.add(group);
    }
    while (byWaiting.length > 0 && !byWaiting.at(-1)?.size) byWaiting.pop();
  }
}

/** The client with most waiting work, searched from the heaviest group down. */
function lastOf(group: Group): Group {
  const [heaviest] = group.byWaiting.at(-1) ?? [];
  return heaviest ? lastOf(heaviest) : group;
}

/** The client whose turn it is. The search stops at the first member without running work, so it looks at few members. */
function nextOf(group: Group): Group {
  let next: Group | undefined;
  for (const member of group.round) {
    if (!next || member.inside / member.weight < next.inside / next.weight) next = member;
    if (next.inside === 0) break;
  }
  return next ? nextOf(next) : group;
}

/** Counts a turn; a member without turns left goes to the end of the round. */
function takeTurn(client: Group): void {
  for (const group of upwards(client)) {
    group.turns -= 1;
    if (group.turns > 0) continue;
    group.turns = group.weight;
    if (group.parent?.round.delete(group)) group.parent.round.add(group);
  }
}

/** Removes the client and its groups if they have no running or waiting work. */
function forget(client: Group): void {
  for (const group of upwards(client))
    if (group.inside === 0 && group.waiting === 0) group.parent?.members.delete(group.name);
}
