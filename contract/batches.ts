import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, monthField, nextCursor, page, requiredText, time } from './fields.ts';
import { invalid } from './invalid.ts';
import { aboutWaiting, loggedAct, riskMark, withReason } from './operators.ts';
import { payoutLock } from './since-restore.ts';

const tag = 'Operators';
const byId = z.object({ id });
const paying = {
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 240 },
  seconds: 5 * 60,
} as const;

/** One attempt to pay a withdrawal. */
const payment = z.object({
  /** The payer uses it to report the result of the payment. */
  _id: id,
  withdrawalId: id,
  userId: id,
  number: z.int(),
  paise: z.int(),
  rupees: z.string(),
  /** `exported`, `sent` and `unknown`: the payer has received it, and may pay it. */
  state: z.enum(['prepared', 'exported', 'sent', 'unknown', 'paid', 'failed', 'returned', 'cancelled']),
  /** The masked destination. */
  to: z.string(),
  reference: z.string().nullable(),
  /** The reason of the end; before that, the last message of a payer with an API. */
  reason: z.string().nullable(),
  /** Of its withdrawal. */
  marks: z.array(riskMark),
});

const batch = z.object({
  _id: id,
  payer: z.string(),
  /** A proposed one needs the approval of a second operator, since one may not pay it alone. */
  state: z.enum(['proposed', 'approved', 'sent', 'cancelled']),
  /** The total of its payments when it was made. */
  paise: z.int(),
  rupees: z.string(),
  madeBy: id,
  madeAt: time,
  approvedBy: id.nullable(),
  endedAt: time.nullable(),
});
export type Batch = z.infer<typeof batch>;

const wholeBatch = batch.extend({ payments: z.array(payment) });
export type WholeBatch = z.infer<typeof wholeBatch>;

export const listBatches = endpoint({
  method: 'GET',
  path: '/api/operator/payouts/batches',
  summary: 'Batches of payments, newest first',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  query: page,
  response: ok({ data: z.array(batch), nextCursor, lock: payoutLock.nullable() }),
  errors: ['bad_cursor'],
});

export const showBatch = endpoint({
  method: 'GET',
  path: '/api/operator/payouts/batches/:id',
  summary:
    'A batch with its payments, their masked destinations, the risk marks of their withdrawals, and what operators did',
  tag,
  access: 'operator',
  role: 'payer',
  limit: { perPerson: 600 },
  params: byId,
  response: ok({ data: wholeBatch.extend({ history: z.array(loggedAct) }) }),
  errors: ['not_found'],
});
export type BatchCase = z.output<typeof showBatch.response>['data'];

/** What becomes of the waiting views of the withdrawals that an act approves. */
const aboutWaitingOf = {
  ...aboutWaiting,
  of: z.array(id).min(1).max(1000).optional().describe('Only of these withdrawals of the batch'),
};

export const makeBatch = endpoint({
  ...paying,
  method: 'POST',
  path: '/api/operator/payouts/batches',
  summary:
    'Make a batch of the oldest withdrawals that can be paid, up to a thousand; your own are left out. A second operator approves it, and decides about views that wait, above PAYOUT_APPROVAL_ABOVE, or if you recorded an earlier payment in it as failed or returned',
  body: z
    .object({
      month: monthField.optional(),
      withdrawals: z.array(id).min(1).max(1000).optional().describe('Only these withdrawals'),
      ...aboutWaitingOf,
    })
    .refine(...withReason),
  response: ok({ data: wholeBatch }),
  errors: [
    'nothing_to_pay',
    'not_found',
    'batch_waits',
    'new_operator',
    'payouts_locked',
    'confirmation_required',
  ],
});

export const approveBatch = endpoint({
  ...paying,
  method: 'POST',
  path: '/api/operator/payouts/batches/approve/:id',
  summary: 'Approve a batch that another operator made; idempotent',
  params: byId,
  body: z.object(aboutWaitingOf).refine(...withReason),
  response: ok({ data: wholeBatch }),
  errors: [
    'not_found',
    'batch_decided',
    'own_batch',
    'new_operator',
    'own_withdrawal',
    'payouts_locked',
    'confirmation_required',
  ],
});

export const sendBatch = endpoint({
  ...paying,
  method: 'POST',
  path: '/api/operator/payouts/batches/send/:id',
  summary:
    'Send a batch to the payer. For the payer `file` the response contains the file, with complete UPI ids and account numbers; a payer with an API gets each payment after this call, and the file is empty. Payments that cannot be made any more are left out',
  params: byId,
  body: z.object({
    again: z
      .boolean({ error: invalid('again') })
      .default(false)
      .describe(
        'Writes the same file again because it was lost; with a payer API, requests the status of open payments now',
      ),
  }),
  response: ok({ data: wholeBatch, file: z.string() }),
  errors: [
    'not_found',
    'batch_decided',
    'batch_waits',
    'payer_missing',
    'own_withdrawal',
    'payouts_locked',
    'confirmation_required',
  ],
});

export const cancelBatch = endpoint({
  ...paying,
  method: 'POST',
  path: '/api/operator/payouts/batches/cancel/:id',
  summary: 'Cancel a batch that was not sent; its withdrawals can be put in another one',
  params: byId,
  response: ok({ data: wholeBatch }),
  errors: ['not_found', 'batch_decided', 'confirmation_required'],
});

const outcome = z.discriminatedUnion(
  'state',
  [
    z.object({
      id,
      state: z.literal('paid'),
      reference: requiredText(100, invalid('reference')),
    }),
    z.object({
      id,
      state: z.enum(['failed', 'returned']),
      reason: requiredText(500, invalid('reason_creator')),
    }),
  ],
  { error: invalid('outcome') },
);

export const recordPayments = endpoint({
  ...paying,
  method: 'POST',
  path: '/api/operator/payouts/record',
  summary:
    "Record the payer's reports about payments: paid with a reference, failed, or returned after it was paid. Each is processed independently; repeating one changes nothing",
  body: z.object({ payments: z.array(outcome).min(1).max(1000) }),
  response: ok({
    data: z.array(
      z.object({
        _id: id,
        result: z.enum(['noted', 'unchanged', 'refused']),
        /** Why it was refused. */
        error: z.string().nullable(),
      }),
    ),
  }),
  errors: ['new_operator', 'confirmation_required'],
});
export type PaymentOutcome = z.infer<typeof outcome>;
