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
  /** Whether the queue is full, so that some clients are refused. */
  isCrowded(): boolean;
  /** Whether this client's next request would be refused at once. */
  isFull(client: Client): boolean;
  /** Number of running pieces of work. */
  inside(): number;
  /** Changes the concurrency; running work continues. */
  resize(atOnce: number): void;
}

interface Settings {
  /** Concurrency: how much work runs at the same time. */
  atOnce: number;
  /** Extra places for clients without running work, so that occasional clients do not wait for heavy ones. */
  spare?: number;
  /** Longest queue. */
  waiting?: number;
  /** Longest wait in milliseconds. */
  timeout?: number;
}

/** A client, or a group of them. */
interface Group {
  name: string;
  parent: Group | undefined;
  inside: number;
  waiting: number;
  /** In the order of their next turns. */
  members: Map<string, Group>;
  /** For a client: its waiting work in order of arrival. */
  queue: Set<Waiter>;
}

interface Waiter {
  admit(): void;
  reject(): void;
}

/**
 * Fair queueing (docs/decisions/0026-fair-share.md). The client with the least running work is next; between equal clients turns rotate, so
 * that a heavy client mostly waits for itself. No client waits while fewer than `atOnce` run. When the queue is full, the client with most
 * waiting work loses its newest one, which may be the one that just arrived.
 */
export function createFairQueue(
  { atOnce: atFirst, spare = 0, waiting: most = Number.POSITIVE_INFINITY, timeout }: Settings,
  refuse: () => Error = () => new Error('too many wait already'),
): FairQueue {
  const everybody = newGroup('', undefined);
  let atOnce = atFirst;

  const hasRoom = (client: Group | undefined) =>
    everybody.inside < atOnce || (everybody.inside < atOnce + spare && !client?.inside);
  const isCrowded = () => everybody.waiting >= most;

  function admitWaiting(): void {
    while (everybody.waiting > 0) {
      const client = nextOf(everybody);
      if (!hasRoom(client)) return;
      const [first] = client.queue;
      first?.admit();
    }
  }

  function find(client: Client): Group | undefined {
    let group: Group | undefined = everybody;
    for (const name of namesOf(client)) group = group?.members.get(name);
    return group;
  }

  function findOrAdd(client: Client): Group {
    let group = everybody;
    for (const name of namesOf(client)) {
      const member = group.members.get(name) ?? newGroup(name, group);
      group.members.set(name, member);
      group = member;
    }
    return group;
  }

  /** The client that loses its newest work when this client adds some to a full queue; undefined if it is this client itself. */
  function heaviestBut(client: Client): Group | undefined {
    let group: Group | undefined = everybody;
    for (const name of namesOf(client)) {
      const own: Group | undefined = group?.members.get(name);
      const heaviest = group && heaviestIn(group);
      if (heaviest && heaviest.waiting > (own?.waiting ?? 0) + 1) return heaviestBelow(heaviest);
      group = own;
    }
    return undefined;
  }

  const isFull = (client: Client) =>
    isCrowded() && !hasRoom(find(client)) && heaviestBut(client) === undefined;

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
    isCrowded,
    isFull,
    inside: () => everybody.inside,
    resize(places) {
      atOnce = places;
      admitWaiting();
    },
    enter(name) {
      if (hasRoom(find(name))) return Promise.resolve(admitted(findOrAdd(name)));
      if (isFull(name)) return Promise.reject(refuse());
      if (isCrowded()) [...(heaviestBut(name)?.queue ?? [])].at(-1)?.reject();
      const client = findOrAdd(name);
      return new Promise((resolve, reject) => {
        const leave = () => {
          clearTimeout(timer);
          client.queue.delete(waiter);
          for (const group of upwards(client)) group.waiting -= 1;
        };
        const waiter: Waiter = {
          admit() {
            leave();
            for (const group of upwards(client)) moveBehindOthers(group);
            resolve(admitted(client));
          },
          reject() {
            leave();
            forget(client);
            reject(refuse());
          },
        };
        const timer = timeout === undefined ? undefined : setTimeout(waiter.reject, timeout);
        client.queue.add(waiter);
        for (const group of upwards(client)) {
          if (group.waiting === 0) moveBehindOthers(group);
          group.waiting += 1;
        }
      });
    },
  };
}

const namesOf = (client: Client) => (typeof client === 'string' ? [client] : client);

const newGroup = (name: string, parent: Group | undefined): Group => ({
  name,
  parent,
  inside: 0,
  waiting: 0,
  members: new Map(),
  queue: new Set(),
});

function* upwards(client: Group): Generator<Group> {
  for (let group: Group | undefined = client; group; group = group.parent) yield group;
}

/** The member with most waiting work. */
function heaviestIn({ members }: Group): Group | undefined {
  let heaviest: Group | undefined;
  for (const member of members.values()) if (member.waiting > (heaviest?.waiting ?? 0)) heaviest = member;
  return heaviest;
}

/** The client with most waiting work, searched from the heaviest group down. */
function heaviestBelow(group: Group): Group {
  const heaviest = heaviestIn(group);
  return heaviest ? heaviestBelow(heaviest) : group;
}

/** The client whose turn it is. The search stops at the first member without running work, so it looks at few members. */
function nextOf(group: Group): Group {
  let next: Group | undefined;
  for (const member of group.members.values()) {
    if (member.waiting > 0 && (!next || member.inside < next.inside)) next = member;
    if (next?.inside === 0) break;
  }
  return next ? nextOf(next) : group;
}

/** Lets the other members of its group have their turns first. */
function moveBehindOthers(group: Group): void {
  if (group.parent?.members.delete(group.name)) group.parent.members.set(group.name, group);
}

/** Removes the client and its groups if they have no running or waiting work. */
function forget(client: Group): void {
  for (const group of upwards(client))
    if (group.inside === 0 && group.waiting === 0) group.parent?.members.delete(group.name);
}
