import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '../../platform/database/tables.ts';
import { networkOf } from '../../platform/network.ts';
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

/** Remembers that a person has logged in from there. */
export function notePlace(db: Kysely<Tables>, personId: string, place: Buffer, now: Date): Promise<void> {
  return queries.upsertPlace(db, personId, place, now);
}
