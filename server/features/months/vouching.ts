import { type Kysely, type RawBuilder, sql } from 'kysely';
import { type MonthCounts, rules } from '#contract/earning-rules.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import { limitsOf } from '../month-counts/month-states.ts';
import { sumOfActive } from '../views/established.ts';
import { type EstablishedLikes, type Result, resultOf } from './money.ts';
import { isAdjusted } from './own-works.queries.ts';

interface MonthOfLikes {
  month: string;
  timeZone: string;
  /** Works that were found to be their creator's own after the month was closed, and that count here; `besides`: further such works. */
  ownWorks?: readonly string[];
  besides?: readonly string[];
}

interface LikedIn extends MonthOfLikes {
  /** Of the photos. */
  creatorIds: readonly string[];
}

/**
 * A query of the likes that count in a month (decisions §4) by creator and person, also if they were taken back, or the photo deleted, after that
 * month. Of photos that were found to be their creator's own after the month was closed only those of `ownWorks` count.
 */
export function countedLikes({
  creatorIds,
  month,
  timeZone,
  ownWorks = [],
  besides = [],
}: LikedIn): RawBuilder<{ creator_id: string; person_id: string; likes: number }> {
  const monthOf = (column: string) => sql`to_char(${sql.ref(column)} at time zone ${timeZone}, 'YYYY-MM')`;
  const begin = sql`(${month} || '-01')::timestamp`;
  return sql`
    select creator_id, person_id, count(*) as likes from post_likes
    where creator_id = any(${creatorIds}::uuid[]) and person_id <> creator_id
      and liked_at >= ${begin} at time zone ${timeZone}
      and liked_at < (${begin} + interval '1 month') at time zone ${timeZone}
      and coalesce(${monthOf('undone_at')} > ${month}, true)
      and (creator_id, post_id) in (
        select creator_id, id from posts p where creator_id = any(${creatorIds}::uuid[]) and not duplicate
          and (id = any(${ownWorks}::uuid[]) or not (id = any(${besides}::uuid[]) or ${isAdjusted('p.id', { creatorIds, month })}))
          and not coalesce(${monthOf('deleted_at')} = ${month} and ${monthOf('published_at')} = ${month}, false))
    group by 1, 2`;
}

/**
 * Likes of these creators in a month by the accounts of a table: the established ones of a closed month, or those that watched enough in a
 * running one.
 */
export async function likesByAccounts(
  db: Kysely<Tables>,
  accounts: 'established_accounts' | 'active_people',
  creatorIds: readonly string[],
  of: MonthOfLikes,
): Promise<Map<string, EstablishedLikes>> {
  const { rows } = await sql<EstablishedLikes & { creator_id: string }>`
    with each as materialized (${countedLikes({ ...of, creatorIds })})
    select creator_id, sum(likes)::int as likes, sum(least(likes, ${sql.lit(rules.vouching.likesPerAccount)}))::int as capped
    from each join ${sql.table(accounts)} a on a.month = ${of.month} and a.person_id = each.person_id
    group by 1`.execute(db);
  return new Map(rows.map(({ creator_id, ...likes }) => [creator_id, likes]));
}

/**
 * What a month pays that is not closed yet, if it was closed now and all accounts that watched enough were old enough and verified
 * (docs/decisions/0057-established-accounts.md).
 */
export async function estimateResult(
  { db, config }: Context<'db' | 'config'>,
  { creatorId, month, counts }: { creatorId: string; month: string; counts: MonthCounts },
): Promise<Result> {
  const which = { creatorId, month };
  const shares = await sumOfActive(db, which, await limitsOf(db, month));
  const of = { month, timeZone: config.timeZone };
  const likes = await likesByAccounts(db, 'active_people', [creatorId], of);
  return resultOf({ ...counts, ...shares }, likes.get(creatorId));
}
