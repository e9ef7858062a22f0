import { type Kysely, type RawBuilder, sql } from 'kysely';
import { rules } from '#contract/rates.ts';
import type { Tables } from '#server/platform/database/tables.ts';
import type { AccountLimits } from '../views/established.ts';
import type { EstablishedLikes } from './results.ts';

/** How many views an established account lets pay in a month; the default for a month in which nothing was counted. */
export async function limitsOf(db: Kysely<Tables>, month: string): Promise<AccountLimits> {
  const row = await db
    .selectFrom('months')
    .select(['views_per_creator as viewsPerCreator', 'views_in_all as viewsInAll'])
    .where('month', '=', month)
    .executeTakeFirst();
  return row ?? rules.vouching;
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
 * Likes of these creators in a month by the accounts of a table: the established ones of a closed month, or those that watched enough in a
 * running one.
 */
export async function likesByAccounts(
  db: Kysely<Tables>,
  accounts: 'established_accounts' | 'active_people',
  creatorIds: readonly string[],
  { month, timeZone }: { month: string; timeZone: string },
): Promise<Map<string, EstablishedLikes>> {
  const { rows } = await sql<EstablishedLikes & { creator_id: string }>`
    select creator_id, sum(likes)::int as likes, sum(least(likes, ${sql.lit(rules.vouching.likesPerAccount)}))::int as capped from (
      select p.creator_id, l.person_id, count(*) as likes
      from posts p join post_likes l on l.post_id = p.id
      join ${sql.table(accounts)} a on a.month = ${month} and a.person_id = l.person_id
      where p.creator_id = any(${creatorIds}::uuid[]) and ${likeCountsIn({ month, timeZone })}
      group by 1, 2
    ) each group by 1`.execute(db);
  return new Map(rows.map(({ creator_id, ...likes }) => [creator_id, likes]));
}
