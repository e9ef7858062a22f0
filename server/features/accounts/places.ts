import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import { retention } from '#contract/retention.ts';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { ipPrefixesOf } from '#server/platform/ip-prefix.ts';
import { hasherFor, storedHash } from '../views/viewers.ts';
import * as queries from './places.queries.ts';

/** Hashes addresses and e-mail addresses with a secret, so that the database can compare but not reveal them. */
export interface Places {
  /** Keys of the networks that contain this address, largest first. */
  of(address: string): Buffer[];
  key(kind: string, ...parts: string[]): Buffer;
  /**
   * The stored form of these keys: hashed once more with the key of the month, which is destroyed 60 days later
   * (docs/decisions/0056-month-keys.md).
   */
  toStore(hashes: readonly Buffer[], now: Date): Promise<{ month: string; storedHashes: Buffer[] }>;
  /** Those of these places that match a stored row, with the rows. */
  matching(hashes: readonly Buffer[], rows: readonly queries.PlaceRow[]): Promise<Matching>;
}

interface Matching {
  hashes: Buffer[];
  rows: queries.PlaceRow[];
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

export function placesWith(
  secret: Buffer,
  { keyring, timeZone }: { keyring: Pick<Context['keyring'], 'monthKey'>; timeZone: string },
): Places {
  const key = (kind: string, ...parts: string[]) =>
    createHmac('sha256', secret)
      .update(JSON.stringify([kind, ...parts]))
      .digest()
      .subarray(0, 16);
  return {
    key,
    of: (address) => ipPrefixesOf(address).map((network) => key('address', network)),
    async toStore(hashes, now) {
      const month = monthOf(now, timeZone);
      const monthKey = await keyring.monthKey(month);
      return { month, storedHashes: hashes.map((hash) => storedHash(monthKey, hash)) };
    },
    async matching(hashes, rows) {
      const storedHashOf = await hasherFor(
        keyring,
        rows.map(({ month }) => month),
      );
      const isOf = ({ place, month }: queries.PlaceRow, hash: Buffer) =>
        place.toString('hex') === storedHashOf(month, hash);
      return {
        hashes: hashes.filter((hash) => rows.some((row) => isOf(row, hash))),
        rows: rows.filter((row) => hashes.some((hash) => isOf(row, hash))),
      };
    },
  };
}

/** For how many milliseconds a place stays known to an account, and how many places it may have. */
export const knownFor = retention.loginNetworkDays * 24 * 60 * 60 * 1000;
const maxKnown = 100;

/** Those of these places from which the account was used lately. */
export async function knownPlaces(
  db: Kysely<Tables>,
  emailKey: string,
  { places, at }: { places: Places; at: readonly Buffer[] },
  now: Date,
): Promise<Buffer[]> {
  const rows = await queries.listPlacesByEmail(db, emailKey, usedAfter(now));
  return (await places.matching(at, rows)).hashes;
}

const usedAfter = (now: Date) => new Date(now.getTime() - knownFor);

/** Stores that the person has logged in from these networks. */
export async function rememberPlaces(
  db: Kysely<Tables>,
  personId: string,
  { places, at }: { places: Places; at: readonly Buffer[] },
  now: Date,
): Promise<void> {
  // One row for each place: the row hashed with an earlier month's key is replaced.
  const rows = await queries.listPlaces(db, personId);
  const { month, storedHashes } = await places.toStore(at, now);
  const earlier = (await places.matching(at, rows)).rows.filter((row) => row.month !== month);
  if (earlier.length > 0)
    await queries.deleteThesePlaces(
      db,
      personId,
      earlier.map(({ place }) => place),
    );
  await queries.upsertPlaces(db, { personId, month, storedHashes }, now);
  await queries.deletePlacesOf(db, personId, maxKnown);
}

const aDay = 24 * 60 * 60 * 1000;

/** Whether the account was used before and, as far as known, never from this place. */
export async function isNewPlace(
  db: Kysely<Tables>,
  personId: string,
  { places, at }: { places: Places; at: Buffer },
  now: Date,
): Promise<boolean> {
  const rows = (await queries.listPlaces(db, personId)).filter((row) => row.used_at > usedAfter(now));
  if ((await places.matching([at], rows)).hashes.length > 0) return false;
  // Places expire: an account without known places is new only if it was made recently.
  return rows.length > 0 || now.getTime() - (await queries.madeAt(db, personId)).getTime() > aDay;
}
