import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { mustBeOwn, payOfMonths } from './month-worth.ts';
import * as queries from './review-requests.queries.ts';

export { findReviewRequest } from './review-requests.queries.ts';

/** Requests a review of the creator's waiting views, once in a calendar month; operators see the request at each of their months. */
export async function requestReview(
  context: Context<'db' | 'clock' | 'config'>,
  callerId: string,
  userId: string,
): Promise<{ askedAt: string }> {
  mustBeOwn(userId, callerId);
  const now = context.clock();
  const running = monthOf(now, context.config.timeZone);
  const months = await payOfMonths(context, callerId);
  if (!months.some(({ month, waitingViews }) => month < running && waitingViews > 0))
    throw new Refusal('nothing_waits');
  const look = { creator_id: callerId, month: running, asked_at: now };
  return { askedAt: (await queries.insertReviewRequest(context.db, look)).toISOString() };
}
