import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';

/** A UUIDv7 whose time part is `at`. */
export function newId(at: Date): string {
  return v7({ msecs: at.getTime() });
}

/** An unguessable name for a stored file: 128 bits, URL-safe. */
export function newKey(): string {
  return randomBytes(16).toString('hex');
}
