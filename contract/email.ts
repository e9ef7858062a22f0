import { z } from 'zod';
import { emailAddress } from './accounts.ts';
import { endpoint, ok } from './endpoint.ts';

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/email/verify',
  summary:
    'Verify your address, in a session that was opened with the password, or your new address, with the secret of the link that was mailed there; valid once, for a day',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ token: z.string().min(1).max(200) }),
  response: ok({}),
  errors: ['link_over', 'not_yours', 'password_needed', 'email_taken'],
});

export const sendVerification = endpoint({
  method: 'POST',
  path: '/api/email/send-verification',
  summary:
    'Mail a verification link to your address, at most three an hour; nothing is sent to a verified address',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 30 },
  response: ok({}),
  errors: ['mail_off', 'too_many_requests'],
});

export const changeEmail = endpoint({
  method: 'POST',
  path: '/api/email/change',
  summary:
    'Change your address. A link is mailed to the new address, and the change takes effect when it is opened; a mail to the old address reports the change, which can be undone for a week',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ email: emailAddress }),
  response: ok({}),
  errors: ['missing_fields', 'mail_off', 'too_many_requests'],
});
