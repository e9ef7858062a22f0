import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/api/email/verify',
  summary:
    'Prove your address by the secret of a link that was sent to it, in a session that the password opened; works once, for a day',
  tag: 'Accounts',
  access: 'person',
  limit: { perPerson: 30 },
  body: z.object({ token: z.string().min(1).max(200) }),
  response: ok({}),
  errors: ['link_over', 'not_yours', 'password_needed'],
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
