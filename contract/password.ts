import { z } from 'zod';
import { emailAddress, passwordsMustMatch, secret } from './accounts.ts';
import { endpoint, ok } from './endpoint.ts';
import { language } from './languages.ts';

export const forgotPassword = endpoint({
  method: 'POST',
  path: '/api/password/forgot',
  summary:
    'Send a link for a new password to this address, if an account has it; the answer never says whether one has. `language` is that of the mail where none is known',
  tag: 'Accounts',
  access: 'anyone',
  limit: { perNetwork: 300 },
  body: z.object({ email: emailAddress, language: language.optional() }),
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
    'Choose a new password by the secret of a link, which works once and for an hour; every session ends',
  tag: 'Accounts',
  access: 'anyone',
  limit: { perNetwork: 300 },
  body: resetForm,
  response: ok({}),
  errors: ['missing_fields', 'password_mismatch', 'weak_password', 'link_over'],
});
