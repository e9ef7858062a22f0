import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { isbot } from 'isbot';
import { ipPrefixOf } from '#server/platform/ip-prefix.ts';
import type { Keyring } from '#server/platform/keyring/keyring.ts';

/** Identifies a viewer by 16 bytes that do not reveal who it is. They stay in memory: `storedHash` is what is stored. */
export type Viewer = Buffer;

/** A hash with a `KeyObject` takes a fifth of the time that it takes with a buffer. */
export type Secret = Buffer | KeyObject;

/**
 * A signed-in person is the same viewer on all devices. Other viewers are identified by network and browser. Both are
 * hashed with a secret.
 */
export function viewerOf(
  secret: Secret,
  who: { personId: string | undefined; address: string; userAgent: string },
): Viewer {
  const identity = who.personId
    ? `person ${who.personId}`
    : `visitor ${ipPrefixOf(who.address)}\n${who.userAgent}`;
  return createHmac('sha256', secret).update(identity).digest().subarray(0, 16);
}

/** Hash of the network of an address; it stays in memory, too. */
export function addressOf(secret: Secret, address: string): Buffer {
  return createHmac('sha256', secret)
    .update(`address ${ipPrefixOf(address)}`)
    .digest()
    .subarray(0, 8);
}

/**
 * The stored form of a viewer or a network: hashed again, with the key of the month. Hashes of one month can always be compared with each
 * other, but with anything else only until the key is destroyed (docs/decisions/0056-month-keys.md).
 */
export function storedHash(monthKey: Secret, hash: Buffer): Buffer {
  const length = Math.min(hash.length, storedBytes);
  return createHmac('sha256', monthKey).update(hash).digest().subarray(0, length);
}
const storedBytes = 16;

/** Returns the function that hashes for storage, with the keys of these months; its result is in hex. */
export async function hasherFor(
  keyring: Pick<Keyring, 'monthKey'>,
  months: Iterable<string>,
): Promise<(month: string, hash: Buffer) => string> {
  const keys = new Map<string, KeyObject>();
  for (const month of new Set(months)) keys.set(month, createSecretKey(await keyring.monthKey(month)));
  return (month, hash) => {
    const key = keys.get(month);
    if (!key) throw new Error(`the key of ${month} was not asked for`);
    return storedHash(key, hash).toString('hex');
  };
}

/** Returns the function that hashes the id of a signed-in viewer for storage in a month; its result is in hex. */
export async function personHasher(
  keyring: Pick<Keyring, 'monthKey' | 'secret'>,
  month: string,
): Promise<(personId: string) => string> {
  const [secret, key] = [keyring.secret('viewers'), await keyring.monthKey(month)];
  return (personId) =>
    storedHash(key, viewerOf(secret, { personId, address: '', userAgent: '' })).toString('hex');
}

/** Whether the user agent is a known bot, or empty. */
export function isBot(userAgent: string): boolean {
  return userAgent === '' || isbot(userAgent);
}

/**
 * Whether the user agent of a logged-in person is a known crawler. Apps may send only their name or that of their HTTP library, such as
 * `okhttp/4.12.0`, or nothing.
 */
export function isCrawler(userAgent: string): boolean {
  const isBareName = /^[\w.-]*(\/[\w.-]+)?$/.test(userAgent) && !/bot|crawl|spider/i.test(userAgent);
  return !isBareName && isbot(userAgent);
}
