import { z } from 'zod';
import { cleanField, type DestinationField, grammar, problemOf } from './destination-fields.ts';
import { endpoint, ok } from './endpoint.ts';
import { text, time } from './fields.ts';
import { invalid } from './invalid.ts';

const tag = 'Earnings';

const fieldsOf = { upi: ['vpa'], bank: ['account', 'ifsc', 'name'] } as const satisfies Record<
  string,
  DestinationField[]
>;

/** Where earnings are paid: a UPI id or a bank account in India. Fields of the other kind are ignored. */
export const destinationForm = z
  .object({
    kind: z.enum(['upi', 'bank'], { error: invalid('destination_kind') }),
    vpa: text(255, grammar.vpa.message).optional(),
    account: text(40, grammar.account.message).optional(),
    ifsc: text(40, grammar.ifsc.message).optional(),
    name: text(100, grammar.name.message).optional(),
  })
  .superRefine((form, { addIssue }) => {
    for (const field of fieldsOf[form.kind]) {
      const message = problemOf(field, cleanField(field, form[field]));
      if (message !== undefined) addIssue({ code: 'custom', path: [field], message });
    }
  });
export type DestinationForm = z.output<typeof destinationForm>;

export type Destination =
  | { kind: 'upi'; vpa: string }
  | { kind: 'bank'; account: string; ifsc: string; name: string };

/** The destination of a valid form. */
export function destinationOf({ kind, ...form }: DestinationForm): Destination {
  const read = (field: DestinationField) => cleanField(field, form[field]);
  return kind === 'upi'
    ? { kind, vpa: read('vpa') }
    : { kind, account: read('account'), ifsc: read('ifsc'), name: read('name') };
}

/** A destination as it is always shown: just enough to recognize it. */
export const maskedDestination = z.object({
  kind: z.enum(['upi', 'bank']),
  /** `as•••@okaxis`, or the last four digits of the account: `••••6789`. */
  masked: z.string(),
  /** The bank of an account; null for a UPI id. */
  bank: z.string().nullable(),
  /** The bank that has the accounts of this bank since a merger, if its IFSCs have ended: payments may come back. Else null. */
  mergedInto: z.string().nullable(),
  chosenAt: time,
  /** Nothing is paid before this time; null if payouts are not on hold. */
  heldUntil: time.nullable(),
  /** The payer does not accept names in this script, so nothing is paid there until the name is entered in Latin letters. */
  nameNotTaken: z.boolean(),
});
export type MaskedDestination = z.infer<typeof maskedDestination>;

export const getDestination = endpoint({
  method: 'GET',
  path: '/api/payout/destination',
  summary: 'Your payout destination, masked; null if there is none or it must be entered again',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  response: ok({
    data: maskedDestination.nullable(),
    /** The stored one cannot be decrypted any more, since the site lost its keys. */
    unreadable: z.boolean(),
  }),
});

export const setDestination = endpoint({
  method: 'PUT',
  path: '/api/payout/destination',
  summary:
    'Set your payout destination. Needs a confirmation; payouts are held for 72 hours, and longer after a new password by a link. Setting the same one again changes nothing',
  tag,
  access: 'person',
  limit: { perPerson: 60 },
  body: destinationForm,
  response: ok({ data: maskedDestination }),
  errors: ['confirmation_required'],
});

export const removeDestination = endpoint({
  method: 'DELETE',
  path: '/api/payout/destination',
  summary:
    'Remove your payout destination; withdrawals wait until there is another one, and payments that were not sent yet are taken back. Needs a confirmation',
  tag,
  access: 'person',
  limit: { perPerson: 60 },
  response: ok({}),
  errors: ['confirmation_required'],
});

/** What a withdrawal waits for, the state of its payment, and its result. */
export const payoutState = z.enum([
  'waiting_for_destination',
  // The account holder's name, in letters that the payer accepts.
  'waiting_for_name',
  'waiting_for_address',
  'on_hold',
  'in_review',
  'approved',
  // The payer has received it, and has not reported the result yet.
  'sent',
  // The payment failed or was returned: it is paid again, or rejected.
  'failed',
  'returned',
  'paid',
  'rejected',
  // By its creator, before a payer received it.
  'cancelled',
]);
export type PayoutState = z.infer<typeof payoutState>;

/** The states of the attempts to pay a withdrawal. */
export const payoutStep = z.object({
  step: z.enum(['approved', 'sent', 'paid', 'failed', 'returned']),
  at: time,
  /** Sent: the masked destination; paid: the payer's reference; failed, returned: the reason. */
  note: z.string().nullable(),
});
export type PayoutStep = z.infer<typeof payoutStep>;
