import { type Kysely, type RawBuilder, sql } from 'kysely';
import { rules } from '#contract/rates.ts';
import { monthBefore } from '#server/platform/clock.ts';
import type { Tables } from '#server/platform/database/tables.ts';

/**
 * How many creators an established account must have watched in a month: five. If fewer other creators were watched in this month or in the
 * month before, it is the smaller of these two numbers, but at least two. One watched creator is subtracted, since the account may be that
 * creator. The month before limits the number, so that an attacker cannot raise it by adding creators at the end of the month. Only in the
 * site's first month with watched views there is no such limit.
 */
export async function creatorsToWatch(db: Kysely<Tables>, month: string): Promise<number> {
  return (await creatorsToWatchIn(db, [month])).get(month) ?? rules.established.leastCreators;
}

/** The same in several months. */
export async function creatorsToWatchIn(
  db: Kysely<Tables>,
  months: readonly string[],
): Promise<Map<string, number>> {
  const asked = [...new Set(months.flatMap((month) => [monthBefore(month), month]))];
  const { creators, leastCreators } = rules.established;
  const { rows } = await sql<{ month: string; found: number; first: boolean }>`
    select month, (
      select count(*)::int from (
        select from creator_months m where m.month = asked.month and views > 0 limit ${creators + 1}
      ) creators
    ) as found, not exists (select from creator_months m where m.month < asked.month and views > 0) as first
    from unnest(${asked}::text[]) asked(month)`.execute(db);
  const counts = new Map(rows.map((row) => [row.month, row]));
  return new Map(
    months.map((month) => {
      const [before, now] = [counts.get(monthBefore(month)), counts.get(month)];
      const limits = [now, ...(now?.first ? [] : [before])].map((one) => (one?.found ?? 0) - 1);
      return [month, Math.max(leastCreators, Math.min(creators, ...limits))];
    }),
  );
}

/** All watched views of a month that count. */
export async function viewsOfMonth(db: Kysely<Tables>, month: string): Promise<number> {
  const { views } = await db
    .selectFrom('creator_months')
    .select(sql<number>`coalesce(sum(views), 0)::bigint`.as('views'))
    .where('month', '=', month)
    .executeTakeFirstOrThrow();
  return views;
}

interface Which {
  creatorId: string;
  month: string;
  timeZone: string;
}

/**
 * Whether a like `l` of a photo `p` counts in a month (decisions §4): in the month of the like, or in that in which the photo began to count;
 * it counts, too, if it was taken back, or the photo deleted, after that month.
 */
export function likeCountsIn({ month, timeZone }: { month: string; timeZone: string }): RawBuilder<boolean> {
  const monthOf = (column: string) => sql`to_char(${sql.ref(column)} at time zone ${timeZone}, 'YYYY-MM')`;
  const begin = sql`(${month} || '-01')::timestamp`;
  return sql<boolean>`(
    l.person_id <> p.creator_id and not p.duplicate
    and greatest(l.liked_at, p.counts_from) >= ${begin} at time zone ${timeZone}
    and greatest(l.liked_at, p.counts_from) < (${begin} + interval '1 month') at time zone ${timeZone}
    and coalesce(${monthOf('l.undone_at')} > ${month}, true)
    and not coalesce(${monthOf('p.deleted_at')} = ${month}
      and to_char(coalesce(p.counts_from, p.published_at) at time zone ${timeZone}, 'YYYY-MM') = ${month}, false))`;
}

/**
 * Counted likes of a creator's month by accounts that are established in that month, or in that of the like: likes of a photo that was
 * wrongly taken for a copy may be from earlier months (docs/decisions/0075-views-of-copies.md).
 */
export async function likesOfEstablished(
  db: Kysely<Tables>,
  { creatorId, month, timeZone }: Which,
): Promise<number> {
  const likedIn = sql`to_char(l.liked_at at time zone ${timeZone}, 'YYYY-MM')`;
  const counted = sql`
    from posts p join post_likes l on l.post_id = p.id
    where p.creator_id = ${creatorId} and ${likeCountsIn({ month, timeZone })}`;
  const { rows: earlier } = await sql<{ month: string }>`
    select distinct ${likedIn} as month ${counted} and l.liked_at < p.counts_from`.execute(db);
  const needed = [...(await creatorsToWatchIn(db, [month, ...earlier.map((one) => one.month)]))];
  const { rows } = await sql<{ likes: number }>`
    select count(*)::int as likes ${counted} and exists (
      select from unnest(${needed.map(([one]) => one)}::text[], ${needed.map(([, creators]) => creators)}::int[]) needed(month, creators)
      join active_people a on a.month = needed.month and a.creators >= needed.creators and a.counts
      where a.person_id = l.person_id and a.month in (${month}, ${likedIn})
    )`.execute(db);
  return rows[0]?.likes ?? 0;
}
