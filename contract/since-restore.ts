import { z } from 'zod';
import { asciiDigits } from './digits.ts';
import { endpoint, ok } from './endpoint.ts';
import { id, monthField, requiredText, text, time } from './fields.ts';
import { invalid } from './invalid.ts';

/*
 * After a restore payouts are locked until an operator has compared what was paid since the backup
 * (docs/decisions/0069-after-a-restore.md).
 */
const tag = 'Operators';

export const payoutLock = z.object({
  /** Payments since then have to be compared. */
  since: time,
  restoredAt: time,
  /** Payments that match no withdrawal and that no operator has identified yet. */
  unmatched: z.int(),
});
export type PayoutLock = z.infer<typeof payoutLock>;

/** What is locked, and the first hundred payments that an operator has to identify. */
const locked = {
  lock: payoutLock.nullable(),
  unmatched: z.array(z.object({ payment: z.string(), why: z.string() })),
};

/** One payment in the payer's record. An exported file does not contain the results of its payments: they are `sent`. */
export const recordedPayment = z
  .object({
    id: id.optional(),
    withdrawal: id.optional(),
    rupees: z
      .string({ error: invalid('recorded_rupees') })
      .overwrite(asciiDigits)
      .regex(/^\d{1,9}(\.\d{1,2})?$/, { error: invalid('recorded_rupees') })
      .optional(),
    state: z
      .enum(['sent', 'paid', 'failed', 'returned'], { error: invalid('recorded_state') })
      .default('sent'),
    reference: text(100).trim().optional(),
    reason: text(500).trim().optional(),
  })
  .refine((payment) => payment.id || payment.reference, {
    error: invalid('recorded_payment'),
  })
  .refine(({ state, reference }) => state !== 'paid' || reference, {
    error: invalid('reference'),
  });

export const getPayoutLock = endpoint({
  method: 'GET',
  path: '/api/operator/payouts/lock',
  summary:
    'Whether payouts are locked after a restore, and the payments since the backup that have to be identified',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  response: ok(locked),
});

export const namePayment = endpoint({
  method: 'POST',
  path: '/api/operator/payouts/name',
  summary:
    "After a restore, identify a payment that matched nothing: it paid a withdrawal; or a person's month, whose request was lost and is made again; or something else. Repeating the call changes nothing",
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 240 },
  body: z
    .object({
      payment: requiredText(200, invalid('which_payment')),
      withdrawal: id.optional().describe('The withdrawal that it paid'),
      userId: id
        .optional()
        .describe('The person whose month it paid; the request for it was lost and is made again'),
      month: monthField.optional(),
      other: requiredText(500, invalid('what_payment'))
        .optional()
        .describe('What it was for, if it paid no withdrawal'),
    })
    .refine(
      ({ withdrawal, userId, month, other }) =>
        [withdrawal, userId && month, other].filter(Boolean).length === 1 &&
        Boolean(userId) === Boolean(month),
      { error: invalid('payment_name') },
    ),
  response: ok(locked),
  errors: [
    'not_found',
    'payouts_locked',
    'payment_unmatched',
    // The payer is asked for the payment before it is identified.
    'unavailable',
    'own_withdrawal',
    'confirmation_required',
    // Of the request that is made again.
    'person_suspended',
    'month_not_over',
    'month_not_counted',
    'below_minimum',
    'amount_differs',
  ],
});

export const reconcileSinceRestore = endpoint({
  method: 'POST',
  path: '/api/operator/payouts/reconcile',
  summary:
    "After a restore, compare the payments since the backup: exported files, and the payer's reports about payments; this call itself queries a payer with an API. Repeating the call changes nothing. Once all payments are listed and none is left to be identified, payouts continue",
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 240 },
  seconds: 5 * 60,
  body: z
    .object({
      payments: z.array(recordedPayment).max(1000).default([]),
      /** With these, all payments since the backup are listed. */
      complete: z.boolean({ error: invalid('complete') }).default(false),
      /** Nothing was paid and no file was exported since the backup. */
      none: z.boolean({ error: invalid('none') }).default(false),
    })
    .refine(({ payments, complete, none }) => !none || (payments.length === 0 && !complete), {
      error: invalid('none_alone'),
    }),
  response: ok({ ...locked, noted: z.int(), unchanged: z.int() }),
  errors: ['payouts_locked', 'unavailable', 'confirmation_required'],
});
