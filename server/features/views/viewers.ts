import { createHmac } from 'node:crypto';
import { isbot } from 'isbot';
import { ipPrefixOf } from '#server/platform/ip-prefix.ts';

/** Who saw something: 16 bytes that tell viewers apart and name nobody. */
export type Viewer = Buffer;

/**
 * A signed-in person is themselves on every device; anyone else is their network and browser, hashed with a secret,
 * so that neither can be read back from the record.
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

/** Where somebody is: the same for all of one network, hashed like a viewer. */
export function addressOf(secret: Buffer, address: string): Buffer {
  return createHmac('sha256', secret)
    .update(`address ${ipPrefixOf(address)}`)
    .digest()
    .subarray(0, 8);
}

/** A known bot, or something that does not even say what it is. */
export function isBot(userAgent: string): boolean {
  return userAgent === '' || isbot(userAgent);
}
