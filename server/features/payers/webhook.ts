import { createHash } from 'node:crypto';
import type { Context } from '#server/platform/context.ts';
import { Refusal } from '#server/platform/refusal.ts';
import type { Signed } from '#server/platform/route.ts';
import { isSigned, readEvent } from '../payer-services/razorpayx-events.ts';
import { applyRecord, type PayingContext } from './paying.ts';
import { findLock } from './shown-lock.ts';
import * as queries from './webhook.queries.ts';

const day = 24 * 60 * 60 * 1000;
/** RazorpayX repeats an event for a day, and operators can for a week. */
const rememberedFor = 30 * day;
const payer = { name: 'razorpayx' } as const;

/**
 * Records an event of RazorpayX, once. A client that cannot sign learns nothing, not even whether this site has an account there; signed
 * events that are not about this site are ignored, since an error would make RazorpayX repeat them for a day.
 */
export async function receiveWebhook(
  context: PayingContext,
  { bytes, headers }: Signed,
  warn: (error: unknown, which: object) => void,
): Promise<void> {
  const { db, clock, config } = context;
  const secret = config.payouts.razorpayx?.webhookSecret;
  if (!isSigned(bytes, headers['x-razorpay-signature'], secret)) throw new Refusal('wrong_signature');
  // After a restore nothing is recorded before the payer's record was compared. It is found later by polling.
  if (await findLock(db)) return;
  // The header is not signed; without an id the bytes identify the event.
  const named = headers['x-razorpay-event-id'] ?? '';
  const id = /^[\w-]{1,100}$/.test(named) ? named : createHash('sha256').update(bytes).digest('hex');
  const event = { payer: payer.name, id };
  if (await queries.eventExists(db, event)) return;
  const record = readEvent(bytes);
  if (record) await applyRecord(context, payer, record, warn);
  // Stored last: if this process is killed before the event is recorded, it is sent again.
  await queries.insert(db, event, clock());
}

/** Called by the sweeper. */
export async function deleteOldEvents({ db, clock }: Context<'db' | 'clock'>): Promise<void> {
  await queries.deleteBefore(db, new Date(clock().getTime() - rememberedFor));
}
