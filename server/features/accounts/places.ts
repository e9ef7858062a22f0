import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import { retention } from '#contract/retention.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import * as queries from './places.queries.ts';

/** Hashes addresses and e-mail addresses with a secret, so that the database can compare but not reveal them. */
export interface Places {
  /** Keys of the networks that contain this address, largest first. */
  of(address: string): Buffer[];
  key(kind: string, ...parts: string[]): Buffer;
}

/** Where a request comes from, and the hashes for it. */
export interface From {
  address: string;
  userAgent: string;
  places: Places;
  /** Key of the browser (devices.ts) or session, if it is known to the account. */
  device?: Buffer | undefined;
}

/** Where a request in a session comes from. Guesses in it are counted per session, which is a known device of the account. */
export function fromSession(
  places: Places,
  { address, userAgent, token = '' }: { address: string; userAgent: string; token?: string | undefined },
): From {
  return { address, userAgent, places, device: places.key('session guess', token) };
}

export function placesWith(secret: Buffer): Places {
  const key = (kind: string, ...parts: string[]) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, ...parts]))
      .digest()
      .subarray(0, 16);
  return { key, of: (address) => ipPrefixesOf(address).map((network) => key('address', network)) };
}

/** For how many milliseconds a place stays known to an account, and how many places it may have. */
export const knownFor = retention.loginNetworkDays * 24 * 60 * 60 * 1000;
const maxKnown = 100;

/** Those of these places from which the account was used lately. */
export async function knownPlaces(
  db: Kysely<Tables>,
  emailKey: string,
  at: readonly Buffer[],
  now: Date,
): Promise<Buffer[]> {
  const known = await queries.listPlacesByEmail(db, emailKey, usedAfter(now));
  return at.filter((place) => known.some((earlier) => earlier.equals(place)));
}

const usedAfter = (now: Date) => new Date(now.getTime() - knownFor);

/** Stores that the person has logged in from these networks. */
export async function rememberPlaces(
  db: Kysely<Tables>,
  personId: string,
  at: readonly Buffer[],
  now: Date,
): Promise<void> {
  await queries.upsertPlaces(db, { personId, places: at }, now);
  await queries.deletePlacesOf(db, personId, maxKnown);
}

const aDay = 24 * 60 * 60 * 1000;

/** Whether the account was used before and, as far as known, never from this place. */
export async function isNewPlace(
  db: Kysely<Tables>,
  personId: string,
  at: Buffer,
  now: Date,
): Promise<boolean> {
  const known = await queries.listPlaces(db, personId, usedAfter(now));
  if (known.some((place) => place.equals(at))) return false;
  // Places expire: an account without known places is new only if it was made recently.
  return known.length > 0 || now.getTime() - (await queries.madeAt(db, personId)).getTime() > aDay;
}
