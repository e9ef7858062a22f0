import { z } from 'zod';
import { asciiDigits } from './digits.ts';
import { endpoint, ok } from './endpoint.ts';
import { text, time } from './fields.ts';
import { invalid } from './invalid.ts';
import { roles } from './roles.ts';

const tag = 'Accounts';

/** Six digits of an authenticator app, or a recovery code. */
export const factorCode = text(100, invalid('code'))
  .trim()
  .min(1, { error: invalid('code') })
  .overwrite(asciiDigits);

const secondFactor = z.object({
  /** Whether the caller is an operator: operators' calls require it. */
  required: z.boolean(),
  /** Of the caller, by which the console shows what they may do. */
  role: z.enum(roles),
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
    'For operators: the secret for an authenticator app, with a one-time code of the command line, or with a code of the app that is to be replaced',
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
    'Finish with the first code of the app, within 15 minutes and in the same session; the response contains the recovery codes, which are not shown again',
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
    'Use a code in this session, as operators’ calls require once per session; within ten minutes of the login it also confirms their acts',
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
  summary: 'Replace the recovery codes; the new ones are not shown again',
  tag,
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ totp: factorCode }),
  response: ok({ recoveryCodes: z.array(z.string()) }),
  errors: ['not_allowed', 'wrong_code', 'second_factor_required', 'too_many_requests'],
});
