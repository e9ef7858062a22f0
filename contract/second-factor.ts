import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { text, time } from './fields.ts';

const tag = 'Accounts';

/** Six digits of an authenticator app, or a recovery code. */
export const factorCode = text(100, 'Please enter the code.')
  .trim()
  .min(1, { error: 'Please enter the code.' });

const secondFactor = z.object({
  /** Whether the caller is an operator: operators' calls require it. */
  required: z.boolean(),
  /** When it was enrolled; null if it is not. */
  enrolledAt: time.nullable(),
  /** Whether this session has used a code, as operators' calls require. */
  given: z.boolean(),
  /** The number of unused recovery codes. */
  recoveryCodes: z.int(),
});
export type SecondFactor = z.infer<typeof secondFactor>;

export const getSecondFactor = endpoint({
  method: 'GET',
  path: '/api/second-factor',
  summary: 'Whether you need a second factor, and whether it is set up',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  response: ok(secondFactor.shape),
});

export const beginSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/begin',
  summary:
    'For operators: the secret for an authenticator app, by a one-time code of the command line, or by a code of the app that is to be replaced',
  tag,
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ code: factorCode }),
  response: ok({ secret: z.string(), uri: z.string() }),
  errors: ['not_allowed', 'wrong_code', 'second_factor_required', 'too_many_requests'],
});

export const finishSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/finish',
  summary:
    'The first code of the app, within 15 minutes and in the same session; the answer has the recovery codes, this once',
  tag,
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ totp: factorCode }),
  response: ok({ recoveryCodes: z.array(z.string()) }),
  errors: ['wrong_code', 'too_many_requests'],
});

export const giveSecondFactor = endpoint({
  method: 'POST',
  path: '/api/second-factor/give',
  summary:
    'A code for this session, which operators’ calls need once in each; within ten minutes of the log-in it confirms what they do then',
  tag,
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ totp: factorCode }),
  response: ok({}),
  errors: ['not_allowed', 'wrong_code', 'second_factor_required', 'too_many_requests'],
});

export const newRecoveryCodes = endpoint({
  method: 'POST',
  path: '/api/second-factor/recovery-codes',
  summary: 'New recovery codes instead of those before, shown this once',
  tag,
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ totp: factorCode }),
  response: ok({ recoveryCodes: z.array(z.string()) }),
  errors: ['not_allowed', 'wrong_code', 'second_factor_required', 'too_many_requests'],
});
