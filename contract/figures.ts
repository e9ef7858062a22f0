import { z } from 'zod';
import { endpoint, ok } from './endpoint.ts';
import { time } from './fields.ts';

/** Of 30 days, or of 12 months; both end with the running one. */
export const figurePeriods = ['days', 'months'] as const;
export type FigurePeriod = (typeof figurePeriods)[number];

const figuresOfTime = z.object({
  /** A day, `2026-11-29`, or a month, `2026-11`, of the business time zone. */
  at: z.string(),
  signUps: z.int(),
  /** Reels, photos and stories, also those that were deleted since. */
  uploads: z.int(),
  /** Showings of reels, and how many of them were watched. */
  shown: z.int(),
  watched: z.int(),
  /** In the ledger: what creators asked for less what was rejected, and what was paid to them less what came back. */
  earnedPaise: z.int(),
  paidPaise: z.int(),
  /** Bytes of all stored files at the beginning of the day, of a month of its last day; null where it was not measured. */
  storedBytes: z.int().nullable(),
});
export type FiguresOfTime = z.infer<typeof figuresOfTime>;

export const getFigures = endpoint({
  method: 'GET',
  path: '/api/operator/figures',
  summary:
    'Figures of the site by day or month, oldest first, from the first day of the site; counted every hour, a day until the end of the next one',
  tag: 'Operators',
  access: 'operator',
  role: 'any',
  limit: { perPerson: 600 },
  query: z.object({
    period: z.enum(figurePeriods).default('days').describe('30 days or 12 months'),
  }),
  response: ok({
    data: z.array(figuresOfTime),
    /** When the last day was counted; null before the first count. */
    countedAt: time.nullable(),
  }),
});
