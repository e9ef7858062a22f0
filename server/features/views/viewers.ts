import { createHmac, type KeyObject } from 'node:crypto';
import { isbot } from 'isbot';
import { ipPrefixOf } from '#server/platform/ip-prefix.ts';

/** Identifies a viewer by 16 bytes that do not reveal who it is (docs/decisions/0056-hashed-viewers.md). */
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

/** Hash of the network of an address. */
export function addressOf(secret: Secret, address: string): Buffer {
  return createHmac('sha256', secret)
    .update(`address ${ipPrefixOf(address)}`)
    .digest()
    .subarray(0, 8);
}

/** A signed-in person is the same viewer wherever they are. */
export const viewerOfPerson = (secret: Secret, personId: string): Viewer =>
  viewerOf(secret, { personId, address: '', userAgent: '' });

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
