import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, time } from './fields.ts';

const tag = 'Accounts';

const session = z.object({
  _id: id,
  /** Browser and system, such as `Chrome, Android`; null if unknown. */
  device: z.string().nullable(),
  /** The IPv4 /16 or IPv6 /32 of its last use, such as `203.0.0.0/16`; null if unknown. */
  network: z.string().nullable(),
  createdAt: time,
  /** Exact to an hour. */
  usedAt: time,
  /** Whether it is the session of this request. */
  current: z.boolean(),
});
export type Session = z.infer<typeof session>;

export const listSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  summary: 'Your sessions: this one first, then the most recently used ones, at most 100',
  tag,
  access: 'person',
  limit: { perPerson: 240 },
  response: ok({ data: z.array(session) }),
});

export const endSession = endpoint({
  method: 'DELETE',
  path: '/api/sessions/:id',
  summary: 'Log out one of your sessions',
  tag,
  access: 'person',
  limit: { perPerson: 120 },
  params: z.object({ id }),
  response: ok({}),
  errors: ['not_found'],
});

export const endOtherSessions = endpoint({
  method: 'DELETE',
  path: '/api/sessions',
  summary: 'Log out all your sessions but this one',
  tag,
  access: 'person',
  limit: { perPerson: 60 },
  response: ok({}),
});
