import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import type { PayerRecord } from './payer.ts';
import { recordOf } from './razorpayx.ts';

/** Compared if there is no secret, so that the time is the same. */
const nobodysSecret = randomBytes(32);

/** Whether the webhook's secret has signed these bytes. */
export function isSigned(
  bytes: Uint8Array,
  signature: string | undefined,
  secret: string | undefined,
): boolean {
  const expected = createHmac('sha256', secret ?? nobodysSecret)
    .update(bytes)
    .digest();
  const given = Buffer.from(
    /^[0-9a-f]{64}$/.test(signature ?? '') ? (signature ?? '') : '00'.repeat(32),
    'hex',
  );
  return timingSafeEqual(expected, given) && secret !== undefined;
}

const event = z.object({
  event: z.string().startsWith('payout.'),
  payload: z.object({ payout: z.object({ entity: z.unknown() }) }),
});

/** The payout of an event; undefined if the event is about something else. */
export function readEvent(bytes: Uint8Array): PayerRecord | undefined {
  try {
    return recordOf(event.parse(JSON.parse(Buffer.from(bytes).toString('utf8'))).payload.payout.entity);
  } catch {
    return undefined;
  }
}
