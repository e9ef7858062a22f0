import { type Insertable, type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** Stores a request for a review, or finds the existing one of the month. Returns when it was made. */
export async function insertReviewRequest(
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
