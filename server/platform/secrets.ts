import { createHash, randomBytes } from 'node:crypto';

/** A random bearer token. The server stores only its hash. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored hash of a token. A random token needs no salt. */
export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
