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

/** A hash of the network of an address. */
export function networkMark(address: string): string {
  const [network = ''] = ipPrefixesOf(address);
  return createHmac('sha256', secret).update(network).digest('base64url').slice(0, 22);
}

export function noteNetwork(personId: string, address: string): void {
  networks.delete(personId);
  networks.set(personId, { network: networkMark(address), until: performance.now() + rememberedFor });
  const [oldest] = networks.keys();
  if (networks.size > maxPeople && oldest !== undefined) networks.delete(oldest);
}

// The oldest entries come first. A server without requests also deletes them.
setInterval(() => {
  for (const [personId, { until }] of networks) {
    if (until > performance.now()) break;
    networks.delete(personId);
  }
}, minute).unref();

/** The person as a client of a fair queue: networks have equal shares, and so have the people in a network. */
export function clientOfPerson(personId: string): Client {
  return ['people', networks.get(personId)?.network ?? `of ${personId}`, `person ${personId}`];
}
