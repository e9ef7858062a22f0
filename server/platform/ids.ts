import { randomBytes, randomFillSync } from 'node:crypto';
import { v7 } from 'uuid';

/** The time and the counter of the newest id. */
let newest = { msecs: Number.NaN, seq: 0 };

/** A UUIDv7 whose time part is `at`. Ids that one process makes for the same millisecond sort in the order they were made. */
export function newId(at: Date): string {
  const msecs = at.getTime();
  const bytes = randomSixteen();
  // Below half of the counter's 32 bits, so that counting up never overflows.
  const seq = msecs === newest.msecs ? newest.seq + 1 : Buffer.from(bytes).readUInt32BE(6) >>> 1;
  newest = { msecs, seq };
  return v7({ msecs, seq, random: bytes });
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
