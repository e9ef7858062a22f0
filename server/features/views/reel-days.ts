import { type Kysely, sql } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';

/** Views of reels of a creator, by reel and verdict: shown, counted, or the reason why they do not pay. */
export function sumByReel(db: Kysely<Tables>, creatorId: string, reelIds: readonly string[]) {
  return db
    .selectFrom('reel_days')
    .select(['reel_id as reelId', 'verdict', (of) => of.fn.sum<number>('views').as('views')])
    .where('creator_id', '=', creatorId)
    .where('reel_id', 'in', reelIds)
    .groupBy(['reel_id', 'verdict'])
    .execute();
}

/** Views of a reel of a creator, by day and verdict, oldest day first. */
export function listByDay(db: Kysely<Tables>, creatorId: string, reelId: string) {
  return db
    .selectFrom('reel_days')
    .select([sql<string>`day::text`.as('day'), 'verdict', 'views'])
    .where('creator_id', '=', creatorId)
    .where('reel_id', '=', reelId)
    .where('views', '>', 0)
    .orderBy('day')
    .execute();
}

/** Views of all reels of a creator on a day, by reel and verdict. */
export function listOfDay(db: Kysely<Tables>, creatorId: string, day: string) {
  return db
    .selectFrom('reel_days')
    .innerJoin('reels', (join) =>
      join.onRef('reels.id', '=', 'reel_days.reel_id').onRef('reels.creator_id', '=', 'reel_days.creator_id'),
    )
    .select(['reel_days.reel_id as reelId', 'reel_days.verdict', 'reel_days.views'])
    .where('reels.creator_id', '=', creatorId)
    .where('reel_days.day', '=', sql<string>`${day}::date`)
    .execute();
}
