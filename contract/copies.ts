import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { id, nextCursor, page, requiredText, text, time } from './fields.ts';
import { invalid } from './invalid.ts';
import { limits } from './limits.ts';

const tag = 'Earnings';

export const workKind = z.enum(['reel', 'post', 'story'], { error: invalid('work_kind') });

const work = z.object({ kind: workKind, _id: id, userId: id, username: z.string() });
const original = work.extend({
  /** Empty if the account is deleted. */
  username: z.string(),
  publishedAt: time,
  deletedAt: time.nullable(),
});

/** The work of which this one is a copy, and the operator's decision about that. */
export const copy = z.object({
  /** The original work, as long as it is public, or if it is by the same creator. */
  of: original.nullable(),
  /**
   * `found`: detected by the server. `asked`: the creator requested a review. `waiting`: it looks like content that was taken down, and is
   * hidden until an operator decides. `copy` or `own` (original): an operator decided.
   */
  state: z.enum(['found', 'asked', 'waiting', 'copy', 'own']),
  /** The operator's reason for the decision. */
  reason: z.string().nullable(),
});
export type Copy = z.infer<typeof copy>;

export const askAboutCopy = endpoint({
  method: 'POST',
  path: '/api/copies/ask',
  summary:
    'Request a review of one of your works that was detected as a copy; idempotent. If it is decided to be an original, it counts like any other: what it earned in months that are closed counts in the current one',
  tag,
  access: 'person',
  limit: { perPerson: 60 },
  body: z.object({
    kind: workKind,
    id,
    /** The reason for the creator. */
    words: text(limits.description).trim().default(''),
  }),
  response: ok({ data: copy }),
  errors: ['not_found'],
});

export const copyForReview = z.object({
  ...work.shape,
  /** Address of `showCopyPicture`; empty if it is deleted. */
  picture: z.string(),
  /** The reason that its creator gave. */
  words: z.string(),
  /** The original, also if it is deleted. */
  of: original.extend({ picture: z.string() }),
  /** Whether it is hidden until the decision, because it looks like content that was taken down. */
  waiting: z.boolean(),
  verdict: z.enum(['copy', 'own']).nullable(),
  reason: z.string().nullable(),
  askedAt: time,
  decidedAt: time.nullable(),
});
export type CopyForReview = z.infer<typeof copyForReview>;

export const listCopies = endpoint({
  method: 'GET',
  path: '/api/operator/copies',
  summary: 'Works that were detected as copies and wait for a review, newest first',
  tag: 'Operators',
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 600 },
  query: page.extend({
    which: z.enum(['open', 'all'], { error: invalid('which') }).default('open'),
  }),
  response: ok({ data: z.array(copyForReview), nextCursor }),
  errors: ['bad_cursor'],
});

export const decideCopy = endpoint({
  method: 'POST',
  path: '/api/operator/copies/decide/:id',
  summary:
    'Decide whether a work is a copy or an original (`own`), with a reason for its creator. An original counts like any other work: what closed months would have paid for it counts in the current one. A copy that waits stays hidden. Repeating the same decision changes nothing',
  tag: 'Operators',
  access: 'operator',
  role: 'moderator',
  limit: { perPerson: 240 },
  changesLists: true,
  params: z.object({ id }),
  body: z.object({
    verdict: z.enum(['copy', 'own'], { error: invalid('verdict') }),
    reason: requiredText(500, invalid('reason_creator')).describe('Its creator reads it'),
  }),
  response: ok({ data: copyForReview }),
  errors: ['not_found', 'own_work', 'not_allowed', 'copy_decided', 'confirmation_required'],
});
