import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import type { Secret } from './viewers.ts';

/** A showing, signed by the server and stored by the player. */
export interface Lease {
  reelId: string;
  viewer: Buffer;
  /** Hash of the network of the showing. */
  address: Buffer;
  /** The viewer, if signed in. */
  personId: string | undefined;
  /** Hash of the browser's random id, if it sent one. */
  browser: Buffer | undefined;
  issuedAt: Date;
  /** Milliseconds of play after which the reel counts as watched. */
  toWatchMs: number;
}

const [idBytes, viewerBytes, browserBytes, addressBytes] = [16, 16, 16, 8];
const [timeBytes, lengthBytes, macBytes] = [6, 4, 16];
const bodyBytes = 2 * idBytes + viewerBytes + browserBytes + addressBytes + timeBytes + lengthBytes;
/** Used if there is no person or no browser id. */
const nothing = Buffer.alloc(16);

/** Hash of the random id that a browser stores. */
export function browserOf(secret: Secret, id: string): Buffer {
  return createHmac('sha256', secret).update(`browser\n${id}`).digest().subarray(0, browserBytes);
}

/** Signs and verifies leases. They are not stored, since most showings are left at once. */
export function openLeases(secret: Buffer) {
  const key = createSecretKey(secret);
  const macOf = (body: Buffer) =>
    createHmac('sha256', key).update('lease\n').update(body).digest().subarray(0, macBytes);
  return {
    issue({ reelId, viewer, address, personId, browser, issuedAt, toWatchMs }: Lease): string {
      const numbers = Buffer.alloc(timeBytes + lengthBytes);
      numbers.writeUIntBE(issuedAt.getTime(), 0, timeBytes);
      numbers.writeUInt32BE(Math.ceil(toWatchMs), timeBytes);
      const person = personId === undefined ? nothing : bytesOf(personId);
      const body = Buffer.concat([bytesOf(reelId), person, viewer, browser ?? nothing, address, numbers]);
      return Buffer.concat([body, macOf(body)]).toString('base64url');
    },
    /** Undefined for a lease that this site did not sign. */
    read(text: string): Lease | undefined {
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length !== bodyBytes + macBytes) return undefined;
      const body = bytes.subarray(0, bodyBytes);
      if (!timingSafeEqual(bytes.subarray(bodyBytes), macOf(body))) return undefined;
      const part = (from: number, length: number) => body.subarray(from, from + length);
      const viewerAt = 2 * idBytes;
      const browserAt = viewerAt + viewerBytes;
      const addressAt = browserAt + browserBytes;
      const time = addressAt + addressBytes;
      const [person, browser] = [part(idBytes, idBytes), part(browserAt, browserBytes)];
      return {
        reelId: idOf(part(0, idBytes)),
        personId: person.equals(nothing) ? undefined : idOf(person),
        viewer: part(viewerAt, viewerBytes),
        browser: browser.equals(nothing) ? undefined : browser,
        address: part(addressAt, addressBytes),
        issuedAt: new Date(body.readUIntBE(time, timeBytes)),
        toWatchMs: body.readUInt32BE(time + timeBytes),
      };
    },
  };
}

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');
const idOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
