import type { Client } from './fair-queue.ts';
import { ipPrefixesOf } from './ip-prefix.ts';

/*
 * From which network each person's last request came, so that work which is done for them later is shared between networks first, as
 * requests are (docs/decisions/0037-networks-in-memory.md). It is never stored, and each process knows whom it has answered.
 */

/** Maximum number of remembered people. */
const maxPeople = 50_000;
// Of the process and not of a server in it: so are the queues that go by it.
const networks = new Map<string, string>();
const peopleIn = new Map<string, Set<string>>();

export function noteNetwork(personId: string, address: string): void {
  forget(personId);
  const [network = ''] = ipPrefixesOf(address);
  networks.set(personId, network);
  const people = peopleIn.get(network) ?? new Set();
  peopleIn.set(network, people.add(personId));
  const [oldest] = networks.keys();
  if (networks.size > maxPeople && oldest !== undefined) forget(oldest);
}

function forget(personId: string): void {
  const network = networks.get(personId);
  if (network === undefined) return;
  networks.delete(personId);
  const people = peopleIn.get(network);
  people?.delete(personId);
  if (people?.size === 0) peopleIn.delete(network);
}

/** The person as a client of a fair queue: networks have equal shares, and so have the people in a network. */
export function clientOfPerson(personId: string): Client {
  return ['people', networks.get(personId) ?? `of ${personId}`, `person ${personId}`];
}

/** Other people who were last seen in the same network. */
export function neighboursOf(personId: string): string[] {
  const people = peopleIn.get(networks.get(personId) ?? '') ?? [];
  return [...people].filter((other) => other !== personId);
}
