import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import * as queries from './places.queries.ts';

/** Turns addresses, and what was typed there, into keys that tell them apart and from which neither can be read back. */
export interface Places {
  /** The keys of the networks that an address lies in, the largest first. */
  of(address: string): Buffer[];
  key(kind: string, ...parts: string[]): Buffer;
}

/** Where a call comes from, and what turns that into keys. */
export interface From {
  address: string;
  places: Places;
}

export function placesBy(secret: Buffer): Places {
  const key = (kind: string, ...parts: string[]) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, ...parts]))
      .digest()
      .subarray(0, 16);
  return { key, of: (address) => ipPrefixesOf(address).map((network) => key('address', network)) };
}

/** How long a place stays known to an account, in milliseconds, and how many are. */
export const knownFor = 30 * 24 * 60 * 60 * 1000;
const knownAtMost = 100;

/** Remembers that a person has logged in from there. */
export async function notePlaces(
  db: Kysely<Tables>,
  personId: string,
  places: readonly Buffer[],
  now: Date,
): Promise<void> {
  await queries.upsertPlaces(db, personId, places, now);
  await queries.deletePlacesOf(db, personId, knownAtMost);
}
