import { type Insertable, type Kysely, sql } from 'kysely';
import { monthOf } from '#server/platform/clock.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { Refusal } from '#server/platform/refusal.ts';
import { mustBeOwn, payOfMonths } from './month-worth.ts';

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
  return { askedAt: (await insertReviewRequest(context.db, look)).toISOString() };
}

/** Stores a request for a review, or finds the existing one of the month. Returns when it was made. */
async function insertReviewRequest(
  db: Kysely<Tables>,
  look: Insertable<Tables['month_looks']>,
): Promise<Date> {
  const row = await db
    .insertInto('month_looks')
    .values(look)
    // This changes nothing and returns the existing row.
    .onConflict((conflict) =>
      conflict.columns(['creator_id', 'month']).doUpdateSet({ asked_at: sql`month_looks.asked_at` }),
    )
    .returning('asked_at')
    .executeTakeFirstOrThrow();
  return row.asked_at;
}

/** When a creator requested a review in this month. */
export async function findReviewRequest(
  db: Kysely<Tables>,
  creatorId: string,
  month: string,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('month_looks')
    .select('asked_at')
    .where('creator_id', '=', creatorId)
    .where('month', '=', month)
    .executeTakeFirst();
  return row?.asked_at;
}
