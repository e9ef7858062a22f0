import { createHmac, randomBytes } from 'node:crypto';
import { retention } from '#contract/retention.ts';
import type { Client } from './fair-queue.ts';
import { ipPrefixesOf } from './ip-prefix.ts';

/*
 * The network of each person's last request, so that later work for them can be shared fairly between networks, like requests
 * (docs/decisions/0037-networks-in-memory.md). It is never stored, and each process knows only its own requests. The privacy page mentions
 * it.
 */

const minute = 60_000;
const rememberedFor = retention.networkMinutes * minute;
/** New in each process and never stored, so that hashes of networks are useless outside of this process. */
const secret = randomBytes(32);

/** Maximum number of remembered people. */
const maxPeople = 50_000;
// Global, since the queues that use it are global, too.
const networks = new Map<string, { network: string; until: number }>();
const peopleIn = new Map<string, Set<string>>();

/** A hash of the network of an address. */
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

// The oldest entries come first. A server without requests also deletes them.
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

/** Maximum number of neighbours: behind a carrier's address there may be 50,000 people, and they are query parameters. */
const maxNeighbours = 1000;

/** Other people who were last seen in the same network; the most recently seen if there are many. */
export function neighboursOf(personId: string): string[] {
  const people = peopleIn.get(networks.get(personId)?.network ?? '') ?? [];
  return [...people].filter((other) => other !== personId).slice(-maxNeighbours);
}
