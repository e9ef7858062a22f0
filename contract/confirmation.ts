import { z } from 'zod';
import { deleteUser } from './account-deletion.ts';
import { approveBatch, cancelBatch, makeBatch, recordPayments, sendBatch } from './batches.ts';
import { decideCopy } from './copies.ts';
import { cancelWithdrawal } from './earnings.ts';
import { changeEmail } from './email.ts';
import { type Endpoint, endpoint, ok } from './endpoint.ts';
import { requestExport } from './export.ts';
import { linkGoogle, unlinkGoogle } from './identity.ts';
import { invalid } from './invalid.ts';
import { completeWithdrawal, rejectWithdrawal, releaseMonth, setRole, voidMonth } from './operators.ts';
import { addPasskey, passkeyAnswer, passkeyOptions, removePasskey } from './passkeys.ts';
import { removeDestination, setDestination } from './payouts.ts';
import { makeResetLink } from './person-case.ts';
import { approveProposal } from './proposals.ts';
import { factorCode } from './second-factor.ts';
import { namePayment, reconcileSinceRestore } from './since-restore.ts';

/** The header in which a confirmation is sent with the call that it is for. */
export const confirmationHeader = 'x-confirmation';

/** A session younger than this counts as confirmed, in milliseconds. */
export const freshFor = 10 * 60 * 1000;

const acts = [
  'link_google',
  'unlink_google',
  'change_email',
  'add_passkey',
  'remove_passkey',
  'delete_account',
  'export',
  'set_destination',
  'remove_destination',
  'cancel_withdrawal',
  'set_role',
  'make_reset_link',
  'make_batch',
  'approve_batch',
  'send_batch',
  'cancel_batch',
  'record_payments',
  'name_payment',
  'reconcile_since_restore',
  'complete_withdrawal',
  'reject_withdrawal',
  'decide_copy',
  'release_month',
  'void_month',
  'approve_proposal',
] as const;
export type ConfirmedAct = (typeof acts)[number];

/** The call of each act: it needs a fresh confirmation. */
export const confirmedCalls: ReadonlyMap<ConfirmedAct, Endpoint> = new Map<ConfirmedAct, Endpoint>([
  ['link_google', linkGoogle],
  ['unlink_google', unlinkGoogle],
  ['change_email', changeEmail],
  ['add_passkey', addPasskey],
  ['remove_passkey', removePasskey],
  ['delete_account', deleteUser],
  ['export', requestExport],
  ['set_destination', setDestination],
  ['remove_destination', removeDestination],
  ['cancel_withdrawal', cancelWithdrawal],
  // For operators: confirmed by their second factor only.
  ['set_role', setRole],
  ['make_reset_link', makeResetLink],
  ['make_batch', makeBatch],
  ['approve_batch', approveBatch],
  ['send_batch', sendBatch],
  ['cancel_batch', cancelBatch],
  ['record_payments', recordPayments],
  ['name_payment', namePayment],
  ['reconcile_since_restore', reconcileSinceRestore],
  ['complete_withdrawal', completeWithdrawal],
  ['reject_withdrawal', rejectWithdrawal],
  ['decide_copy', decideCopy],
  ['release_month', releaseMonth],
  ['void_month', voidMonth],
  ['approve_proposal', approveProposal],
]);

/**
 * Acts on login methods and the address: for three days after a password reset they cannot be confirmed, nor can a deletion that loses
 * unpaid coins. A payout destination is not among them: it is held instead, and removing one only protects.
 */
export const guardedActs: readonly ConfirmedAct[] = [
  'link_google',
  'unlink_google',
  'change_email',
  'add_passkey',
  'remove_passkey',
];

const confirmWith = invalid('confirm_with');
const given = (max: number) =>
  z.string({ error: confirmWith }).min(1, { error: confirmWith }).max(max).optional();

const confirmable = {
  act: z.enum(acts, { error: invalid('act') }),
  /** The parameters of the confirmed call: the ids of its path, and its body. */
  params: z.record(z.string().max(100), z.unknown()).default({}),
};

export const confirmForm = z
  .object({
    ...confirmable,
    password: given(1000),
    /** For operators: six digits of the authenticator app, or a recovery code. */
    totp: factorCode.optional(),
    /** The response of a passkey to the options of /api/confirm/passkey for this act. */
    passkey: passkeyAnswer.optional(),
    /** Six digits of a mail that /api/confirm/send-code sent for this act. */
    code: factorCode.optional(),
    /** From a Google account that was linked at least 72 hours ago or at sign-up, with a nonce of /api/google-nonce. */
    idToken: given(16_384),
  })
  // If several are sent, the first of these is checked.
  .refine(
    ({ passkey, totp, code, password, idToken }) =>
      [passkey, totp, code, password, idToken].some((proof) => proof !== undefined),
    { error: confirmWith },
  );

export const confirm = endpoint({
  method: 'POST',
  path: '/api/confirm',
  summary:
    'Confirm one act with exactly these parameters. The confirmation is valid once, for five minutes, in this session, as the header X-Confirmation of that call. A session younger than ten minutes needs none',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 30 },
  body: confirmForm,
  response: ok({ confirmation: z.string() }),
  errors: [
    'missing_fields',
    'wrong_password',
    'wrong_code',
    'bad_passkey',
    'not_allowed',
    'second_factor_required',
    'no_password',
    'bad_identity',
    'recently_changed',
    'identity_off',
    'too_many_requests',
    'unavailable',
  ],
});

export const sendConfirmationCode = endpoint({
  method: 'POST',
  path: '/api/confirm/send-code',
  summary:
    'Mail a six-digit code to your verified address, which confirms one act with exactly these parameters in this session, within ten minutes; at most three mails an hour, and five attempts for each code',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object(confirmable),
  response: ok({}),
  errors: ['mail_off', 'email_unverified', 'second_factor_required', 'recently_changed', 'too_many_requests'],
});

export const passkeyConfirmation = endpoint({
  method: 'POST',
  path: '/api/confirm/passkey',
  summary:
    'Begin to confirm one act with exactly these parameters by a passkey: returns the WebAuthn options, valid once, for five minutes, in this session',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object(confirmable),
  response: ok({ options: passkeyOptions }),
});
