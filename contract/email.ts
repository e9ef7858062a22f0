import { z } from 'zod';
import { emailAddress } from './accounts.ts';
import { endpoint, ok } from './endpoint.ts';

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/email/verify',
  summary:
    'Verify your address, in a session that the password opened, or the one that you change to, by the secret of a link that was sent there; works once, for a day',
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
  summary: 'Send a link to your address that proves it, three an hour; nothing is sent to one that is proven',
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
    'Change your address. A link goes to the new one, which is yours once it is followed; the old one is told, and can undo the change for a week',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ email: emailAddress }),
  response: ok({}),
  errors: ['missing_fields', 'mail_off', 'too_many_requests'],
});
