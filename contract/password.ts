import { z } from 'zod';
import { knownEmail, passwordsMustMatch, secret } from './accounts.ts';
import { endpoint, ok } from './endpoint.ts';
import { language } from './languages.ts';

/** The fewest characters of a new password, as people see them. */
export const shortestPassword = 8;

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/password/forgot',
  summary:
    'Mail a password reset link to this address, if an account has it; the response never shows whether one has. The mail is in `language` if the account has none',
  tag: 'Accounts',
  access: 'anyone',
  limit: { perNetwork: 300 },
  body: z.object({ email: knownEmail, language: language.optional() }),
  response: ok({}),
  errors: ['missing_fields', 'mail_off'],
});

export const resetForm = z
  .object({ token: z.string().min(1).max(200), password: secret, cpassword: secret })
  .refine(({ password, cpassword }) => !password || !cpassword || password === cpassword, {
    error: passwordsMustMatch,
    path: ['cpassword'],
    when: ({ value }) => typeof value === 'object' && value !== null,
  });

export const resetPassword = endpoint({
  method: 'POST',
  path: '/api/password/reset',
  summary:
    'Set a new password with the secret of a link, which is valid once, for an hour; every session ends',
  tag: 'Accounts',
  access: 'anyone',
  limit: { perNetwork: 300 },
  body: resetForm,
  response: ok({}),
  errors: ['missing_fields', 'password_mismatch', 'weak_password', 'link_over'],
});
