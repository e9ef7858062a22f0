import { type Kysely, type RawBuilder, sql } from 'kysely';
import { countedTo } from '#contract/today.ts';
import type { Tables } from './tables.ts';

/** How many rows wait, counted up to `countedTo` and one more, and the earliest of their times; null without any. */
export interface Waiting {
  count: number;
  at: Date | null;
}

/** Counts the rows of a query with a column `at`, which an index gives in that order. */
export async function countWaiting(db: Kysely<Tables>, rows: RawBuilder<unknown>): Promise<Waiting> {
  const result = await sql<Waiting>`select count(*)::int as count, min(at) as at
    from (${rows} order by at limit ${countedTo + 1}) waiting`.execute(db);
  return result.rows[0] ?? { count: 0, at: null };
}
