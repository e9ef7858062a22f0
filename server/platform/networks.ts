import { createHmac, randomBytes } from 'node:crypto';
import { retention } from '#contract/retention.ts';
import type { Client } from './fair-queue.ts';
import { ipPrefixesOf } from './ip-prefix.ts';

/*
 * From which network each person's last request came, so that work which is done for them later is shared between networks first, as
 * requests are (docs/decisions/0037-networks-in-memory.md). It is never stored, and each process knows whom it has answered. The privacy page names it.
 */

const minute = 60_000;
const rememberedFor = retention.networkMinutes * minute;
/** New in each process and never stored, so that a mark of a network means nothing outside of this process. */
const secret = randomBytes(32);

/** Maximum number of remembered people. */
const maxPeople = 50_000;
// Of the process and not of a server in it: so are the queues that go by it.
const networks = new Map<string, { network: string; until: number }>();
const peopleIn = new Map<string, Set<string>>();

/** A mark of the network of an address. */
export function networkMark(address: string): string {
  const [network = ''] = ipPrefixesOf(address);
  return createHmac('sha256', secret).update(network).digest('base64url').slice(0, 22);
}

export function noteNetwork(personId: string, address: string): void {
  forget(personId);
  const network = networkMark(address);
  networks.set(personId, { network, until: performance.now() + rememberedFor });
  const people = peopleIn.get(network) ?? new Set();
  peopleIn.set(network, people.add(personId));
  const [oldest] = networks.keys();
  if (networks.size > maxPeople && oldest !== undefined) forget(oldest);
}

// The oldest entries come first. A server that nobody visits forgets them too.
setInterval(() => {
  for (const [personId, { until }] of networks) {
    if (until > performance.now()) break;
    forget(personId);
  }
}, minute).unref();

function forget(personId: string): void {
  const network = networks.get(personId)?.network;
  if (network === undefined) return;
  networks.delete(personId);
  const people = peopleIn.get(network);
  people?.delete(personId);
  if (people?.size === 0) peopleIn.delete(network);
}

/** The person as a client of a fair queue: networks have equal shares, and so have the people in a network. */
export function clientOfPerson(personId: string): Client {
  return ['people', networks.get(personId)?.network ?? `of ${personId}`, `person ${personId}`];
}

/** Maximum number of neighbours: behind a carrier's address there may be 50,000 people, and queries take these. */
const maxNeighbours = 1000;

/** Other people who were last seen in the same network; the most recently seen if there are many. */
export function neighboursOf(personId: string): string[] {
  const people = peopleIn.get(networks.get(personId)?.network ?? '') ?? [];
  return [...people].filter((other) => other !== personId).slice(-maxNeighbours);
}
