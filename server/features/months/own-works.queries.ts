import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { MonthCounts } from '#contract/earning-rules.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/**
 * Whether a work of one of these creators was found to be its creator's own after a month was closed, so that the month's result is without
 * it.
 */
export const isAdjusted = (
  workId: string,
  { creatorIds, month }: { creatorIds: readonly string[]; month: string },
): RawBuilder<boolean> =>
  sql<boolean>`(${sql.ref(workId)} in (select work_id from adjustments
    where creator_id = any(${creatorIds}::uuid[]) and month = ${month} and work_id is not null))`;

/**
 * What works of a creator count by month: their publication, their likes, and what was watched of them while they were taken for copies. Callers
 * leave out works that were deleted in the month of their publication.
 */
export async function countsOfWorks(
  db: Kysely<Tables>,
  { creatorId, ids }: { creatorId: string; ids: readonly string[] },
  timeZone: string,
): Promise<Map<string, MonthCounts>> {
  const monthOf = (column: string) => sql`to_char(${sql.ref(column)} at time zone ${timeZone}, 'YYYY-MM')`;
  const chosen = sql`creator_id = ${creatorId} and id = any(${ids}::uuid[])`;
  const { rows } = await sql<MonthCounts & { month: string }>`
    select month, sum(reels)::int as reels, sum(posts)::int as posts, sum(stories)::int as stories,
      sum(views)::bigint as views, sum(likes)::bigint as likes
    from (
      select ${monthOf('published_at')} as month, case when unpaid is null then 1 else 0 end as reels, 0 as posts, 0 as stories,
        0::bigint as views, 0::bigint as likes
      from reels where ${chosen} and published_at is not null
      union all select ${monthOf('published_at')}, 0, 1, 0, 0, 0 from posts where ${chosen}
      union all select ${monthOf('published_at')}, 0, 0, 1, 0, 0 from stories where ${chosen}
      union all select to_char(day, 'YYYY-MM'), 0, 0, 0, views, 0 from reel_days
        where creator_id = ${creatorId} and reel_id = any(${ids}::uuid[]) and verdict = 'copy' and views > 0
      union all select ${monthOf('l.liked_at')}, 0, 0, 0, 0, 1 from post_likes l
        where l.creator_id = ${creatorId} and l.post_id = any(${ids}::uuid[]) and l.person_id <> l.creator_id
          and coalesce(${monthOf('l.undone_at')} > ${monthOf('l.liked_at')}, true)
    ) each group by month order by month`.execute(db);
  return new Map(rows.map(({ month, ...counts }) => [month, counts]));
}
