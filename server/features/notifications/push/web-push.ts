import { createECDH, createHash, createPrivateKey } from 'node:crypto';
import { SignJWT } from 'jose';
import type { PushSubscription } from '#contract/push.ts';
import type { GuardedFetch } from '#server/features/imports/guarded-fetch.ts';
import type { Clock } from '#server/platform/clock.ts';
import { encryptFor } from './encryption.ts';
import { type PushMessage, PushRefused, type PushService, pushLimits, secondsToLive } from './service.ts';

/** The key pair that identifies this site to push services: derived from a secret of the keyring. */
export function siteKeys(secret: Buffer) {
  const pair = createECDH('prime256v1');
  // One of 2^32 secrets is not a valid key; then its hash is used.
  for (let tried = secret; ; tried = createHash('sha256').update(tried).digest())
    try {
      pair.setPrivateKey(tried);
      break;
    } catch {
      // Try the hash.
    }
  const point = pair.getPublicKey();
  const part = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const d = pair.getPrivateKey().toString('base64url');
  const key = { kty: 'EC', crv: 'P-256', d, x: part(1), y: part(33) };
  return {
    publicKey: point.toString('base64url'),
    privateKey: createPrivateKey({ format: 'jwk', key }),
  };
}

interface WebPushOptions {
  fetch: GuardedFetch;
  clock: Clock;
  keys: ReturnType<typeof siteKeys>;
  /** A URL where operators of push services can find the sender. */
  origin: string;
}

/** Undefined if the browser's key is invalid. */
function encrypted(keys: PushSubscription['keys'], message: PushMessage) {
  try {
    return Uint8Array.from(encryptFor(keys, JSON.stringify(message)));
  } catch {
    return undefined;
  }
}

const goodFor = 12 * 60 * 60;

/** Web Push (RFC 8030, 8291, 8292). A token is the JSON of a subscription. */
export function webPush({ fetch, clock, keys, origin }: WebPushOptions): PushService {
  return {
    async send(token, message) {
      const { endpoint, keys: theirs } = JSON.parse(token) as PushSubscription;
      const body = encrypted(theirs, message);
      if (!body) return 'gone';
      const now = Math.floor(clock().getTime() / 1000);
      const signed = await new SignJWT({ sub: origin })
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setAudience(new URL(endpoint).origin)
        .setExpirationTime(now + goodFor)
        .sign(keys.privateKey);
      const request = {
        method: 'POST',
        headers: {
          authorization: `vapid t=${signed}, k=${keys.publicKey}`,
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: String(secondsToLive),
          urgency: 'normal',
        },
        body,
      };
      const answer = await fetch(endpoint, request, pushLimits);
      await answer.body?.cancel();
      if (answer.status === 404 || answer.status === 410) return 'gone';
      if (!answer.ok) throw new PushRefused(new URL(endpoint).host, answer);
      return 'sent';
    },
  };
}
