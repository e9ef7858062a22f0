import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { failure } from './failure.ts';
import { id, nextCursor, page, time } from './fields.ts';
import { invalid } from './invalid.ts';
import { because, loggedAct } from './operators.ts';
import { retention } from './retention.ts';

const tag = 'Operators';
const byId = z.object({ id });

export const unfinishedStates = ['failed', 'processing'] as const;
export type UnfinishedState = (typeof unfinishedStates)[number];

/** A reel that is not ready. */
const unfinishedReel = z.object({
  _id: id,
  state: z.enum(unfinishedStates),
  userId: id,
  username: z.string(),
  caption: z.string(),
  /** Of its processing, in percent; null if unknown. */
  progress: z.int().nullable(),
  /** Why it failed, and the code and parameters of that. */
  failure: z.string().nullable(),
  failureReason: failure.pick({ code: true, params: true }).nullable(),
  uploadedAt: time,
  /** Whether its file is still there, so that it can be processed again. */
  canRetry: z.boolean(),
});
export type UnfinishedReel = z.infer<typeof unfinishedReel>;

export const listUnfinished = endpoint({
  method: 'GET',
  path: '/api/operator/media',
  summary: 'Reels that could not be processed, or that are in processing, oldest first',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  query: page.extend({
    state: z.enum(unfinishedStates, { error: invalid('media_state') }).default('failed'),
  }),
  response: ok({ data: z.array(unfinishedReel), nextCursor }),
  errors: ['bad_cursor'],
});

/** How many acts on a reel are shown at most, the newest. */
export const shownOfReel = 24;

export const showUnfinished = endpoint({
  method: 'GET',
  path: '/api/operator/media/:id',
  summary: 'A reel that is not ready, and what operators did',
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  params: byId,
  response: ok({ data: unfinishedReel.extend({ history: z.array(loggedAct) }) }),
  errors: ['not_found'],
});
export type UnfinishedCase = z.output<typeof showUnfinished.response>['data'];

export const retryReel = endpoint({
  method: 'POST',
  path: '/api/operator/media/retry/:id',
  summary: `Process a reel again that failed through no fault of its file, which is kept ${retention.failedDays} days for that`,
  tag,
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 240 },
  params: byId,
  body: z.object({ reason: because(invalid('reason_log')) }),
  response: ok({ data: z.object({ _id: id }) }),
  errors: ['not_found', 'not_retried'],
});
