import { randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** A UUIDv7 whose time part is `at`. */
export function newId(at: Date): string {
  return v7({ msecs: at.getTime(), rng: randomSixteen });
}

// Random bytes for 512 ids are fetched at once, because thousands of events a second each need an id.
const random = new Uint8Array(16 * 512);
let used = random.length;

function randomSixteen(): Uint8Array {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  used += 16;
  return random.subarray(used - 16, used);
}

/** An unguessable name for a stored file: 128 bits, URL-safe. */
export function newKey(): string {
  return randomBytes(16).toString('hex');
}
