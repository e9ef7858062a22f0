/**
 * Who asks, from the largest group to the smallest, such as a network and a household in it: shares are equal between
 * groups, and then inside each of them. A plain string is a client without groups. No client is a group of another.
 */
export type Client = string | readonly string[];

/** Work of many clients, so much of it at once. */
export interface FairQueue {
  /**
   * Resolves when it is this client's turn, with what is to be called when the work is done; any further call of that does
   * nothing. Rejects with what `refuse` makes where its turn does not come within the patience, or too many wait.
   */
  enter(client: Client): Promise<() => void>;
  /** Whether as many wait as can. */
  isCrowded(): boolean;
  /** How many are inside. */
  inside(): number;
  /** From now on so much is worked on at once; what is inside stays. */
  resize(atOnce: number): void;
  /** Whether this client's next request would be refused at once. */
  isFull(client: Client): boolean;
}

interface Settings {
  /** How much is worked on at once. */
  atOnce: number;
  /** How many more may enter of whom nothing is inside: whoever asks seldom does not wait for those who ask for much. */
  spare?: number;
  /** How many wait at most. */
  waiting?: number;
  /** How many of one client wait at most. */
  waitingEach?: number;
  /** How long one waits at most, in milliseconds. */
  patience?: number;
  /** How many turns a client or group gets where another gets one: a whole number. */
  weightOf?: (name: string) => number;
}

/** A client, or a group of them. */
interface Group {
  name: string;
  parent: Group | undefined;
  weight: number;
  /** Turns that are left to it in this round. */
  turns: number;
  inside: number;
  waiting: number;
  members: Map<string, Group>;
  /** Members of which some wait, in the order of their next turns. */
  round: Set<Group>;
  /** The same members by how many of each wait: those at the end have the most. */
  byWaiting: Set<Group>[];
  /** Of a client: what waits, in the order in which it came. */
  queue: Set<Waiter>;
}

interface Waiter {
  admit(): void;
  turnAway(): void;
}

/**
 * Weighted fair queueing (docs/decisions/0026-fair-share.md): whoever has fewest inside is next, and where that is equal
 * clients take turns, so that a client who asks for much waits for itself and hardly anybody for it. While fewer than
 * `atOnce` are inside nobody waits, whoever it is. Where as many wait as can, the client with the most waiting loses its
 * last one, which may be the one that comes.
 */
export function createFairQueue(
  {
    atOnce: atFirst,
    spare = 0,
    waiting: waitingAtMost = Number.POSITIVE_INFINITY,
    waitingEach = Number.POSITIVE_INFINITY,
    patience,
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

  /** The client, made known where it is not. */
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

  /** Who loses one where a request more of this client is one too many; undefined: the client itself. */
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
    inside: () => everybody.inside,
    resize(places) {
      atOnce = places;
      admitWaiting();
    },
    enter(name) {
      if (hasRoom(known(name))) return Promise.resolve(admitted(memberOf(name)));
      if (isFull(name)) return Promise.reject(refuse());
      if (everybody.waiting >= waitingAtMost) [...(heaviestBut(name)?.queue ?? [])].at(-1)?.turnAway();
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
          turnAway() {
            done();
            forget(client);
            reject(refuse());
          },
        };
        const timer = patience === undefined ? undefined : setTimeout(waiter.turnAway, patience);
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

/** The client of which most wait: of the member of which most wait, and so on. */
function lastOf(group: Group): Group {
  const [heaviest] = group.byWaiting.at(-1) ?? [];
  return heaviest ? lastOf(heaviest) : group;
}

/** The client whose turn it is. Hardly more members are looked at than are inside: the first of which none is will do. */
function nextOf(group: Group): Group {
  let next: Group | undefined;
  for (const member of group.round) {
    if (!next || member.inside / member.weight < next.inside / next.weight) next = member;
    if (next.inside === 0) break;
  }
  return next ? nextOf(next) : group;
}

/** Whoever has used its turns goes to the end of the round. */
function takeTurn(client: Group): void {
  for (const group of upwards(client)) {
    group.turns -= 1;
    if (group.turns > 0) continue;
    group.turns = group.weight;
    if (group.parent?.round.delete(group)) group.parent.round.add(group);
  }
}

/** Clients and groups of whom nothing is inside or waits any more. */
function forget(client: Group): void {
  for (const group of upwards(client))
    if (group.inside === 0 && group.waiting === 0) group.parent?.members.delete(group.name);
}
