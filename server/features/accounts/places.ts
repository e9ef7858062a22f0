import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import * as queries from './places.queries.ts';

/** Turns addresses, and what was typed there, into keys that tell them apart and from which neither can be read back. */
export interface Places {
  /** The key of an address. */
  of(address: string): Buffer;
  key(kind: string, ...parts: string[]): Buffer;
}

export function placesBy(secret: Buffer): Places {
  const key = (kind: string, ...parts: string[]) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, ...parts]))
      .digest()
      .subarray(0, 16);
  return { key, of: (address) => key('address', networkOf(address)) };
}

/** A household has an IPv6 network of its own, and an address in it is anybody's to choose: the network is the place. */
export function networkOf(address: string): string {
  const plain = address.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const groups = head.split(':').filter(Boolean);
  const missing = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length;
  const all = [...groups, ...Array(missing).fill('0'), ...(tail ?? '').split(':').filter(Boolean)];
  return all
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
}

/** Remembers that a person has logged in from there. */
export function notePlace(db: Kysely<Tables>, personId: string, place: Buffer, now: Date): Promise<void> {
  return queries.upsertPlace(db, personId, place, now);
}
