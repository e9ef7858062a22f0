import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { time } from './fields.ts';

const tag = 'Accounts';

export const requestExport = endpoint({
  method: 'POST',
  path: '/api/export',
  summary: 'Request a copy of your data; it can be downloaded from `url` once, within five minutes',
  tag,
  access: 'person',
  limit: { perPerson: 10 },
  response: ok({ url: z.string(), expiresAt: time }),
  errors: ['too_many_requests', 'confirmation_required'],
});

export const downloadExport = endpoint({
  method: 'GET',
  path: '/api/export/:ticket',
  summary:
    'All your data as one ZIP archive: JSON, and your media as displayed; the ticket in the address replaces the token',
  tag,
  access: 'anyone',
  limit: { perNetwork: 600 },
  params: z.object({ ticket: z.string().max(100) }),
  response: { mediaType: 'application/zip' },
  errors: ['not_found'],
});
