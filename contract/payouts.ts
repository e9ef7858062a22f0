import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { text, time } from './fields.ts';

const tag = 'Earnings';

const upi = 'Please enter a UPI id such as name@bank.';
const account = 'Please enter an account number of 9 to 18 digits.';
const ifsc = 'Please enter an IFSC of 11 characters, such as HDFC0001234.';
const payee = 'Please enter the name of the account as the bank knows it.';

/** People copy numbers with spaces in them. */
const compact = (value: string) => value.replaceAll(/[\s-]/g, '');

const upiAddress = text(255, upi)
  .transform((value) => value.trim().toLowerCase())
  .refine((value) => /^[a-z0-9][a-z0-9._-]{1,190}@[a-z][a-z0-9]{1,63}$/.test(value), { error: upi });
const accountNumber = text(40, account)
  .transform(compact)
  .refine((value) => /^\d{9,18}$/.test(value), { error: account });
const ifscCode = text(40, ifsc)
  .transform((value) => compact(value).toUpperCase())
  .refine((value) => /^[A-Z]{4}0[A-Z0-9]{6}$/.test(value), { error: ifsc });
const payeeName = text(100, payee)
  .transform((value) => value.trim().replaceAll(/\s+/g, ' '))
  .refine((value) => /^\p{L}[\p{L}\p{M} .'’&-]{1,99}$/u.test(value), { error: payee });

/** Where earnings are paid: a UPI id or a bank account in India. Fields of the other kind are ignored. */
export const destinationForm = z
  .object({
    kind: z.enum(['upi', 'bank'], { error: 'kind is upi or bank.' }),
    vpa: upiAddress.optional(),
    account: accountNumber.optional(),
    ifsc: ifscCode.optional(),
    name: payeeName.optional(),
  })
  .superRefine((form, { addIssue }) => {
    for (const [field, message] of Object.entries(
      form.kind === 'upi' ? { vpa: upi } : { account, ifsc, name: payee },
    ))
      if (form[field as keyof typeof form] === undefined)
        addIssue({ code: 'custom', path: [field], message });
  });
export type DestinationForm = z.output<typeof destinationForm>;

export type Destination =
  | { kind: 'upi'; vpa: string }
  | { kind: 'bank'; account: string; ifsc: string; name: string };

/** A destination as it is shown ever after: enough to recognise it. */
const maskedDestination = z.object({
  kind: z.enum(['upi', 'bank']),
  /** `as•••@okaxis`, or the last four digits of the account: `••••6789`. */
  masked: z.string(),
  /** The bank of an account; null for a UPI id. */
  bank: z.string().nullable(),
  chosenAt: time,
  /** Until then nothing is paid there; null if it is not on hold. */
  heldUntil: time.nullable(),
});
export type MaskedDestination = z.infer<typeof maskedDestination>;

export const getDestination = endpoint({
  method: 'GET',
  path: '/api/payout/destination',
  summary: 'Where your earnings are paid, masked; null if you have not said or it must be entered again',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  response: ok({ data: maskedDestination.nullable() }),
});

export const setDestination = endpoint({
  method: 'PUT',
  path: '/api/payout/destination',
  summary:
    'Say where your earnings are paid. Needs a confirmation; payouts wait for 72 hours after a change. The same again changes nothing',
  tag,
  access: 'person',
  limit: { perPerson: 60 },
  body: destinationForm,
  response: ok({ data: maskedDestination }),
  errors: ['confirmation_required', 'recently_changed'],
});

export const removeDestination = endpoint({
  method: 'DELETE',
  path: '/api/payout/destination',
  summary: 'Forget where your earnings are paid; requests wait until you say it again. Needs a confirmation',
  tag,
  access: 'person',
  limit: { perPerson: 60 },
  response: ok({}),
  errors: ['confirmation_required', 'recently_changed'],
});

/** What a request for a payout waits for, and how it ended. */
export const payoutState = z.enum([
  'waiting_for_destination',
  'waiting_for_address',
  'on_hold',
  'in_review',
  'paid',
  'rejected',
]);
export type PayoutState = z.infer<typeof payoutState>;
