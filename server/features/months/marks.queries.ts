import { sql, type Transaction } from 'kysely';
import type { Tables } from '#server/platform/database/tables.ts';
import { countedLikes } from './vouching.ts';

/** So many of so many. */
export interface Part {
  found: number;
  of: number;
}

const few = sql.lit(5);

interface MarkScope {
  month: string;
  timeZone: string;
}

/**
 * Watched views of a month by the five viewers, and from the five networks, with the most of them, by creator. Views without a row have no
 * viewer and are left out.
 */
export async function viewsOfFew(
  trx: Transaction<Tables>,
  creatorIds: readonly string[],
  { month }: MarkScope,
): Promise<Map<string, { few_viewers: Part; few_networks: Part }>> {
  // All single views of some hundred creators are read: a month that is too large must not stay uncounted.
  await sql`set local statement_timeout = '15min'`.execute(trx);
  const by = (key: 'viewer' | 'network') => sql`(
    select creator_id, sum(views) filter (where place <= ${few})::int as found, sum(views)::int as total
    from (
      select creator_id, count(*) as views, row_number() over (partition by creator_id order by count(*) desc) as place
      from views v where v.creator_id = any(${creatorIds}::uuid[]) and v.verdict = 'counted' and to_char(v.day, 'YYYY-MM') = ${month}
      group by creator_id, ${sql.ref(key)}
    ) each group by creator_id
  )`;
  const { rows } = await sql<{ creator_id: string; viewers: number; networks: number; of: number }>`
    select creator_id, viewers.found as viewers, networks.found as networks, viewers.total as of
    from ${by('viewer')} viewers join ${by('network')} networks using (creator_id)`.execute(trx);
  return new Map(
    rows.map(({ creator_id, viewers, networks, of }) => [
      creator_id,
      { few_viewers: { found: viewers, of }, few_networks: { found: networks, of } },
    ]),
  );
}

/** Likes of a month by the five accounts that gave most of them, by creator. */
export async function likesOfFew(
  trx: Transaction<Tables>,
  creatorIds: readonly string[],
  which: MarkScope,
): Promise<Map<string, Part>> {
  const { rows } = await sql<Part & { creator_id: string }>`
    select creator_id, sum(likes) filter (where place <= ${few})::int as found, sum(likes)::int as of
    from (
      select creator_id, likes, row_number() over (partition by creator_id order by likes desc) as place
      from (${countedLikes({ ...which, creatorIds })}) by_person
    ) each
    group by creator_id`.execute(trx);
  return new Map(rows.map(({ creator_id, ...part }) => [creator_id, part]));
}
