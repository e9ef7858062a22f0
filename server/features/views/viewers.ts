import { createHmac } from 'node:crypto';
import { isbot } from 'isbot';
import { ipPrefixOf } from '#server/platform/ip-prefix.ts';

/** Identifies a viewer by 16 bytes that do not reveal who it is. */
export type Viewer = Buffer;

/**
 * A signed-in person is the same viewer on all devices. Other viewers are identified by network and browser. Both are
 * hashed with a secret, so that they cannot be recovered from the stored views.
 */
export function viewerOf(
  secret: Buffer,
  who: { personId: string | undefined; address: string; userAgent: string },
): Viewer {
  const identity = who.personId
    ? `person ${who.personId}`
    : `visitor ${ipPrefixOf(who.address)}\n${who.userAgent}`;
  return createHmac('sha256', secret).update(identity).digest().subarray(0, 16);
}

/** Hash of the network of an address. */
export function addressOf(secret: Buffer, address: string): Buffer {
  return createHmac('sha256', secret)
    .update(`address ${ipPrefixOf(address)}`)
    .digest()
    .subarray(0, 8);
}

/** Whether the user agent is a known bot, or empty. */
export function isBot(userAgent: string): boolean {
  return userAgent === '' || isbot(userAgent);
}
